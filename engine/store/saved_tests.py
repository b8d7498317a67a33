"""Tests of a flow that somebody kept: a scenario each, under a name of its own."""

from dataclasses import dataclass

from engine.core.flow import Millis
from engine.store.connection import Tx

__all__ = ["SavedTest", "add", "delete", "get", "of", "rename"]

_COLUMNS = "SELECT id, flow, name, document, who, at FROM saved_test"


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedTest:
    """One test's row; `document` is a scenario as JSON, without its flow."""

    id: int
    flow: str
    name: str
    document: str
    who: str
    at: Millis


def add(tx: Tx, *, flow: str, name: str, document: str, who: str, now: Millis) -> int | None:
    """Keep a test; its id, or None when the flow has one of this name."""
    made = tx.value(
        """INSERT INTO saved_test (flow, name, document, who, at) VALUES (:flow, :name, :document, :who, :now)
           ON CONFLICT DO NOTHING RETURNING id""",
        flow=flow,
        name=name,
        document=document,
        who=who,
        now=now,
    )
    return None if made is None else int(made)


def of(tx: Tx, flow: str) -> list[SavedTest]:
    """The tests of a flow, by name."""
    return [SavedTest(**row) for row in tx.rows(f"{_COLUMNS} WHERE flow = :flow ORDER BY name, id", flow=flow)]


def get(tx: Tx, flow: str, test_id: int) -> SavedTest | None:
    """One test of a flow."""
    row = tx.one(f"{_COLUMNS} WHERE id = :id AND flow = :flow", id=test_id, flow=flow)
    return None if row is None else SavedTest(**row)


def rename(tx: Tx, flow: str, test_id: int, name: str) -> bool:
    """Call it otherwise; False when it is not there. Raises Conflict when another one is called so."""
    sql = "UPDATE saved_test SET name = :name WHERE id = :id AND flow = :flow RETURNING id"
    return tx.value(sql, name=name, id=test_id, flow=flow) is not None


def delete(tx: Tx, flow: str, test_id: int) -> bool:
    """Let go of it; False when it is not there."""
    sql = "DELETE FROM saved_test WHERE id = :id AND flow = :flow RETURNING id"
    return tx.value(sql, id=test_id, flow=flow) is not None
