"""Proofs of consent: when somebody wanted to be written to, where that is known from, in which words (R73)."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.core.flow import Millis
from engine.store.connection import Tx

IMPORT, SUPERVISOR, FLOW, BUTTON = "import", "supervisor", "flow", "channel_button"
_INSERT = "INSERT INTO consent_proof (contact_id, at, source, words, who, recorded_at) VALUES :rows"
_AT_ONCE = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """One of them. `at` is when the person said so, `recorded_at` when it was written down, `who` by whom."""

    contact_id: int
    at: Millis
    source: str
    words: str = ""
    who: str = ""


def record(tx: Tx, proofs: Sequence[Proof], now: Millis) -> None:
    """Write them down; one that is there already in the same words is not written twice."""
    for begin in range(0, len(proofs), _AT_ONCE):
        some = proofs[begin : begin + _AT_ONCE]
        there = {
            (row["contact_id"], row["source"], row["words"])
            for row in tx.rows(
                "SELECT contact_id, source, words FROM consent_proof WHERE contact_id IN :ids AND source = 'import'",
                ids=[proof.contact_id for proof in some],
            )
        }
        rows = [
            (p.contact_id, p.at, p.source, p.words, p.who, now)
            for p in some
            if (p.contact_id, p.source, p.words) not in there
        ]
        if rows:
            tx.run(_INSERT, rows=rows)


def of(tx: Tx, contact_id: int) -> list[Proof]:
    """A contact's, the latest first."""
    rows = tx.rows(
        """SELECT contact_id, at, source, words, who FROM consent_proof WHERE contact_id = :id
           ORDER BY at DESC, id DESC""",
        id=contact_id,
    )
    return [Proof(**row) for row in rows]
