"""Notes of the log as sentences: what people and publications did with a conversation, what became of files."""

from engine.core.flow import Flow, Millis
from engine.services.transcript_lines import Entry
from web.desk_words import media, moment_of, reason, who
from web.file_words import refusal, unheard
from web.i18n import gettext, ngettext
from web.told import Told

__all__ = ["because", "note"]


def note(entry: Entry, flow: Flow, now: Millis) -> Told:
    """A note of the log in the current language."""
    facts = entry.facts
    match entry.reason:
        case "given_back":
            held = facts.get("held")
            count = held if isinstance(held, int) else 0
            text = gettext("%(who)s gave it back to the bot") % {"who": who(str(facts.get("by") or ""))}
            out = facts.get("going_out")
            if isinstance(out, int):
                text += gettext(": of %(num)s held messages %(out)s go out") % {"num": count, "out": out}
            elif count and facts.get("sent"):
                text += ngettext(": %(num)s held message goes out", ": %(num)s held messages go out", count) % {
                    "num": count
                }
            elif count:
                text += ngettext(": %(num)s held message dropped", ": %(num)s held messages dropped", count) % {
                    "num": count
                }
            return Told("bot", "ok", text)
        case "gives_back_at" | "moved_by_person" | "assigned" | "noted":
            return _by_person(entry, flow, now)
        case "opened":
            values = {"state": entry.to or flow.initial, "n": facts.get("flow_version", "")}
            return Told("enter", "", gettext("The conversation began in %(state)s (v%(n)s)") % values)
        case "new_version":
            return Told("flow", "", gettext("Went on to v%(n)s of the flow") % {"n": facts.get("flow_version", "")})
        case "deadline_anew":
            values = {"who": who(str(facts.get("by") or "")), "n": facts.get("flow_version", "")}
            return Told("clock", "", gettext("%(who)s published v%(n)s: the silence counts again from here") % values)
        case "moved_by_publication" | "taken_back":
            values = {"who": who(str(facts.get("by") or "")), "n": facts.get("flow_version", "")}
            back = entry.reason == "taken_back"
            words = gettext("%(who)s went back: v%(n)s") if back else gettext("%(who)s published v%(n)s")
            return Told("flow", "", words % values, (entry.frm or "", entry.to or ""))
        case "pause_over":
            return Told("clock", "", gettext("The pause ended: the silence clock runs on"))
        case "merged":
            return Told("users", "", gettext("Two contacts are one person: from here on this is a talk of both"))
        case "followed":
            return Told("right", "warn", gettext("The talk goes on in another conversation of the same person"))
        case "follows":
            return Told("enter", "", gettext("Another conversation of the same person goes on here"))
        case "told_apart":
            text = gettext("%(who)s said that they are two people") % {"who": who(str(facts.get("by") or ""))}
            return Told("users", "", text)
        case "tied_by_person":
            text = gettext("%(who)s tied a payment to this person") % {"who": who(str(facts.get("by") or ""))}
            return Told("card", "", text)
        case "seen_by_person":
            return Told("eye", "", gettext("%(who)s looked at it") % {"who": who(str(facts.get("by") or ""))})
        case "tagged":
            return Told("tag", "", gettext("%(who)s changed the tags") % {"who": who(str(facts.get("by") or ""))})
        case "campaign":
            return Told(
                "send", "", gettext("Campaign “%(name)s” writes to this customer") % {"name": facts.get("name")}
            )
        case "media_refused":
            values = {"medium": media(str(facts.get("media"))), "why": refusal(str(facts.get("why")))}
            return Told("alert", "warn", gettext("A file was not kept (%(medium)s): %(why)s") % values)
        case "transcribed" if facts.get("late"):
            return Told("wave", "warn", gettext("An audio was transcribed, too late to be answered"))
        case "transcribed":
            return Told("wave", "ok", gettext("An audio was transcribed"))
        case "not_transcribed":
            values = {"why": unheard(str(facts.get("why")))}
            return Told("wave", "warn", gettext("An audio was not transcribed: %(why)s") % values)
    return Told("info", "", gettext("Note%(because)s") % {"because": because(entry.reason)})


def _by_person(entry: Entry, flow: Flow, now: Millis) -> Told:
    """What a person did by hand and the log keeps in the conversation."""
    facts = entry.facts
    until = facts.get("until")
    values = {
        "who": who(str(facts.get("by") or "")),
        "when": moment_of(until, now, flow.timezone) if isinstance(until, int) else "",
        "why": facts.get("why") or "",
        "to": facts.get("to") or "",
    }
    match entry.reason:
        case "gives_back_at":
            return Told("clock", "", gettext("%(who)s gives it back to the bot at %(when)s") % values)
        case "moved_by_person":
            words = gettext("%(who)s moved it by hand: %(why)s") % values
            return Told("user", "", words, (entry.frm or "", entry.to or ""))
        case "assigned" if values["to"]:
            return Told("user", "", gettext("%(who)s gave it to %(to)s") % values)
        case "assigned":
            return Told("user", "", gettext("%(who)s left it to nobody in particular") % values)
    return Told("edit", "", gettext("%(who)s wrote a note for the team") % values)


def because(code: str | None) -> str:
    """A reason in brackets, after a blank; "" for none."""
    words = reason(code)
    return f" ({words})" if words else ""
