"""Requests for approval as they lie in the database, beside the conversations and letters that they are about."""

from collections.abc import Collection
from dataclasses import dataclass

from engine.store.connection import Tx

__all__ = ["Released", "Request", "count", "released", "standing", "waiting_elsewhere"]


@dataclass(frozen=True, slots=True)
class Request:
    """A conversation that waits for a person, and the newest request of its stay there; None when there is none."""

    conversation_id: int
    deadline_at: int | None
    status: str | None


@dataclass(frozen=True, slots=True)
class Released:
    """A letter that an approval asked for, with what the request says; None when there is no such request."""

    id: int
    action: str
    payload: str
    status: str | None
    content: str | None
    sha256: str | None


def count(tx: Tx) -> int:
    """Requests that wait."""
    return int(tx.value("SELECT count(*) FROM approval WHERE status = 'pending'"))


def waiting_elsewhere(tx: Tx) -> list[int]:
    """Requests that wait for a stay that is over."""
    rows = tx.rows(
        """SELECT a.id FROM approval a LEFT JOIN conversation c ON c.id = a.conversation_id AND c.state = a.state
             AND c.entered_at = a.entered_at AND c.followed_by IS NULL
           WHERE a.status = 'pending' AND c.id IS NULL ORDER BY a.id"""
    )
    return [int(row["id"]) for row in rows]


def standing(tx: Tx, flow: str, number: int, states: Collection[str]) -> list[Request]:
    """Every current conversation of a version in one of these states."""
    rows = tx.rows(
        """SELECT c.id AS conversation_id, c.deadline_at, (SELECT a.status FROM approval a
             WHERE a.conversation_id = c.id AND a.state = c.state AND a.entered_at = c.entered_at
             ORDER BY a.id DESC LIMIT 1) AS status
           FROM conversation c WHERE c.flow = :flow AND c.flow_version = :number AND c.state IN :states
             AND c.followed_by IS NULL ORDER BY c.id""",
        flow=flow,
        number=number,
        states=list(states),
    )
    return [Request(**row) for row in rows]


def released(tx: Tx) -> list[Released]:
    """Every letter that an approval asked for and that was not kept from leaving."""
    rows = tx.rows(
        """SELECT o.id, o.action, o.payload, a.status, a.content, a.sha256 FROM outbox o
           LEFT JOIN approval a ON a.id = o.approval_id AND a.conversation_id = o.conversation_id
           WHERE o.approval_id IS NOT NULL AND o.status NOT IN ('suppressed', 'cancelled') ORDER BY o.id"""
    )
    return [Released(**row) for row in rows]
