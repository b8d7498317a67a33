"""A conversation's letters against its decisions: none without a reason, none missing, one on the wire (I5, I11, I13)."""

from collections import defaultdict
from collections.abc import Mapping

from engine.services.doctor_cases import Case
from engine.services.doctor_ledger import Ledger
from engine.services.doctor_story import Decisions
from engine.store.examination.conversations import Letter

__all__ = ["check_letters", "check_line"]

BY_HAND = "operator"
AGAIN = "resend:"
"""The once-key of a letter that went again as a template begins so; it is a single part."""


def check_line(ledger: Ledger, case: Case, merged: Mapping[int, int]) -> None:
    """At most one letter on the wire, and each for the conversation's own person, or whom that one was known as."""
    ledger.saw("in-line")
    if sum(letter.status == "sending" for letter in case.letters) > 1:
        ledger.broken("in-line", f"conversation {case.conversation.id}")
    for table, rows in (("outbox", case.letters), ("inbound", case.messages)):
        for row in rows:
            ledger.saw("belongs")
            if merged.get(row.contact_id, row.contact_id) != case.conversation.contact_id:
                ledger.broken("belongs", f"{table} {row.id}")


def check_letters(ledger: Ledger, case: Case, decisions: Decisions, sends: set[str]) -> None:
    """Each automatic letter was asked for, and what was asked for is there. `sends` are the flow's sending actions."""
    asked = _asked(decisions)
    by_cause = defaultdict[tuple[str, str], list[Letter]](list)
    for letter in case.letters:
        if letter.cause == BY_HAND or letter.author is not None:
            continue
        ledger.saw("justified")
        if letter.event_id is None or letter.action not in asked.get(letter.event_id, ()):
            ledger.broken("justified", f"outbox {letter.id}")
        elif not (letter.once_key or "").startswith(AGAIN):
            by_cause[letter.event_id, letter.action].append(letter)
    done = {(entry.row.event_id, entry.told.get("action")) for entry in case.log if entry.row.reason == "already_done"}
    for event_id, actions in asked.items():
        for action in sends & actions:
            ledger.saw("complete")
            parts = sorted(letter.part for letter in by_cause.get((event_id, action), ()))
            whole = by_cause[event_id, action][0].parts if parts else 0
            if (event_id, action) not in done and (not parts or parts != list(range(1, whole + 1))):
                ledger.broken("complete", f"event {event_id}")


def _asked(decisions: Decisions) -> dict[str, set[str]]:
    """The actions of each event's transition."""
    return {i: set(entries[0].told.get("actions", ())) for i, entries in decisions.items()}
