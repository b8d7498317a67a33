"""Decide: everything that waits for one conversation meets the table, one event a time, each all or nothing (R25).

Order: what other systems and people said, then the lead's burst if it is over (R22), then the clock, which never
speaks while a message is unread or a person holds the chat (R15).
"""

import asyncio
from collections.abc import Iterable

from engine.core.batching import awaited_until, due_at
from engine.core.events import Event
from engine.core.flow import EXHAUSTED, TIMEOUT, Flow, Millis, Source
from engine.runtime import Runtime
from engine.services.batch import Batch, gather, is_unheard
from engine.services.decide import Decided, decide
from engine.services.intake import derived
from engine.store import contacts, conversations, inbox, marks, queue
from engine.store.connection import Tx
from engine.store.conversations import Conversation

MOST = 50
"""Events of one conversation in one transaction; what is left waits for the next sweep."""


async def run(runtime: Runtime, conversation_ids: Iterable[int]) -> None:
    """Advance conversations, each in its own order; a burst of them shares commits."""
    await asyncio.gather(*(_advanced(runtime, conversation_id) for conversation_id in conversation_ids))


async def _advanced(runtime: Runtime, conversation_id: int) -> int:
    """In the conversation's own lane. The time is read when the unit runs, not when it began to wait."""
    return await runtime.store.write(
        f"conversation:{conversation_id}",
        lambda tx: advance(tx, runtime, conversation_id),
    )


def advance(tx: Tx, runtime: Runtime, conversation_id: int) -> int:
    """Apply what is due for a conversation; the number of events applied."""
    now = runtime.clock.now()
    for count in range(MOST):
        conversation = conversations.load(tx, conversation_id)
        if conversation is None or not _next(tx, runtime, conversation, now):
            return count
    return MOST


def _next(tx: Tx, runtime: Runtime, conversation: Conversation, now: Millis) -> bool:
    flow = runtime.flows.within(tx, conversation.flow, conversation.flow_version)
    for event in queue.pending(tx, conversation.id, now):
        decided = decide(tx, runtime, flow, conversation, event, now)
        queue.settle(tx, event.id, now, decided.outcome, decided.reason)
        return True
    if conversation.due_at is not None and conversation.due_at <= now:
        return _burst(tx, runtime, flow, conversation, now)
    return _silence(tx, runtime, flow, conversation, now)


def _burst(tx: Tx, runtime: Runtime, flow: Flow, conversation: Conversation, now: Millis) -> bool:
    """All pending messages become one event, or none of them when newer ones moved the due time (R22), or while the
    words of an audio are still awaited (R23).
    """
    waiting = inbox.pending(tx, conversation.id)
    if not waiting:
        marks.set_due(tx, conversation.id, None, None)
        return False
    debounce, oldest = flow.debounce_in(conversation.snapshot.state), min(w.received_at for w in waiting)
    due = due_at(oldest, max(w.received_at for w in waiting), debounce)
    unheard = [w.received_at for w in waiting if is_unheard(w) and w.transcript_state == "waiting"]
    until = awaited_until(oldest, unheard, debounce, flow.settings.audio_wait)
    due = due if until is None else max(due, until)
    if due > now:
        marks.set_due(tx, conversation.id, due, oldest)
        return False
    batch: Batch = gather(tx, flow, conversation, waiting)
    queue.put(
        tx,
        batch.event,
        now,
        conversation_id=conversation.id,
        contact_id=conversation.contact_id,
        outcome="taken",
    )
    decided: Decided = decide(
        tx, runtime, flow, conversation, batch.event, now, opts_out=batch.opts_out, said=batch.said
    )
    queue.settle(tx, batch.event.id, now, decided.outcome, decided.reason)
    inbox.settle(tx, [w.id for w in waiting], now, batch.event.id, "batched", None)
    return True


def _silence(tx: Tx, runtime: Runtime, flow: Flow, conversation: Conversation, now: Millis) -> bool:
    """The deadline is over: an event whose id says which deadline it was, so that it can only happen once (R12)."""
    deadline = conversation.snapshot.deadline_at
    if deadline is None or deadline > now or conversation.due_at is not None:
        return False
    paused_until = contacts.row(tx, conversation.contact_id)["paused_until"]
    if paused_until is not None:
        return False
    ladder = flow.states[conversation.snapshot.state].deadline
    event = Event(
        id=derived("timeout", conversation.id, deadline),
        type=EXHAUSTED if ladder and conversation.snapshot.rung >= len(ladder) else TIMEOUT,
        source=Source.CLOCK,
        at=deadline,
    )
    fresh = queue.put(
        tx, event, now, conversation_id=conversation.id, contact_id=conversation.contact_id, outcome="taken"
    )
    if not fresh:
        return False
    decided = decide(tx, runtime, flow, conversation, event, now)
    queue.settle(tx, event.id, now, decided.outcome, decided.reason)
    return True
