"""Conversations that stand somewhere, for tests of publications; real ones, so that the doctor finds nothing."""

from engine.core.events import Snapshot
from engine.store import conversations
from engine.store.journal import Record


async def stand(runtime, state, *, version=1, previous=None, context=None, slug="pequeno", wait=500):
    """A person with a conversation that opened in a state."""
    now = runtime.clock.now()
    snapshot = Snapshot(
        state=state,
        previous=previous,
        context=context if context is not None else {"toques": 2},
        deadline_at=now + wait,
        rung=1,
        entered_at=now,
        last_inbound_at=0,
    )

    def unit(tx):
        contact = tx.value(
            "INSERT INTO contact (name, tags, created_at) VALUES ('Ana', '[]', :now) RETURNING id", now=now
        )
        opened = conversations.open_cycle(tx, contact, None, slug, version, snapshot, now)
        entry = Record(outcome="note", reason="stood", facts={"after": conversations.moment(snapshot)})
        conversations.save(tx, opened, snapshot, now, [entry])
        return opened.id

    return await runtime.store.write("k", unit)


async def row(runtime, conversation_id):
    """The conversation's row."""
    return await runtime.store.read(lambda tx: tx.one("SELECT * FROM conversation WHERE id = :id", id=conversation_id))


async def last_log(runtime, conversation_id):
    """The newest row of its chain."""
    return await runtime.store.read(
        lambda tx: tx.one("SELECT * FROM log WHERE conversation_id = :id ORDER BY n DESC LIMIT 1", id=conversation_id)
    )
