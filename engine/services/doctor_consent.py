"""Opt-outs as the log tells them, against what left and against the flag on the person (I14, R73, R75)."""

from collections.abc import Sequence

from engine.core.flow import SECOND, Millis
from engine.services.doctor_ledger import Ledger
from engine.store.connection import Tx
from engine.store.examination import consent

__all__ = ["check_campaigns", "check_consent"]

UNASKED = ("clock", "campaign", "api", "effect")
"""What starts a letter without the person having spoken or paid."""
CALL = 30 * SECOND
"""A claimed letter has so long to be sent; a call that began before the opt-out may finish."""
GRACE = 120 * SECOND
"""A letter whose answer was lost keeps its lease for so long after the call."""


def check_consent(ledger: Ledger, tx: Tx) -> None:
    """Letters that left inside an opt-out, and people whose flag is not the log's last word."""
    said = consent.words(tx)
    ledger.saw("consent", consent.people(tx))
    out = {contact_id for contact_id, words in said.items() if words[-1].out}
    for contact_id in sorted(consent.opted_out(tx) ^ out):
        ledger.broken("consent", f"contact {contact_id}")
    for letter in consent.sent_to_the_opted_out(tx, UNASKED):
        # Only an attempt with an answer of its own has no reason left; of any other the call may have begun earlier.
        began = letter.lease_until - (CALL if letter.reason is None else CALL + GRACE)
        if _out_at(said[letter.contact_id], began):
            ledger.broken("consent", f"outbox {letter.id}")


def check_campaigns(ledger: Ledger, tx: Tx) -> None:
    """Each letter of a campaign is for somebody on its list, who was taken once."""
    ledger.saw("justified", consent.campaign_letters(tx))
    for letter_id in consent.campaign_letters_of_nobody(tx):
        ledger.broken("justified", f"outbox {letter_id}")


def _out_at(words: Sequence[consent.Word], moment: Millis) -> bool:
    """Whether the last word before this moment was an opt-out."""
    before = [word.out for word in words if word.at < moment]
    return bool(before) and before[-1]
