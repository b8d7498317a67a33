"""Messages on their way out: written with the decision, claimed by one sender at a time, settled once (R25, R27)."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.core.canonical import canonical
from engine.core.flow import Millis
from engine.store import findable
from engine.store.connection import Tx
from engine.store.findable import Text, words_of

COLUMNS = """id, conversation_id, contact_id, channel_id, event_id, action, part, parts, cause, is_global,
 confirms_opt_out, critical, state, payload, as_template, once_key, key, status, reason, created_at, due_at,
 lease_until, attempt, tried_at, provider_id, sent_at, delivery, delivery_at, error_code, author, approval_id"""
RANK = {"pending": 0, "sent": 1, "delivered": 2, "read": 3, "played": 4, "failed": 5}


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """A message to be sent. `payload`: text, template, buttons, menu, media. `cause` is the source of its event."""

    action: str
    cause: str
    state: str
    payload: Mapping[str, object]
    part: int = 1
    parts: int = 1
    is_global: bool = False
    confirms_opt_out: bool = False
    critical: bool = False
    once_key: str | None = None
    key: str | None = None
    as_template: bool = False
    status: str = "pending"
    reason: str | None = None
    event_id: str | None = None
    author: str | None = None
    approval_id: int | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """A stored letter."""

    id: int
    conversation_id: int
    contact_id: int
    channel_id: int | None
    event_id: str | None
    action: str
    part: int
    parts: int
    cause: str
    is_global: bool
    confirms_opt_out: bool
    critical: bool
    state: str
    payload: Mapping[str, object]
    as_template: bool
    once_key: str | None
    key: str | None
    status: str
    reason: str | None
    created_at: Millis
    due_at: Millis
    lease_until: Millis
    attempt: int
    tried_at: Millis | None
    provider_id: str | None
    sent_at: Millis | None
    delivery: str | None
    delivery_at: Millis | None
    error_code: int | None
    author: str | None
    approval_id: int | None = None

    @property
    def label(self) -> str:
        """How the log and the scenarios name what left."""
        return f"template:{self.action}" if self.as_template else self.action


def put(
    tx: Tx, letter: Letter, conversation_id: int, contact_id: int, channel_id: int | None, now: Millis
) -> int | None:
    """Write a letter; its id, or None when its once-key was used before (never twice, R40)."""
    written = tx.value(
        """INSERT INTO outbox (conversation_id, contact_id, channel_id, event_id, action, part, parts, cause, is_global,
             confirms_opt_out, critical, state, payload, as_template, once_key, key, status, reason, created_at, due_at,
             lease_until, attempt, author, approval_id)
           VALUES (:conversation, :contact, :channel, :event, :action, :part, :parts, :cause, :global, :confirms,
             :critical, :state, :payload, :template, :once, :key, :status, :reason, :now, :now, 0, 0, :author, :approval)
           ON CONFLICT DO NOTHING RETURNING id""",
        conversation=conversation_id,
        contact=contact_id,
        channel=channel_id,
        event=letter.event_id,
        action=letter.action,
        part=letter.part,
        parts=letter.parts,
        cause=letter.cause,
        **{"global": letter.is_global, "template": letter.as_template},
        confirms=letter.confirms_opt_out,
        critical=letter.critical,
        state=letter.state,
        payload=canonical(letter.payload),
        once=letter.once_key,
        key=letter.key,
        status=letter.status,
        reason=letter.reason,
        now=now,
        author=letter.author,
        approval=letter.approval_id,
    )
    if written is None:
        return None
    findable.add(tx, [Text(contact_id, conversation_id, "out", written, words_of(letter.payload))])
    return int(written)


def once_used(tx: Tx, conversation_id: int, once_key: str) -> bool:
    """Whether an action with this key was asked for before."""
    return (
        tx.value(
            "SELECT 1 FROM outbox WHERE conversation_id = :id AND once_key = :key", id=conversation_id, key=once_key
        )
        is not None
    )


def get(tx: Tx, outbox_id: int) -> Row | None:
    """One row."""
    return _one(tx, "id = :id", id=outbox_id)


def by_provider(tx: Tx, channel_id: int, provider_id: str) -> Row | None:
    """The row that the platform calls by this id."""
    return _one(tx, "channel_id = :channel AND provider_id = :provider", channel=channel_id, provider=provider_id)


def waiting(tx: Tx, conversation_id: int) -> list[Row]:
    """Everything of a conversation that is not settled, in order."""
    return select(
        tx, "conversation_id = :id AND status IN ('pending', 'sending', 'uncertain') ORDER BY id", id=conversation_id
    )


def withheld(tx: Tx, contact_id: int) -> list[Row]:
    """What a pause holds back for a contact."""
    return select(tx, "contact_id = :id AND status = 'held' AND reason = 'paused' ORDER BY id", id=contact_id)


def claim(tx: Tx, row: Row, now: Millis, until: Millis, contact_id: int, *, as_template: bool) -> bool:
    """Take a pending row for one attempt to write to this contact; False when it is not pending any more."""
    return (
        tx.value(
            """UPDATE outbox SET status = 'sending', attempt = attempt + 1, lease_until = :until, tried_at = :now,
                 contact_id = :contact, as_template = :template
               WHERE id = :id AND status = 'pending' AND attempt = :attempt RETURNING id""",
            id=row.id,
            now=now,
            contact=contact_id,
            until=until,
            attempt=row.attempt,
            template=as_template,
        )
        is not None
    )


def settle(
    tx: Tx,
    row_id: int,
    status: str,
    *,
    attempt: int | None = None,
    was: str | None = None,
    ask_at: Millis | None = None,
    **changes: object,
) -> bool:
    """Give an attempt its result. With `attempt` only if that attempt is still the one on the wire (fence), with `was`
    only if that is still its status; False if not. Nobody asks the channel about it before `ask_at`, or ever.
    """
    allowed = {"reason", "provider_id", "sent_at", "due_at", "lease_until", "error_code", "delivery", "delivery_at"}
    unknown = set(changes) - allowed
    if unknown:
        raise KeyError(sorted(unknown))
    sets = "".join(f", {name} = :{name}" for name in sorted(changes))
    fence = "" if attempt is None else " AND status = 'sending' AND attempt = :attempt"
    numbers: dict[str, object] = {} if attempt is None else {"attempt": attempt}
    if was is not None:
        fence, numbers = f"{fence} AND status = :was", {**numbers, "was": was}
    return (
        tx.value(
            f"UPDATE outbox SET status = :status, ask_at = :ask_at{sets} WHERE id = :id{fence} RETURNING id",
            id=row_id,
            status=status,
            ask_at=ask_at,
            **changes,
            **numbers,
        )
        is not None
    )


def supersede(tx: Tx, conversation_id: int, *, causes: Iterable[str] | None = None) -> list[Row]:
    """Rows that wait or are held back and that a newer event makes wrong (R36): all but global ones and a person's own, or only
    those of the given causes.
    """
    wanted = None if causes is None else frozenset(causes)
    rows = select(
        tx,
        "conversation_id = :id AND status IN ('pending', 'held') AND cause <> 'operator' ORDER BY id",
        id=conversation_id,
    )
    return [r for r in rows if not r.is_global and (wanted is None or r.cause in wanted)]


def unasked_since(tx: Tx, since: Millis, causes: Iterable[str]) -> list[Row]:
    """Letters of these causes that have not left, by conversation in their order, of each conversation that got one of
    them since then: an older one was held up with it.
    """
    waits = "status = 'pending' AND attempt = 0 AND cause IN :causes"
    return select(
        tx,
        f"""{waits} AND conversation_id IN (SELECT conversation_id FROM outbox WHERE {waits} AND created_at >= :since)
            ORDER BY conversation_id, id""",
        since=since,
        causes=tuple(causes),
    )


def _one(tx: Tx, where: str, **params: object) -> Row | None:
    found = tx.one(f"SELECT {COLUMNS} FROM outbox WHERE {where} ORDER BY id LIMIT 1", **params)
    return None if found is None else _row(found)


def select(tx: Tx, where: str, **params: object) -> list[Row]:
    """Rows by a condition of the store's own."""
    return [_row(found) for found in tx.rows(f"SELECT {COLUMNS} FROM outbox WHERE {where}", **params)]


def _row(found: Mapping[str, Any]) -> Row:
    plain = dict(found)
    plain["payload"] = json.loads(plain["payload"])
    for name in ("is_global", "confirms_opt_out", "critical", "as_template"):
        plain[name] = bool(plain[name])
    return Row(**plain)
