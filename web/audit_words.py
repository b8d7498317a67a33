"""What the audit says that people did in a conversation, as sentences."""

from web.i18n import gettext

__all__ = ["done"]


def done(what: str) -> str:
    """The sentence of a code, with `%(who)s` in it; a code without one is told as it is."""
    known = {
        "conversation.pause": gettext("%(who)s paused the bot"),
        "conversation.give_back": gettext("%(who)s gave the chat back to the bot"),
        "conversation.give_back_at": gettext("%(who)s set the moment at which the bot gets the chat back"),
        "conversation.move": gettext("%(who)s moved the conversation to another state"),
        "conversation.assign": gettext("%(who)s said whose the conversation is"),
        "conversation.note": gettext("%(who)s wrote a note"),
        "conversation.seen": gettext("%(who)s looked at what needed a person"),
        "send.decide": gettext("%(who)s said whether a message arrived"),
        "send.decide_held": gettext("%(who)s decided about a message that was held back"),
        "send.cancel": gettext("%(who)s took a message back before it left"),
        "contact.opt_in": gettext("%(who)s noted that the customer wants messages"),
    }
    return known.get(what, f"%(who)s · {what.replace('%', '%%')}")
