"""Rows of people and their conversations, for tests of single stores."""

from engine.core.events import Snapshot
from engine.core.inbound import Person
from engine.store import contacts, conversations
from engine.store.outbox import Letter

NOW = 1_000_000
OPENING = Snapshot(
    state="A", previous=None, context={"n": 1}, deadline_at=NOW + 500, rung=0, entered_at=NOW, last_inbound_at=0
)


def a_contact(tx, phone="5541987654321", **names):
    return contacts.resolve(tx, Person(phone=phone, **names), NOW).contact_id


def a_conversation(tx, phone="5541987654321"):
    return conversations.open_cycle(tx, a_contact(tx, phone), 1, "flow", 1, OPENING, NOW)


def a_letter(**more):
    return Letter(**{"action": "hi", "cause": "message", "state": "A", "payload": {"text": "oi"}, **more})
