"""Pairs of contacts that something says are one person: asked once, decided by a person (R70)."""

from dataclasses import dataclass
from typing import Any

from engine.core.flow import Millis
from engine.store.connection import Tx

__all__ = [
    "DIFFERENT",
    "SAME",
    "Collision",
    "decide",
    "get",
    "inherit",
    "known",
    "of_contact",
    "open_ones",
    "put",
    "waiting",
]

SAME, DIFFERENT = "same", "different"
_COLUMNS = "id, one, other, via, wanted, at, decision, decided_at, decided_by"


@dataclass(frozen=True, slots=True, kw_only=True)
class Collision:
    """One pair, `one` the older contact. `via` is what says that they are one, `wanted` the name that both claim."""

    id: int
    one: int
    other: int
    via: str
    wanted: str
    at: Millis
    decision: str | None
    decided_at: Millis | None
    decided_by: str | None


def known(tx: Tx, one: int, other: int) -> Collision | None:
    """The pair, whatever was decided about it."""
    first, second = sorted((one, other))
    return _one(tx, "one = :one AND other = :other", one=first, other=second)


def put(tx: Tx, one: int, other: int, via: str, wanted: str, now: Millis) -> bool:
    """Ask about a pair, once for ever; False when it was asked before."""
    first, second = sorted((one, other))
    written = tx.value(
        """INSERT INTO collision (one, other, via, wanted, at) VALUES (:one, :other, :via, :wanted, :now)
           ON CONFLICT DO NOTHING RETURNING id""",
        one=first,
        other=second,
        via=via,
        wanted=wanted,
        now=now,
    )
    return written is not None


def get(tx: Tx, collision_id: int) -> Collision | None:
    """One pair, locked where the database can."""
    return _one(tx, f"id = :id{' FOR UPDATE' if tx.dialect == 'postgresql' else ''}", id=collision_id)


def open_ones(tx: Tx, most: int) -> list[Collision]:
    """The pairs that nobody decided about, the oldest first."""
    rows = tx.rows(f"SELECT {_COLUMNS} FROM collision WHERE decision IS NULL ORDER BY at, id LIMIT :most", most=most)
    return [Collision(**row) for row in rows]


def waiting(tx: Tx) -> int:
    """How many pairs nobody decided about."""
    return int(tx.value("SELECT COUNT(*) FROM collision WHERE decision IS NULL"))


def of_contact(tx: Tx, contact_id: int) -> list[Collision]:
    """The undecided pairs of a contact."""
    rows = tx.rows(
        f"""SELECT {_COLUMNS} FROM collision WHERE decision IS NULL AND (one = :id OR other = :id) ORDER BY at, id""",
        id=contact_id,
    )
    return [Collision(**row) for row in rows]


def decide(tx: Tx, collision_id: int, decision: str, by: str, now: Millis) -> None:
    """Keep what was decided."""
    tx.run(
        "UPDATE collision SET decision = :decision, decided_at = :now, decided_by = :by WHERE id = :id",
        id=collision_id,
        decision=decision,
        now=now,
        by=by,
    )


def inherit(tx: Tx, kept: int, gone: int, by: str, now: Millis) -> None:
    """After a merge: the pair itself is decided, and what was asked or decided about `gone` holds for `kept`.

    Where both were asked about with the same third contact, one question is left, undecided if either was.
    """
    pair = known(tx, kept, gone)
    if pair is not None and pair.decision is None:
        decide(tx, pair.id, SAME, by, now)
    rows: list[dict[str, Any]] = tx.rows(
        f"SELECT {_COLUMNS} FROM collision WHERE (one = :gone OR other = :gone) AND one <> :kept AND other <> :kept",
        gone=gone,
        kept=kept,
    )
    for row in rows:
        third = row["other"] if row["one"] == gone else row["one"]
        there = known(tx, kept, third)
        if there is None:
            first, second = sorted((kept, third))
            tx.run(
                "UPDATE collision SET one = :one, other = :other WHERE id = :id", id=row["id"], one=first, other=second
            )
            continue
        tx.run("DELETE FROM collision WHERE id = :id", id=row["id"])
        if row["decision"] is None and there.decision == DIFFERENT:
            tx.run(
                "UPDATE collision SET decision = NULL, decided_at = NULL, decided_by = NULL WHERE id = :id", id=there.id
            )


def _one(tx: Tx, where: str, **params: object) -> Collision | None:
    row = tx.one(f"SELECT {_COLUMNS} FROM collision WHERE {where}", **params)
    return None if row is None else Collision(**row)
