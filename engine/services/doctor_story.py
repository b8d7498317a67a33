"""One conversation's log against everything that hangs on it: chain, replay, events, batches, silences (I3 to I8, I25)."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from engine.services.doctor_cases import Case, Entry, table
from engine.services.doctor_chains import followed
from engine.services.doctor_ledger import Ledger

__all__ = ["Decisions", "check_story"]

Decisions = Mapping[str, list[Entry]]
"""The log rows that say what the table made of an event, by the event's id."""
REPLAYED = ("state", "previous", "deadline_at", "rung", "entered_at")
MANUAL = "manual"
"""Of an event that only stands for a letter that a person wrote: it never met the table."""


def _decided(entry: Entry) -> str | None:
    """The event about which a log row is what the table said: those carry the moment after it."""
    return entry.row.event_id if "after" in entry.told else None


def check_story(ledger: Ledger, case: Case, secret: set[str]) -> Decisions | None:
    """Check a conversation; its decisions, or None when its chain is broken, or its person was erased."""
    conversation = case.conversation
    ledger.saw("log-chain", len(case.log))
    rows, erased = [entry.row for entry in case.log], case.erased
    place = followed(rows, conversation.log_n, conversation.log_hash, conversation.salt, erased=erased)
    if place is not None:
        ledger.broken("log-chain", f"conversation {conversation.id}: {place}")
        return None
    if erased:
        return None  # nobody can say any more what happened there, only that nothing was changed
    _replay(ledger, case, secret)
    decisions = defaultdict[str, list[Entry]](list)
    for entry in case.log:
        if (event_id := _decided(entry)) is not None:
            decisions[event_id].append(entry)
    _events(ledger, case, decisions)
    _batches(ledger, case, decisions)
    return decisions


def _replay(ledger: Ledger, case: Case, secret: set[str]) -> None:
    """Add the log up, from the snapshot that it opened with to the last change."""
    conversation = case.conversation
    name = f"conversation {conversation.id}"
    moment: dict[str, Any] = {}
    for entry in case.log:
        row, event_id = entry.row, _decided(entry)
        if row.outcome == "transition" and row.frm != moment.get("state"):
            ledger.broken("replay", f"{name}: log {row.id}")
        if event_id is not None and event_id.startswith("timeout:"):
            ledger.saw("clock")
            deadline = int(event_id.rpartition(":")[2])
            if moment.get("deadline_at") != deadline or row.at < deadline:
                ledger.broken("clock", f"{name}: log {row.id}")
        moment.update(entry.told.get("after", {}))
    ledger.saw("replay")
    wrong = [field for field in REPLAYED if moment.get(field) != getattr(conversation, field)]
    context = table(conversation.context)
    if _open(moment.get("context", {}), secret) != _open(context, secret):
        wrong.append("context")
    if wrong:
        ledger.broken("replay", f"{name}: {', '.join(wrong)}")


def _open(context: Mapping[str, Any], secret: set[str]) -> dict[str, Any]:
    """Without the fields that never enter the log (R45)."""
    return {name: value for name, value in context.items() if name not in secret}


def _events(ledger: Ledger, case: Case, decisions: Decisions) -> None:
    """Each processed event has one decision that says the same, each decision an event (I4)."""
    known = {event.id for event in case.events}
    for event in case.events:
        if event.processed_at is None or event.outcome == MANUAL:
            if decisions.get(event.id):
                ledger.broken("applied-once", f"event {event.id}")
            continue
        ledger.saw("applied-once")
        outcomes = [entry.row.outcome for entry in decisions.get(event.id, [])]
        said = ["moved" if outcome == "transition" else outcome for outcome in outcomes]
        if said != [event.outcome]:
            ledger.broken("applied-once", f"event {event.id}")
    for event_id in decisions:
        if event_id not in known:
            ledger.broken("applied-once", f"event {event_id}")


def _batches(ledger: Ledger, case: Case, decisions: Decisions) -> None:
    """The provider ids in a decision are those of the messages that are marked with its event (I3)."""
    marked = defaultdict[str, list[str]](list)
    for message in case.messages:
        marked[message.event_id].append(message.provider_id)
    told = {i: entries[0].told for i, entries in decisions.items() if "batch" in entries[0].told}
    for event_id in {**told, **marked}:
        ledger.saw("batches")
        said = told.get(event_id, {"batch": [], "batch_size": 0})
        if sorted(said["batch"]) != sorted(marked.get(event_id, [])) or said["batch_size"] != len(said["batch"]):
            ledger.broken("batches", f"event {event_id}")
