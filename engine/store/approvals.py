"""Requests for a person's approval: one waits in a conversation at most; two who decide at once are told apart here."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.core.approval import Bubble, digest_of, packed, unpacked
from engine.core.canonical import canonical
from engine.core.flow import Millis
from engine.store.connection import Tx

__all__ = [
    "APPROVED", "EXPIRED", "PENDING", "REJECTED", "REPLACED", "WITHDRAWN", "Approval", "add", "count", "end", "extend", "flows", "get", "latest", "marks",
    "of_flow", "pending", "pending_of", "release", "standing",
]  # fmt: skip

PENDING, APPROVED, REJECTED = "pending", "approved", "rejected"
EXPIRED, WITHDRAWN, REPLACED = "expired", "withdrawn", "replaced"
_COLUMNS = """a.id, a.conversation_id, a.flow, a.flow_version, a.state, a.entered_at, a.transition, a.content, a.original,
 a.sha256, a.approvers, a.status, a.decided_by, a.reason, a.extended_by, a.created_at, a.decided_at"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """One request. `transition` is the arrow that would send the `content`, "" when there is none."""

    id: int = 0
    conversation_id: int
    flow: str
    flow_version: int
    state: str
    entered_at: Millis
    transition: str
    content: tuple[Bubble, ...]
    original: tuple[Bubble, ...] = ()
    sha256: str
    approvers: tuple[str, ...]
    status: str = PENDING
    decided_by: str = ""
    reason: str = ""
    extended_by: str = ""
    created_at: Millis
    decided_at: Millis | None = None


def add(tx: Tx, made: Approval) -> int:
    """Let one wait; its id."""
    return int(
        tx.value(
            """INSERT INTO approval (conversation_id, flow, flow_version, state, entered_at, transition, content, original,
                 sha256, approvers, status, decided_by, reason, extended_by, created_at)
               VALUES (:conversation, :flow, :version, :state, :entered, :transition, :content, '', :sha256, :approvers,
                 'pending', '', '', :extended, :created) RETURNING id""",
            conversation=made.conversation_id,
            flow=made.flow,
            version=made.flow_version,
            state=made.state,
            entered=made.entered_at,
            transition=made.transition,
            content=packed(made.content),
            sha256=made.sha256,
            approvers=canonical(made.approvers),
            extended=made.extended_by,
            created=made.created_at,
        )
    )


def get(tx: Tx, approval_id: int) -> Approval | None:
    """One of them."""
    return _one(tx, "a.id = :id", id=approval_id)


def pending_of(tx: Tx, conversation_id: int) -> Approval | None:
    """The one that waits in a conversation."""
    return _one(tx, "a.conversation_id = :id AND a.status = 'pending'", id=conversation_id)


def latest(tx: Tx, conversation_id: int) -> Approval | None:
    """The newest one of a conversation, whatever became of it."""
    return _one(tx, "a.conversation_id = :id ORDER BY a.id DESC LIMIT 1", id=conversation_id)


def pending(tx: Tx, flow: str | None, most: int) -> list[Approval]:
    """Those that wait, of one flow or of all, the oldest first."""
    where = "" if flow is None else " AND a.flow = :flow"
    return _all(tx, f"a.status = 'pending'{where} ORDER BY a.created_at, a.id LIMIT :most", flow=flow, most=most)


def count(tx: Tx, flow: str | None = None) -> int:
    """How many wait, of one flow or of all."""
    where = "" if flow is None else " AND flow = :flow"
    return int(tx.value(f"SELECT count(*) FROM approval WHERE status = 'pending'{where}", flow=flow))


def flows(tx: Tx) -> list[str]:
    """The flows in which one waits."""
    return [
        str(row["flow"]) for row in tx.rows("SELECT DISTINCT flow FROM approval WHERE status = 'pending' ORDER BY flow")
    ]


def marks(tx: Tx) -> tuple[int, int, int]:
    """Three numbers that are others once a request came, ended or was given more time."""
    row = tx.one(
        """SELECT COALESCE(MAX(id), 0) AS newest, COUNT(*) AS waiting, COUNT(NULLIF(extended_by, '')) AS extended
           FROM approval WHERE status = 'pending'"""
    )
    return (0, 0, 0) if row is None else (int(row["newest"]), int(row["waiting"]), int(row["extended"]))


def of_flow(tx: Tx, flow: str) -> list[int]:
    """The conversations of a flow in which one waits."""
    rows = tx.rows(
        "SELECT conversation_id FROM approval WHERE status = 'pending' AND flow = :flow ORDER BY id", flow=flow
    )
    return [int(row["conversation_id"]) for row in rows]


def standing(tx: Tx, flow: str, number: int, states: Sequence[str]) -> list[int]:
    """The current conversations of a version in these states."""
    if not states:
        return []
    rows = tx.rows(
        """SELECT id FROM conversation WHERE flow = :flow AND flow_version = :number AND state IN :states
           AND followed_by IS NULL ORDER BY id""",
        flow=flow,
        number=number,
        states=list(states),
    )
    return [int(row["id"]) for row in rows]


def end(tx: Tx, approval_id: int, status: str, now: Millis, *, by: str = "", reason: str = "") -> bool:
    """Give one that waits its end; of two at once, one gets True."""
    found = tx.value(
        """UPDATE approval SET status = :status, decided_by = :by, reason = :reason, decided_at = :now
           WHERE id = :id AND status = 'pending' RETURNING id""",
        id=approval_id,
        status=status,
        by=by,
        reason=reason,
        now=now,
    )
    return found is not None


def release(tx: Tx, made: Approval, content: Sequence[Bubble], now: Millis, *, by: str) -> bool:
    """Approve `content`, which may be an edited one: the original is kept then. False when it does not wait any more."""
    if not end(tx, made.id, APPROVED, now, by=by):
        return False
    if tuple(content) != made.content:
        tx.run(
            "UPDATE approval SET content = :content, original = :original, sha256 = :sha256 WHERE id = :id",
            id=made.id,
            content=packed(content),
            original=packed(made.content),
            sha256=digest_of(content),
        )
    return True


def extend(tx: Tx, approval_id: int, by: str) -> bool:
    """Note that somebody asked for more time; True the first time only."""
    found = tx.value(
        """UPDATE approval SET extended_by = :by WHERE id = :id AND status = 'pending' AND extended_by = ''
           RETURNING id""",
        id=approval_id,
        by=by,
    )
    return found is not None


def _one(tx: Tx, where: str, **params: object) -> Approval | None:
    found = _all(tx, where, **params)
    return found[0] if found else None


def _all(tx: Tx, where: str, **params: object) -> list[Approval]:
    return [_approval(row) for row in tx.rows(f"SELECT {_COLUMNS} FROM approval a WHERE {where}", **params)]


def _approval(row: Mapping[str, Any]) -> Approval:
    parsed: dict[str, Any] = {
        "content": unpacked(json.loads(row["content"])),
        "original": unpacked(json.loads(row["original"] or "[]")),
        "approvers": tuple(json.loads(row["approvers"])),
    }
    return Approval(**{**row, **parsed})
