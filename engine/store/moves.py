"""Publishing takes people along: conversations of one version go on with another, all in the publishing transaction.

Nobody is put into a state that the new version lacks, nor left with one to return to (R61). Fields that the new version
adds get their defaults, fields that it no longer has are dropped: those conversations get a row in their chain, because
their snapshot changed (R46). Nothing is sent.
"""

from engine.core.adapting import Adapted
from engine.core.flow import Flow, Millis
from engine.store import conversations
from engine.store.connection import Tx
from engine.store.journal import Record

__all__ = ["move"]

_MOVABLE = """flow = :slug AND flow_version = :old AND followed_by IS NULL AND state IN :states
  AND (previous IS NULL OR previous IN :states)"""


def move(tx: Tx, flow: Flow, *, old: int, number: int, adapted: Adapted | None, now: Millis) -> int:
    """Take everybody from version `old` to `number` who can go; returns how many went.

    `adapted` gives a context as the new version knows it; None when both know the same fields.
    """
    names: dict[str, object] = {"slug": flow.slug, "old": old, "states": sorted(flow.states)}
    moved = [
        int(row["id"])
        for row in tx.rows(
            f"UPDATE conversation SET flow_version = :number, version = version + 1 WHERE {_MOVABLE} RETURNING id",
            number=number,
            **names,
        )
    ]
    if adapted is not None:
        hidden = frozenset(field.name for field in flow.context.values() if field.sensitive)
        for conversation_id in sorted(moved):
            _adapt(tx, conversation_id, number=number, adapted=adapted, hidden=hidden, now=now)
    return len(moved)


def _adapt(tx: Tx, conversation_id: int, *, number: int, adapted: Adapted, hidden: frozenset[str], now: Millis) -> None:
    conversation = conversations.load(tx, conversation_id)
    if conversation is None:
        return
    before = conversation.snapshot
    context = adapted(before.context)
    if context == before.context:
        return
    after = type(before)(**{**{name: getattr(before, name) for name in before.__slots__}, "context": context})
    facts = {"flow_version": number, "after": conversations.moment(after, hidden)}
    conversations.save(
        tx,
        conversation,
        after,
        now,
        [Record(outcome="note", reason="new_version", frm=before.state, to=after.state, facts=facts)],
        due_at=conversation.due_at,
        oldest_pending_at=conversation.oldest_pending_at,
        attention=conversation.attention,
    )
