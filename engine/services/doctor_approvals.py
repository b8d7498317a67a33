"""What waits for a person stands where it says, and what was approved is what leaves (R7, R42)."""

import hashlib
import json

from engine.services.doctor_cases import Published
from engine.services.doctor_ledger import Ledger
from engine.store.connection import Tx
from engine.store.examination import approvals
from engine.store.examination.approvals import Released

__all__ = ["check_approvals"]


def check_approvals(ledger: Ledger, tx: Tx, flows: Published) -> None:
    """Both directions of "a request waits as long as its conversation does", and every letter that one let go."""
    ledger.saw("approvals", approvals.count(tx))
    for number in approvals.waiting_elsewhere(tx):
        ledger.broken("approvals", f"approval {number}")
    for (flow, version), states in flows.asking.items():
        for request in approvals.standing(tx, flow, version, states) if states else ():
            ledger.saw("approvals")
            over = request.status == "expired" and request.deadline_at is None  # nothing answered its end
            if request.status != "pending" and not over:
                ledger.broken("approvals", f"conversation {request.conversation_id}")
    for letter in approvals.released(tx):
        ledger.saw("approved")
        if not _as_approved(letter):
            ledger.broken("approved", f"outbox {letter.id}")


def _as_approved(letter: Released) -> bool:
    if letter.status != "approved" or letter.content is None:
        return False
    if hashlib.sha256(letter.content.encode("utf-8", "surrogatepass")).hexdigest() != letter.sha256:
        return False
    said = [(bubble["action"], bubble["payload"]) for bubble in json.loads(letter.content)]
    return (letter.action, json.loads(letter.payload)) in said
