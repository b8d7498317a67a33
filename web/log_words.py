"""A row of the log as a sentence: what happened, its tone, and the facts that explain it."""

from collections.abc import Mapping

from engine.core import sentences
from engine.core.flow import Flow, Millis
from engine.services.transcript_lines import Entry
from web import i18n
from web.approval_words import approval_note, decision
from web.desk_words import moment_of, who
from web.i18n import gettext
from web.note_words import because, note
from web.told import Told

__all__ = ["Told", "action_label", "event_label", "facts_of", "told"]

PRIVATE = frozenset({"phone", "wanted", "lid", "bsuid", "id", "batch"})
"""Facts that may hold a number."""


def action_label(flow: Flow, action: object) -> str:
    """What the bot does, in words; also what people do by hand."""
    name = str(action or "")
    by_hand = {
        "manual": gettext("message written by hand"),
        "phone": gettext("answered by phone"),
        "campanha": gettext("message of a campaign"),
    }
    if name in by_hand:
        return by_hand[name]
    known = flow.actions.get(name.removeprefix("template:"))
    label = known.label.within(i18n.current()) if known is not None and known.label is not None else ""
    return label or name.replace("_", " ")


def event_label(flow: Flow, event: str | None, state: str | None) -> str:
    """An event in words, "" for none."""
    return sentences.event_name(flow, event, flow.states.get(state or ""), i18n.current()) if event else ""


def told(entry: Entry, flow: Flow, now: Millis) -> Told:
    """The row in the current language; an outcome that nobody described says its own name."""
    why = because(entry.reason)
    facts = entry.facts
    if entry.reason and (about := approval_note(entry.reason, facts)) is not None:
        return Told(about[0], "warn" if entry.outcome == "alert" else "", about[1])
    event = event_label(flow, entry.event, entry.frm)
    action = action_label(flow, facts.get("action"))
    values = {"event": event, "state": entry.frm or "", "action": action, "because": why}
    match entry.outcome:
        case "transition" if entry.frm != entry.to:
            text = " · ".join(filter(None, (gettext("because %(event)s") % values, decision(facts))))
            return Told("arrow", "ok", text, (entry.frm or "", entry.to or ""))
        case "transition":
            return Told("loop", "", gettext("Stayed in %(state)s: %(event)s") % values)
        case "no_transition":
            return Told("minus", "", gettext("No arrow in %(state)s for “%(event)s”: recorded and ignored") % values)
        case "ignored" if entry.reason == "by_flow":
            return Told("minus", "", gettext("“%(event)s” is ignored in %(state)s, as the flow says") % values)
        case "ignored" if facts.get("action"):
            return Told("minus", "", gettext("Not done: %(action)s%(because)s") % values)
        case "ignored":
            return Told("minus", "", gettext("Not answered%(because)s") % values)
        case "human_takeover":
            return Told("user", "warn", _takeover(facts, now, flow.timezone))
        case "note":
            return note(entry, flow, now)
        case "opt_out":
            return Told("ban", "warn", gettext("The customer asked for no more messages"))
        case "opt_in":
            return Told("okc", "ok", gettext("Messages are allowed again%(because)s") % values)
        case "alert" if entry.reason == "two_transitions":
            found = facts.get("candidates")
            arrows = ", ".join(map(str, found)) if isinstance(found, list) else ""
            return Told(
                "alert", "err", gettext("Two arrows could fire (%(arrows)s): nothing was done") % {"arrows": arrows}
            )
        case "alert" if entry.reason == "notify":
            return Told("user", "warn", str(facts.get("text") or gettext("The flow asked for a person")))
        case "alert":
            return Told("alert", "err", gettext("Needs a person%(because)s") % values)
    return _send(entry, values, flow, now)


def _send(entry: Entry, values: Mapping[str, str], flow: Flow, now: Millis) -> Told:
    match entry.outcome:
        case "sent":
            return Told("check", "ok", gettext("Sent: %(action)s") % values)
        case "delivery":
            return Told("check", *_delivery(entry.facts.get("status"), values))
        case "held":
            return Told("inbox", "warn", gettext("Held back: %(action)s%(because)s") % values)
        case "suppressed":
            return Told("x", "warn", gettext("Not sent: %(action)s%(because)s") % values)
        case "postponed":
            until = entry.facts.get("until")
            when = moment_of(until, now, flow.timezone) if isinstance(until, int) else ""
            return Told("clock", "", gettext("Postponed to %(when)s: %(action)s%(because)s") % {**values, "when": when})
        case "send_retry":
            return Told("refresh", "warn", gettext("To be sent again: %(action)s%(because)s") % values)
        case "send_failed":
            return Told("alert", "err", gettext("Could not be sent: %(action)s%(because)s") % values)
        case "uncertain":
            return Told("alert", "warn", gettext("Nobody knows yet whether it arrived: %(action)s%(because)s") % values)
        case "duplicate":
            return Told("minus", "", gettext("A repetition: processed before"))
        case "message_edited":
            return Told("edit", "", gettext("The customer edited a message"))
        case "message_deleted":
            return Told("trash", "", gettext("The customer deleted a message"))
        case "identity_linked" if entry.reason == "merged":
            return Told("users", "", gettext("Two contacts are one person: both histories are here"))
        case "identity_linked":
            return Told("link", "", gettext("Another name of the same person was recognised"))
        case "identity_conflict":
            return Told("alert", "warn", gettext("Something says that this is somebody else too: one person or two?"))
        case "orphan":
            return Told("minus", "", gettext("News of a message that nobody knows"))
    return Told("info", "", f"{entry.outcome}{values['because']}")


def _delivery(status: object, values: Mapping[str, str]) -> tuple[str, str]:
    known = {
        "sent": ("", gettext("Accepted by the platform: %(action)s") % values),
        "delivered": ("ok", gettext("Delivered: %(action)s") % values),
        "read": ("ok", gettext("Read: %(action)s") % values),
        "played": ("ok", gettext("Played: %(action)s") % values),
        "failed": ("err", gettext("Not delivered: %(action)s") % values),
        "pending": ("warn", gettext("No confirmation yet: %(action)s") % values),
    }
    return known.get(str(status), ("", str(status)))


def _takeover(facts: Mapping[str, object], now: Millis, zone: str) -> str:
    if facts.get("source") == "phone":
        return gettext("Somebody answered by phone: the bot is paused")
    until = facts.get("until")
    when = moment_of(until, now, zone) if isinstance(until, int) else ""
    values = {"who": who(str(facts.get("by") or "")), "when": when}
    if facts.get("how") == "wrote":
        return gettext("%(who)s wrote: the bot is paused until %(when)s") % values
    return gettext("%(who)s took over: the bot is paused until %(when)s") % values


def facts_of(entry: Entry, *, private: bool) -> list[tuple[str, str]]:
    """The explaining facts as (name, value), those that may hold a number only for whoever may see it."""
    return [
        (name, _plain(value))
        for name, value in entry.facts.items()
        if value not in (None, [], {}) and (private or name not in PRIVATE)
    ]


def _plain(value: object) -> str:
    if isinstance(value, Mapping):
        return " · ".join(f"{name}: {_plain(inner)}" for name, inner in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(_plain, value))
    return str(value)
