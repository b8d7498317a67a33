"""Robots that answer robots: the automatic answers stop, and a person is called (R32).

The table alone does not stop somebody on the other side who answers everything. What the lead says goes on moving the
conversation, payments go on as ever; only what would be sent as an answer or by the clock is left unsent, until a
person has looked.
"""

from collections.abc import Mapping

from engine.core.flow import Flow, Millis
from engine.core.folding import fold
from engine.store import repeats
from engine.store.connection import Tx
from engine.store.conversations import Conversation
from engine.store.marks import LOOP

__all__ = ["LOOP", "stopped"]


def stopped(
    tx: Tx, flow: Flow, conversation: Conversation, said: str, sends: int, now: Millis
) -> Mapping[str, object] | None:
    """What is too much about answering `said` with so many messages, as facts for the log; None when nothing is."""
    limits = flow.settings
    if conversation.replies_in_state + sends > limits.replies_in_a_row:
        return {"replies_in_a_row": conversation.replies_in_state, "limit": limits.replies_in_a_row}
    words = fold(said)
    if not words:
        return None
    since = now - limits.identical_within
    alike = sum(fold(text) == words for text in repeats.answered(tx, conversation.id, since, since - limits.max_age))
    if alike < limits.identical_replies:
        return None
    return {"identical_replies": alike, "limit": limits.identical_replies}
