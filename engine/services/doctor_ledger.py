"""The invariants by name and sentence, and the book in which the checks write what they saw and what is broken."""

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["SAYS", "Ledger", "Verdict"]

MOST_ROWS = 1_000
"""Broken rows that are named; the rest is counted."""

SAYS: Mapping[str, str] = {
    "stored-once": "no message, event or payment is stored twice",
    "one-outcome": "every message and event that was taken has exactly one outcome",
    "batches": "the messages that an event took are exactly those marked with it",
    "applied-once": "every event met the table once, and the log says what became of it",
    "replay": "state, context and deadline of every conversation are what its log adds up to",
    "clock": "no silence fired early, and each named the deadline that stood",
    "justified": "every automatic letter was asked for by a decision in the log",
    "complete": "every send that a decision asked for has its letter, with all its parts",
    "once-keys": "no once-key was used twice",
    "in-line": "at most one letter of a conversation is on the wire",
    "evidence": "every letter that counts as sent has evidence",
    "approvals": "a request for approval waits exactly as long as its conversation stands where it was asked",
    "approved": "every letter that was approved says what was approved",
    "consent": "nothing that the clock or another system started left after an opt-out",
    "states": "nobody stands in a state that their version of the flow lacks",
    "versions": "published versions are what they were when they were published",
    "belongs": "every row belongs to a conversation and a person that are there",
    "cycles": "nobody has two current talks in one flow, and whatever was left leads to the one that goes on",
    "unread": "every message that waits has a time at which it will be read",
    "overdue": "nothing that was due waits for more than a minute",
    "leases": "nothing on the wire was forgotten there",
    "files": "every file that is kept has all its bytes, and no other has any",
    "log-chain": "the chain of every conversation's log is whole, to its last row",
    "audit-chain": "the chain of the audit log is whole",
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """One invariant: how many things were looked at, how many break it, and which (ids only)."""

    invariant: str
    says: str
    checked: int
    broken: int
    rows: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Whether nothing breaks it."""
        return self.broken == 0


class Ledger:
    """What was seen so far."""

    def __init__(self) -> None:
        self._checked = dict.fromkeys(SAYS, 0)
        self._broken = dict.fromkeys(SAYS, 0)
        self._rows: dict[str, dict[str, None]] = {name: {} for name in SAYS}

    def saw(self, invariant: str, count: int = 1) -> None:
        """So many things were looked at."""
        self._checked[invariant] += count

    def broken(self, invariant: str, row: str) -> None:
        """A row that breaks it; the same row counts once."""
        rows = self._rows[invariant]
        if row in rows:
            return
        self._broken[invariant] += 1
        if len(rows) < MOST_ROWS:
            rows[row] = None

    def verdicts(self) -> list[Verdict]:
        """Every invariant, in the order of the table."""
        return [Verdict(n, says, self._checked[n], self._broken[n], tuple(self._rows[n])) for n, says in SAYS.items()]
