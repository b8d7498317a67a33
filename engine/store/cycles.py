"""A person's cycles: the current one of each flow, what took the place of what, and where a purchase was made (R71)."""

from collections.abc import Collection
from dataclasses import dataclass

from engine.store.connection import Tx
from engine.store.conversations import COLUMNS, Conversation, conversation, load

__all__ = ["Answered", "answered", "current", "earlier", "of_purchase", "succeed"]


@dataclass(frozen=True, slots=True)
class Answered:
    """Whose message of ours somebody answers: the contact that it went to, and the cycle that it belongs to now."""

    contact_id: int
    cycle: int


def answered(tx: Tx, named: Collection[tuple[int, str]]) -> dict[tuple[int, str], Answered]:
    """The messages of ours among these (channel, the platform's id)."""
    if not named:
        return {}
    rows = tx.rows(
        """SELECT o.channel_id, o.provider_id, c.contact_id, COALESCE(c.followed_by, c.id) AS cycle
           FROM outbox o JOIN conversation c ON c.id = o.conversation_id
           WHERE o.channel_id IN :channels AND o.provider_id IN :ids ORDER BY o.id DESC""",
        channels=sorted({channel for channel, _ in named}),
        ids=sorted({provider_id for _, provider_id in named}),
    )
    return {(row["channel_id"], row["provider_id"]): Answered(row["contact_id"], row["cycle"]) for row in rows}


def current(tx: Tx, contact_id: int) -> list[Conversation]:
    """The contact's current cycles, one a flow, locked; the oldest first."""
    suffix = " FOR UPDATE" if tx.dialect == "postgresql" else ""
    rows = tx.rows(
        f"""SELECT {COLUMNS} FROM conversation c WHERE c.contact_id = :contact AND c.followed_by IS NULL
            ORDER BY c.id{suffix}""",
        contact=contact_id,
    )
    return [conversation(row) for row in rows]


def succeed(tx: Tx, old: int, new: int) -> None:
    """A newer cycle takes the place of an old one, and of those whose place that one had taken."""
    tx.run(
        "UPDATE conversation SET followed_by = :new, version = version + 1 WHERE id = :old OR followed_by = :old",
        old=old,
        new=new,
    )


def of_purchase(tx: Tx, business_keys: Collection[str]) -> Conversation | None:
    """The cycle that took the latest event of a purchase, by the keys that its events may have, locked."""
    if not business_keys:
        return None
    found = tx.value(
        """SELECT conversation_id FROM event WHERE business_key IN :keys AND conversation_id IS NOT NULL
           ORDER BY received_at DESC, id LIMIT 1""",
        keys=list(business_keys),
    )
    return None if found is None else load(tx, int(found))


def earlier(tx: Tx, conversation_id: int, contact_id: int, flow: str) -> int | None:
    """The contact's latest cycle of the flow before this one."""
    found = tx.value(
        """SELECT id FROM conversation WHERE contact_id = :contact AND flow = :flow AND id < :id
           ORDER BY id DESC LIMIT 1""",
        contact=contact_id,
        flow=flow,
        id=conversation_id,
    )
    return None if found is None else int(found)
