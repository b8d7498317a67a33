"""Conversations as results of a search: whose they are, where they stand, when something last happened."""

from collections.abc import Collection, Iterable
from typing import Any

from engine.store.connection import Tx

__all__ = ["current", "shown", "with_number"]


def with_number(tx: Tx, patterns: Iterable[str], most: int) -> list[int]:
    """The contacts who have a number that fits any of the patterns."""
    found: dict[int, None] = {}
    for pattern in patterns:
        rows = tx.rows(
            "SELECT contact_id FROM identity WHERE kind = 'phone' AND value LIKE :pattern ORDER BY value LIMIT :most",
            pattern=pattern,
            most=most,
        )
        found |= {int(row["contact_id"]): None for row in rows}
    return list(found)[:most]


def current(tx: Tx, contact_ids: Collection[int]) -> dict[int, int]:
    """The conversation of each of these contacts in which something was said last; none for who never wrote."""
    if not contact_ids:
        return {}
    rows = tx.rows(
        """SELECT id, contact_id FROM conversation WHERE contact_id IN :ids AND followed_by IS NULL
           ORDER BY active_at, id""",
        ids=list(contact_ids),
    )
    return {int(row["contact_id"]): int(row["id"]) for row in rows}


def shown(tx: Tx, ids: Collection[int]) -> dict[int, dict[str, Any]]:
    """What is shown of these conversations."""
    if not ids:
        return {}
    rows = tx.rows(
        """SELECT c.id, c.flow, c.flow_version, c.state, c.active_at, p.name, p.phone, p.tags
           FROM conversation c JOIN contact p ON p.id = c.contact_id WHERE c.id IN :ids""",
        ids=list(ids),
    )
    return {int(row["id"]): row for row in rows}
