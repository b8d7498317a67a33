"""What is held of a person, called by its name: the kinds of rows, and what stands in them."""

from engine.services.portrait import Words
from web import i18n
from web.i18n import gettext

__all__ = ["kinds", "words"]


def kinds() -> dict[str, str]:
    """The tables that a person is told about, in their order."""
    return {
        "contact": gettext("Who they are"),
        "identity": gettext("Names they are known by"),
        "consent_proof": gettext("Proofs of consent"),
        "conversation": gettext("Conversations"),
        "inbound": gettext("Messages received"),
        "media": gettext("Files received"),
        "outbox": gettext("Messages sent"),
        "event": gettext("Payments and other events"),
        "log": gettext("What happened, step by step"),
        "approval": gettext("What waited for approval"),
        "talk_note": gettext("Notes of the team"),
        "sent_file": gettext("Files sent by the team"),
        "assignments": gettext("Who takes care of them"),
        "campaign_member": gettext("Campaigns"),
        "from_file": gettext("Imported files"),
        "evidence": gettext("News of sends"),
        "collision": gettext("Doubts about who they are"),
        "publication_move": gettext("Moves by a publication"),
        "files": gettext("Files"),
    }


def words() -> Words:
    """For the page that goes with an export."""
    columns = {
        "name": gettext("Name"),
        "phone": gettext("Phone"),
        "email": gettext("E-mail"),
        "language": gettext("Language"),
        "tags": gettext("Tags"),
        "opt_out_at": gettext("No more messages since"),
        "created_at": gettext("Since"),
        "kind": gettext("Kind"),
        "value": gettext("Value"),
        "at": gettext("When"),
        "source": gettext("Where from"),
        "words": gettext("Words"),
        "who": gettext("Who"),
        "flow": gettext("Flow"),
        "state": gettext("State"),
        "context": gettext("What the flow knows"),
        "text": gettext("Text"),
        "payload": gettext("Content"),
        "status": gettext("Status"),
        "reason": gettext("Reason"),
        "sent_at": gettext("Sent"),
        "event": gettext("Event"),
        "facts": gettext("Details"),
        "transcript": gettext("Transcript"),
    }
    return Words(i18n.current(), gettext("Data of a person"), kinds(), columns)
