"""The chain that makes a log's past unchangeable: each row's hash covers its content and the hash before it (R45).

The same two functions serve the transition log of a conversation and the audit log of the installation.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256

__all__ = ["START", "Break", "Row", "committed", "link", "verify"]

START = ""
"""What the first row of a chain has as the hash before it."""


@dataclass(frozen=True, slots=True)
class Row:
    """One stored row: the hash before it and its own, as stored, and the content that they speak of."""

    prev: str
    hash: str
    body: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Break:
    """Where a chain does not hold: the position from 0, and what is wrong there.

    `reason`: `order` (a row is missing, inserted or moved: it does not follow the one before it), `content` (the row
    was changed) or `tail` (the last rows are missing: the chain ends before the head that was kept elsewhere).
    """

    position: int
    reason: str


def link(prev: str, body: Mapping[str, object]) -> str:
    """The hash of a row: sha256, in hex, of the hash before it and the content in sorted, compact JSON."""
    text = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return sha256(f"{prev}\n{text}".encode()).hexdigest()


def committed(salt: str, n: int, told: Mapping[str, object]) -> str:
    """What stands in the hash of row `n` for what a person's erasing takes out of it: sha256, in hex, of a secret of the
    conversation, the number and the content in sorted, compact JSON. Without the secret nobody can try contents on it.
    """
    text = json.dumps(told, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return sha256(f"{salt}\n{n}\n{text}".encode()).hexdigest()


def verify(rows: Iterable[Row], head: str | None = None) -> Break | None:
    """The first place where the chain breaks, or None. `head` is the hash that the last row must have, where known."""
    before, count = START, 0
    for count, row in enumerate(rows, start=1):
        if row.prev != before:
            return Break(count - 1, "order")
        if row.hash != link(row.prev, row.body):
            return Break(count - 1, "content")
        before = row.hash
    return Break(count, "tail") if head is not None and head != before else None
