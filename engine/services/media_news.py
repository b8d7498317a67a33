"""What an attempt at a file came to, written once: the file's row, the log, and the burst that may have waited for it."""

from collections.abc import Mapping

from engine.core.batching import due_at as burst_due
from engine.core.flow import Millis
from engine.runtime import Runtime
from engine.store import conversations, inbox, journal, marks, media
from engine.store.connection import Tx
from engine.store.conversations import Conversation
from engine.store.journal import Record
from engine.store.media import Medium

__all__ = ["told"]


def told(
    tx: Tx,
    runtime: Runtime,
    medium: Medium,
    changes: Mapping[str, object],
    *,
    due_at: Millis | None = None,
    attempt: int | None = None,
    noted: str | None = None,
    facts: Mapping[str, object] | None = None,
) -> bool:
    """Write `changes` of the file's row, unless a later attempt has begun (False); `noted` also goes to the log.

    The conversation is locked first, as everybody does who decides: a burst either knows of it or is decided again.
    """
    conversation = conversations.load(tx, medium.conversation_id)
    if conversation is None or not media.settle(tx, medium, changes, due_at=due_at, attempt=attempt):
        return False
    if noted is not None:
        entry = Record(outcome="note", reason=noted, facts={"id": medium.provider_id, **(facts or {})})
        journal.record(tx, runtime.clock.now(), conversation.about, entry)
    _woken(tx, runtime, conversation, medium, over=due_at is None)
    return True


def _woken(tx: Tx, runtime: Runtime, conversation: Conversation, medium: Medium, *, over: bool) -> None:
    """A burst that waits with this message looks again at its own moment; for whoever reads the page it has changed."""
    waiting = inbox.pending(tx, conversation.id)
    if not over or all(message.id != medium.inbound_id for message in waiting):
        marks.set_touched(tx, conversation.id)
        return
    flow = runtime.flows.within(tx, conversation.flow, conversation.flow_version)
    oldest, newest = min(w.received_at for w in waiting), max(w.received_at for w in waiting)
    marks.set_due(tx, conversation.id, burst_due(oldest, newest, flow.debounce_in(conversation.snapshot.state)), oldest)
