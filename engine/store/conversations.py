"""Conversations: opening, reading under the lock, and the one guarded write (R25, R26)."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from engine.core.canonical import canonical
from engine.core.errors import StaleConversation
from engine.core.events import Snapshot
from engine.core.flow import Millis, Value
from engine.store.connection import Tx
from engine.store.journal import About, Record, append, linked

COLUMNS = """c.id, c.contact_id, c.channel_id, c.flow, c.flow_version, c.state, c.previous, c.context, c.entered_at,
 c.deadline_at, c.armed_at, c.rung, c.last_inbound_at, c.oldest_pending_at, c.due_at, c.version, c.log_n, c.log_hash,
 c.attention, c.replies_in_state, c.opened_at, c.active_at, c.followed_by, c.salt"""
_SALT = {
    "sqlite": "lower(hex(randomblob(16)))",
    "postgresql": "replace(CAST(gen_random_uuid() AS text), '-', '')",
}
"""A secret of 128 or 122 bits that nobody but the row has."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation's row as it was read, with its snapshot. `followed_by` is set once another cycle took its place.
    `salt` is the secret of its chain, gone when the person was erased.
    """

    id: int
    contact_id: int
    channel_id: int | None
    flow: str
    flow_version: int
    snapshot: Snapshot
    oldest_pending_at: Millis | None
    due_at: Millis | None
    version: int
    log_n: int
    log_hash: str
    attention: str | None
    replies_in_state: int
    active_at: Millis
    followed_by: int | None
    salt: str

    @property
    def about(self) -> About:
        """For the log."""
        return About(conversation_id=self.id, contact_id=self.contact_id, channel_id=self.channel_id, salt=self.salt)


_PLAIN = tuple(name for name in Conversation.__slots__ if name != "snapshot")


def load(tx: Tx, conversation_id: int, *, lock: bool = True) -> Conversation | None:
    """The conversation, locked until the transaction ends where the database can; the version is what protects."""
    suffix = " FOR UPDATE" if lock and tx.dialect == "postgresql" else ""
    row = tx.one(f"SELECT {COLUMNS} FROM conversation c WHERE c.id = :id{suffix}", id=conversation_id)
    return None if row is None else conversation(row)


def newest(tx: Tx, contact_id: int, flow: str) -> Conversation | None:
    """The contact's current cycle in a flow, locked."""
    suffix = " FOR UPDATE" if tx.dialect == "postgresql" else ""
    row = tx.one(
        f"""SELECT {COLUMNS} FROM conversation c WHERE c.contact_id = :contact AND c.flow = :flow
            AND c.followed_by IS NULL ORDER BY c.id DESC LIMIT 1{suffix}""",
        contact=contact_id,
        flow=flow,
    )
    return None if row is None else conversation(row)


def live_version(tx: Tx, flow: str) -> int | None:
    """The version that new conversations of a flow begin on; None before its first publication and while archived."""
    found = tx.value("SELECT live FROM flow WHERE slug = :slug AND archived_at IS NULL", slug=flow)
    return None if found is None else int(found)


def open_cycle(
    tx: Tx,
    contact_id: int,
    channel_id: int | None,
    flow: str,
    number: int,
    opening: Snapshot,
    now: Millis,
    *,
    hidden: frozenset[str] = frozenset(),
    why: Mapping[str, object] | None = None,
) -> Conversation:
    """Begin a cycle (R71); its chain starts with the snapshot that it opened with, and `why` it was opened."""
    made = (
        tx.one(
            f"""INSERT INTO conversation (contact_id, channel_id, flow, flow_version, state, previous, context,
                 entered_at, deadline_at, armed_at, rung, last_inbound_at, lease_until, send_lease_until, version,
                 log_n, log_hash, replies_in_state, opened_at, updated_at, active_at, salt)
               VALUES (:contact, :channel, :flow, :number, :state, NULL, :context, :now, :deadline, :now, :rung, 0, 0, 0,
                 0, 0, '', 0, :now, :now, :now, {_SALT[tx.dialect]}) RETURNING id, salt""",
            contact=contact_id,
            channel=channel_id,
            flow=flow,
            number=number,
            state=opening.state,
            context=canonical(opening.context),
            now=now,
            deadline=opening.deadline_at,
            rung=opening.rung,
        )
        or {}
    )
    conversation = Conversation(
        id=int(made["id"]),
        contact_id=contact_id,
        channel_id=channel_id,
        flow=flow,
        flow_version=number,
        snapshot=opening,
        oldest_pending_at=None,
        due_at=None,
        version=0,
        log_n=0,
        log_hash="",
        attention=None,
        replies_in_state=0,
        active_at=now,
        followed_by=None,
        salt=str(made["salt"]),
    )
    entry = Record(
        outcome="note",
        reason="opened",
        to=opening.state,
        facts={**(why or {}), "flow": flow, "flow_version": number, "after": moment(opening, hidden)},
    )
    return save(tx, conversation, opening, now, [entry])


