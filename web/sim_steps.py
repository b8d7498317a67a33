"""Steps of a simulation in words: what was done, for the log and for the list of differences of a test."""

from engine.core.flow import APPROVED, Flow
from engine.services.simulator.steps import Step
from web.desk_words import media, money
from web.flow_words import event_label
from web.i18n import gettext
from web.words import duration

__all__ = ["ICONS", "said"]

ICONS = {
    "message": "message",
    "file": "inbox",
    "tap": "hand",
    "take": "hand",
    "give_back": "bot",
    "payment": "card",
    "late": "history",
    "event": "bolt",
    "clock": "clock",
    "deadline": "clock",
    "again": "copy",
    "read": "eye",
    "crash": "alert",
    "person": "user",
    "decision": "hand",
    "given": "bulb",
}


def said(flow: Flow, step: Step) -> str:
    """One step in the current language."""
    values = {"text": step.text, "title": step.title, "time": duration(step.by) if step.by else ""}
    values |= {"event": event_label(flow, step.event) if step.event in flow.events else step.event}
    match step.kind:
        case "message":
            return gettext("The customer wrote “%(text)s”") % values
        case "file":
            sent = gettext("The customer sent: %(file)s") % {"file": media(step.medium)}
            return f"{sent} “{step.text}”" if step.text else sent
        case "take":
            return gettext("A person took over for %(time)s") % values
        case "give_back":
            if step.held:
                return gettext("A person gave the talk back to the bot, and what was held back leaves")
            return gettext("A person gave the talk back to the bot")
        case "tap":
            return gettext("The customer tapped “%(title)s”") % values
        case "payment":
            paid = money(step.amount) if step.amount is not None else ""
            return " · ".join(part for part in (gettext("Payment notice: %(event)s") % values, paid) if part)
        case "late":
            return gettext("Out of order: older news of the purchase, %(event)s") % values
        case "event":
            return gettext("Your systems told: %(event)s") % values
        case "decision":
            approves = step.event == APPROVED
            text = gettext("A person approved it") if approves else gettext("A person rejected it")
            return f"{text}: “{step.text}”" if step.text else text
        case "clock":
            return gettext("%(time)s passed") % values
        case "deadline":
            return gettext("On to the next deadline")
        case "again":
            return gettext("The same thing arrived again")
        case "read":
            late = gettext("The customer read it, and the older news of the delivery came afterwards")
            return late if step.late else gettext("The customer read what was sent")
        case "crash":
            return gettext("The bot died while it was sending, and came back")
        case "person":
            named = " · ".join(part for part in (step.name, step.email) if part)
            return gettext("From here on the customer is %(named)s") % {"named": named or gettext("without a name")}
    return gettext("The way to the problem")
