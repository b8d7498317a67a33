"""Opt-outs as the log tells them, against what left and against the flag on the person (I14, R73, R75)."""

from collections import defaultdict
from collections.abc import Sequence

from engine.core.flow import SECOND, Millis
from engine.services.doctor_ledger import Ledger
from engine.store.connection import Tx

__all__ = ["check_consent"]

UNASKED = ("clock", "api", "effect")
"""What starts a letter without the person having spoken or paid."""
CALL = 30 * SECOND
"""A claimed letter has so long to be sent; a call that began before the opt-out may finish."""
GRACE = 120 * SECOND
"""A letter whose answer was lost keeps its lease for so long after the call."""


def check_consent(ledger: Ledger, tx: Tx) -> None:
    """Letters that left inside an opt-out, and people whose flag is not the log's last word."""
    spoken = defaultdict[int, list[tuple[Millis, bool]]](list)
    sql = """SELECT contact_id, at, outcome FROM log WHERE outcome IN ('opt_out', 'opt_in') AND contact_id IS NOT NULL
             ORDER BY contact_id, id"""
    for row in tx.rows(sql):
        spoken[row["contact_id"]].append((row["at"], row["outcome"] == "opt_out"))
    ledger.saw("consent", int(tx.value("SELECT COUNT(*) FROM contact")))
    flagged = {row["id"] for row in tx.rows("SELECT id FROM contact WHERE opt_out_at IS NOT NULL")}
    for contact_id in sorted(flagged ^ {person for person, words in spoken.items() if words[-1][1]}):
        ledger.broken("consent", f"contact {contact_id}")
    sent = """SELECT id, contact_id, lease_until, reason FROM outbox WHERE status = 'sent' AND cause IN :causes
              AND author IS NULL AND NOT confirms_opt_out
              AND contact_id IN (SELECT contact_id FROM log WHERE outcome = 'opt_out') ORDER BY id"""
    for row in tx.rows(sent, causes=list(UNASKED)):
        # Only an attempt with an answer of its own has no reason left; of any other the call may have begun earlier.
        began = row["lease_until"] - (CALL if row["reason"] is None else CALL + GRACE)
        if _out_at(spoken[row["contact_id"]], began):
            ledger.broken("consent", f"outbox {row['id']}")


def _out_at(spoken: Sequence[tuple[Millis, bool]], moment: Millis) -> bool:
    """Whether the last word before this moment was an opt-out."""
    before = [out for at, out in spoken if at < moment]
    return bool(before) and before[-1]
