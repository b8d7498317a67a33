"""The changes of drafts, so that each person can take back their own, in order, as long as they are kept."""

from dataclasses import dataclass

from engine.core.flow import Millis
from engine.store.connection import Tx

__all__ = ["KEPT", "Change", "add", "after", "drop", "last", "one", "turn", "undone"]

KEPT = 300
"""How many changes of one person in one draft can be taken back."""
_CHANGE = "SELECT id, flow, who, at, made, undone, what, patch FROM draft_change"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One change; `what` and `patch` are JSON texts. See `engine.store.tables.editing`."""

    id: int
    flow: str
    who: str
    at: Millis
    made: int
    undone: int
    what: str
    patch: str


def add(tx: Tx, *, flow: str, who: str, at: Millis, made: int, what: str, patch: str) -> None:
    """A new change of somebody: what they had taken back before can be made again no more, and the oldest are let go."""
    tx.run("DELETE FROM draft_change WHERE flow = :flow AND who = :who AND undone > 0", flow=flow, who=who)
    tx.run(
        "INSERT INTO draft_change (flow, who, at, made, undone, what, patch)"
        " VALUES (:flow, :who, :at, :made, 0, :what, :patch)",
        flow=flow,
        who=who,
        at=at,
        made=made,
        what=what,
        patch=patch,
    )
    tx.run(
        "DELETE FROM draft_change WHERE flow = :flow AND who = :who AND made <= (SELECT made FROM draft_change"
        " WHERE flow = :flow AND who = :who ORDER BY made DESC LIMIT 1 OFFSET :kept)",
        flow=flow,
        who=who,
        kept=KEPT,
    )


def last(tx: Tx, flow: str, who: str) -> Change | None:
    """The newest change of somebody that holds: the one to take back."""
    row = tx.one(
        f"{_CHANGE} WHERE flow = :flow AND who = :who AND undone = 0 ORDER BY made DESC LIMIT 1", flow=flow, who=who
    )
    return None if row is None else Change(**row)


def undone(tx: Tx, flow: str, who: str) -> Change | None:
    """The change of somebody that was taken back last: the one to make again."""
    row = tx.one(
        f"{_CHANGE} WHERE flow = :flow AND who = :who AND undone > 0 ORDER BY undone DESC, made LIMIT 1",
        flow=flow,
        who=who,
    )
    return None if row is None else Change(**row)


def one(tx: Tx, flow: str, who: str, ident: int) -> Change | None:
    """A change of somebody by its number."""
    row = tx.one(f"{_CHANGE} WHERE flow = :flow AND who = :who AND id = :id", flow=flow, who=who, id=ident)
    return None if row is None else Change(**row)


def turn(tx: Tx, ident: int, *, revision: int, back: bool, patch: str) -> None:
    """The change was taken back, or made again, as that revision; `patch` is what makes it, or takes it back, now."""
    columns = "undone = :revision" if back else "made = :revision, undone = 0"
    tx.run(
        f"UPDATE draft_change SET {columns}, patch = :patch WHERE id = :id", revision=revision, patch=patch, id=ident
    )


def drop(tx: Tx, flow: str, who: str, ident: int) -> None:
    """Let a change of somebody stand as it is: it is not taken back any more."""
    tx.run("DELETE FROM draft_change WHERE flow = :flow AND who = :who AND id = :id", flow=flow, who=who, id=ident)


def after(tx: Tx, flow: str, who: str, revision: int) -> list[Change]:
    """What other people changed since a revision, the newest first."""
    rows = tx.rows(
        f"{_CHANGE} WHERE flow = :flow AND who <> :who AND (made > :revision OR undone > :revision)"
        " ORDER BY at DESC, id DESC LIMIT 50",
        flow=flow,
        who=who,
        revision=revision,
    )
    return [Change(**row) for row in rows]
