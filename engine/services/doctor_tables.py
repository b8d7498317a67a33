"""What single questions to the database find: doubles, outcomes, evidence, what is overdue, lost or cut (I2, I3, I13, I27)."""

import hashlib

from engine.core.flow import MINUTE, Millis
from engine.services.doctor_ledger import Ledger
from engine.store.connection import Tx
from engine.store.examination import contradictions, files, versions, waiting
from engine.store.examination.totals import totals

__all__ = ["check_tables"]

PATIENCE = MINUTE
LONGEST_LEASE = 15 * MINUTE
"""No worker claims anything for longer; a lease beyond it comes from a clock that was wrong."""


def check_tables(ledger: Ledger, tx: Tx, now: Millis) -> None:
    """Ask every question."""
    _count(ledger, tx)
    before, latest = now - PATIENCE, now + LONGEST_LEASE
    broken = {
        "stored-once": contradictions.stored_twice(tx),
        "one-outcome": contradictions.at_odds_with_outcome(tx),
        "once-keys": contradictions.once_keys_used_twice(tx),
        "evidence": contradictions.sent_without_evidence(tx),
        "belongs": contradictions.with_nobody(tx),
        "cycles": contradictions.two_in_one_place(tx),
        "unread": waiting.never_to_be_read(tx),
        "overdue": waiting.overdue(tx, before),
        "files": files.not_whole(tx),
        "leases": waiting.leased_too_long(tx, before, latest),
    }
    for invariant, places in broken.items():
        for place in places:
            ledger.broken(invariant, f"{place.table} {place.id}")
    _versions(ledger, tx)


def _count(ledger: Ledger, tx: Tx) -> None:
    """What each question looks at."""
    there = totals(tx)
    ledger.saw("stored-once", there.messages + there.events)
    ledger.saw("one-outcome", there.messages + there.events)
    ledger.saw("once-keys", there.once_keys)
    ledger.saw("evidence", there.sent)
    ledger.saw("unread", there.unread)
    ledger.saw("cycles", there.conversations)
    ledger.saw("overdue", there.conversations + there.pending)
    ledger.saw("leases", there.on_the_wire)
    ledger.saw("files", there.files)


def _versions(ledger: Ledger, tx: Tx) -> None:
    """A version's document has the hash that was taken of it, and what is live exists (R60)."""
    for version in versions.published(tx):
        ledger.saw("versions")
        if hashlib.sha256(version.document.encode("utf-8", "surrogatepass")).hexdigest() != version.sha256:
            ledger.broken("versions", f"flow {version.slug}@{version.number}")
    for slug, number in versions.live_and_missing(tx):
        ledger.broken("versions", f"flow {slug}@{number}")