def save(
    tx: Tx,
    conversation: Conversation,
    after: Snapshot,
    now: Millis,
    entries: list[Record],
    *,
    due_at: Millis | None = None,
    oldest_pending_at: Millis | None = None,
    attention: str | None = None,
    replies_in_state: int | None = None,
    rearmed: bool = False,
    active: bool = False,
) -> Conversation:
    """The one guarded write: snapshot, deadline and log rows together, if the version is still the one that was read.

    Raises StaleConversation when somebody else was first (R26).
    """
    rows = linked(now, conversation.about, entries, conversation.log_n, conversation.log_hash)
    head = str(rows[-1]["hash"]) if rows else conversation.log_hash
    n = conversation.log_n + len(rows)
    written = tx.value(
        """UPDATE conversation SET state = :state, previous = :previous, context = :context, entered_at = :entered,
             deadline_at = :deadline, armed_at = CASE WHEN :rearmed = 1 THEN :now ELSE armed_at END, rung = :rung,
             last_inbound_at = :inbound, due_at = :due, oldest_pending_at = :oldest, attention = :attention,
             replies_in_state = :replies, log_n = :n, log_hash = :head, version = version + 1, lease_until = 0,
             updated_at = :now, active_at = CASE WHEN :active = 1 THEN :now ELSE active_at END
           WHERE id = :id AND version = :version RETURNING version""",
        id=conversation.id,
        version=conversation.version,
        state=after.state,
        previous=after.previous,
        context=canonical(after.context),
        entered=after.entered_at,
        deadline=after.deadline_at,
        rearmed=1 if rearmed else 0,
        active=1 if active else 0,
        now=now,
        rung=after.rung,
        inbound=after.last_inbound_at,
        due=due_at,
        oldest=oldest_pending_at,
        attention=attention,
        replies=conversation.replies_in_state if replies_in_state is None else replies_in_state,
        n=n,
        head=head,
    )
    if written is None:
        raise StaleConversation
    append(tx, rows)
    return replace(
        conversation,
        snapshot=after,
        oldest_pending_at=oldest_pending_at,
        due_at=due_at,
        version=int(written),
        log_n=n,
        log_hash=head,
        attention=attention,
        replies_in_state=conversation.replies_in_state if replies_in_state is None else replies_in_state,
        active_at=now if active else conversation.active_at,
    )


def latest_id(tx: Tx, contact_id: int) -> int | None:
    """The contact's current cycle, of any flow, in which something was said last."""
    found = tx.value(
        """SELECT id FROM conversation WHERE contact_id = :id AND followed_by IS NULL
           ORDER BY active_at DESC, id DESC LIMIT 1""",
        id=contact_id,
    )
    return None if found is None else int(found)


def moment(snapshot: Snapshot, hidden: frozenset[str] = frozenset()) -> dict[str, Any]:
    """A snapshot as the log keeps it; sensitive fields never enter it (R45)."""
    return {
        "state": snapshot.state,
        "previous": snapshot.previous,
        "context": {name: value for name, value in snapshot.context.items() if name not in hidden},
        "deadline_at": snapshot.deadline_at,
        "rung": snapshot.rung,
        "entered_at": snapshot.entered_at,
        "last_inbound_at": snapshot.last_inbound_at,
    }


def values(text: str) -> dict[str, Value]:
    """Context values from their stored form; lists come back as tuples."""
    loaded: Mapping[str, object] = json.loads(text)
    return {name: tuple(v) if isinstance(v, list) else v for name, v in loaded.items()}  # type: ignore[misc]  # JSON


def conversation(row: Mapping[str, Any]) -> Conversation:
    """A row with COLUMNS as a conversation."""
    plain = dict(row)
    snapshot = Snapshot(
        state=plain["state"],
        previous=plain["previous"],
        context=values(plain["context"]),
        deadline_at=plain["deadline_at"],
        rung=plain["rung"],
        entered_at=plain["entered_at"],
        last_inbound_at=plain["last_inbound_at"],
    )
    return Conversation(snapshot=snapshot, **{name: plain[name] for name in _PLAIN})
