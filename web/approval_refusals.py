"""Why a decision about what waits for approval was not taken, in sentences."""

from collections.abc import Mapping, Sequence

from web.i18n import gettext
from web.role_words import role_name

__all__ = ["approval_refusals", "only_these"]


def approval_refusals(given: Mapping[str, object]) -> dict[str, str]:
    """Code to sentence."""
    return {
        "approval_decided": _decided(given),
        "approval_expired": gettext("The time was over: nothing was sent."),
        "approval_changed": gettext(
            "By now another message would be sent: look at it and decide again. Nothing was sent."
        ),
        "approval_not_yours": only_these(str(given.get("approvers") or "").split(", ")),
        "approval_no_arrow": gettext("The flow has no arrow for this decision. Who edits the flow can add it."),
        "approval_window": gettext(
            "The 24 hours are over and there is no template beside the words: this cannot be sent any more."
        ),
        "approval_opted_out": gettext("The customer wants no more messages: nothing can be sent."),
        "approval_reason_missing": gettext("Say in a few words why not."),
        "approval_reason_long": gettext("The reason is too long."),
        # the switch on an arrow
        "approval_nothing": gettext("This arrow sends nothing that somebody could approve."),
        "approval_everywhere": gettext("An arrow from any state cannot wait: draw it from each state that should ask."),
        "approval_asked": gettext("This arrow leads into or out of an approval already."),
        "approval_variant": gettext("A variant of an A/B test cannot wait for a person: choose who wins first."),
        "approval_keeps_deadline": gettext(
            "This arrow keeps the running deadline, and an approval has one of its own."
        ),
        "approval_back": gettext("This arrow leads back to the state before: name the state it leads to first."),
        "approval_event_value": gettext(
            "The message names a value of its event, which is gone by the time somebody decides. Note it down in a field first."
        ),
        "approval_absent": gettext("This arrow asks nobody any more."),
        "approval_shared": gettext("%(state)s does more than ask for this arrow: change its arrows one by one.")
        % given,
        "approval_extended": gettext("It was given more time already; that can be done once."),
    }


def only_these(approvers: Sequence[str]) -> str:
    """Who may decide: whom the state names, roles in words, or else everybody whose role allows it."""
    names = ", ".join(role_name(name.strip().casefold()) for name in approvers if name)
    if not names:
        return gettext("Your role looks on: a supervisor decides.")
    return gettext("Here only these decide: %(names)s.") % {"names": names}


def _decided(given: Mapping[str, object]) -> str:
    match given.get("status"):
        case "approved":
            return gettext("%(by)s approved it first.") % given
        case "rejected":
            return gettext("%(by)s rejected it first.") % given
        case "replaced":
            return gettext("By now another message would be sent: look at it and decide again. Nothing was sent.")
    return gettext("The conversation went on by itself: nothing waits for you there any more.")
