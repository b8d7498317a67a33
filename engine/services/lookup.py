"""What another system may ask: where a person stands, what became of their events, what was sent or withheld and why."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from engine.core.flow import Millis
from engine.runtime import Runtime
from engine.services.transcript import SENSITIVE
from engine.store import contacts, lookups
from engine.store.connection import Tx

__all__ = ["by_contact", "iso"]

MOST = 50
"""Events, messages and letters of one conversation, the newest."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


async def by_contact(runtime: Runtime, contact: str) -> list[dict[str, Any]]:
    """The conversations of a person, the newest first; empty when nobody has this name.

    `contact` is a phone in any spelling, a LID, a business-scoped id or a tracking code. Sensitive fields are masked,
    the words of messages and letters are left out, instants are ISO-8601 in UTC.
    """
    name = contact.strip()
    if not name:
        return []
    now = runtime.clock.now()

    def unit(tx: Tx) -> list[dict[str, Any]]:
        contact_id = contacts.find(tx, name)
        if contact_id is None:
            return []
        person = contacts.row(tx, contact_id)
        return [_shown(tx, runtime, row, person, now) for row in lookups.conversations(tx, contact_id, MOST)]

    return await runtime.store.read(unit)


def iso(instant: Millis | None) -> str | None:
    """An instant as `2026-08-01T13:00:00.000Z`, None as None."""
    if instant is None:
        return None
    return (_EPOCH + timedelta(milliseconds=instant)).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _shown(tx: Tx, runtime: Runtime, row: Mapping[str, Any], person: Mapping[str, Any], now: Millis) -> dict[str, Any]:
    flow = runtime.flows.within(tx, row["flow"], row["flow_version"])
    paused = person["paused_until"]
    return {
        "id": row["id"],
        "contact": person["phone"] or contacts.identities(tx, person["id"])[0]["seen_as"],
        "flow": row["flow"],
        "version": row["flow_version"],
        "state": row["state"],
        "context": {n: SENSITIVE if n in flow.hidden else v for n, v in json.loads(row["context"]).items()},
        "entered_at": iso(row["entered_at"]),
        "deadline": iso(row["deadline_at"]),
        "reading_at": iso(row["due_at"]),
        "paused_until": iso(paused) if paused is not None and paused > now else None,
        "opt_out": person["opt_out_at"] is not None,
        "opt_out_at": iso(person["opt_out_at"]),
        "attention": row["attention"],
        "opened_at": iso(row["opened_at"]),
        "followed_by": row["followed_by"],
        "events": _events(tx, row["id"]),
        "messages": _messages(tx, row["id"]),
        "outbox": _letters(tx, row["id"]),
    }


def _events(tx: Tx, conversation_id: int) -> list[dict[str, Any]]:
    """The latest events, oldest first; `outcome` null is one that waits."""
    rows = lookups.events(tx, conversation_id, MOST)
    return [_in_iso(row, "at", "received_at", "processed_at") for row in rows]


def _messages(tx: Tx, conversation_id: int) -> list[dict[str, Any]]:
    """The latest messages of the person, oldest first, each with what became of it."""
    rows = lookups.messages(tx, conversation_id, MOST)
    return [_in_iso(row, "at", "received_at", "processed_at") for row in rows]


def _letters(tx: Tx, conversation_id: int) -> list[dict[str, Any]]:
    """The latest letters, oldest first."""
    rows = lookups.letters(tx, conversation_id, MOST)
    return [_in_iso(row, "created_at", "due_at", "sent_at") for row in rows]


def _in_iso(row: Mapping[str, Any], *instants: str) -> dict[str, Any]:
    return {**row, **{name: iso(row[name]) for name in instants}}
