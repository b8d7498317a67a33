"""What the log says of approvals, as sentences: asked, decided, more time, over, withdrawn."""

from collections.abc import Mapping

from web.desk_words import who
from web.i18n import gettext

__all__ = ["approval_note", "decision"]


def approval_note(reason: str, facts: Mapping[str, object]) -> tuple[str, str] | None:
    """(icon, sentence) of a row about a request; None for any other row."""
    by = {"who": who(str(facts.get("by") or ""))}
    match reason:
        case "approval_asked":
            return "hand", gettext("The bot asks a person to approve what it wants to send")
        case "approval_withdrawn":
            return "minus", gettext("Nothing waits for approval any more: the conversation went on")
        case "approval_replaced":
            return "hand", gettext("Something else would be sent by now: it has to be approved anew")
        case "approval_extended":
            return "clock", gettext("%(who)s gave the approval more time") % by
        case "approval_expired":
            return "clock", gettext("Nobody approved it in time: nothing was sent")
    return None


def decision(facts: Mapping[str, object]) -> str:
    """Who decided, where a row is about a decision; "" for any other row."""
    if "approval" not in facts or not facts.get("by"):
        return ""
    values = {"who": who(str(facts["by"]))}
    return gettext("by %(who)s, with other words") % values if facts.get("edited") else gettext("by %(who)s") % values
