"""What happened, in the words of the format: log records, what left, and how conversations stand."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.core.flow import Send
from engine.runtime import Flows
from engine.services.scenarios.compare import Seen
from engine.services.scenarios.format import EPOCH
from engine.services.scenarios.network import Call
from engine.services.scenarios.world import World
from engine.store import contacts, observing
from engine.store.connection import Tx

MANUAL = "operator"


def seen(tx: Tx, flows: Flows, world: World, calls: Sequence[Call], statuses: Sequence[int | None], now: int) -> Seen:
    """Everything that expectations can be held against."""
    gone = _left(tx, flows, world, calls)
    return Seen(
        conversations=tuple(_standing(tx, row, now) for row in observing.standings(tx)),
        left=tuple((what.label, what.key) for what in gone),
        replies=sum(what.is_reply for what in gone),
        records=tuple(_records(tx)),
        http=tuple(statuses),
        texts=tuple(_texts(tx, calls)),
    )


def _records(tx: Tx) -> list[dict[str, Any]]:
    """Every log row as one flat record; `at_about` counts seconds from T0."""
    told = []
    for row in observing.logged(tx):
        facts = json.loads(row["facts"])
        record = {
            **facts,
            "outcome": row["outcome"],
            "reason": row["reason"],
            "event": row["event"] or facts.get("event"),
            "frm": row["frm"],
            "to": row["to"] or facts.get("to"),
            "at_about": (row["at"] - EPOCH) / 1_000,
        }
        if row["outcome"] == "transition" and facts.get("batch"):
            record["text"] = _words(tx, row["event_id"])
        told.append(record)
    return told


@dataclass(frozen=True, slots=True)
class _Gone:
    """Something that left or ran: `is_reply` is whether it is an automatic message."""

    at: float
    number: int
    label: str
    key: str | None
    is_reply: bool


def _left(tx: Tx, flows: Flows, world: World, calls: Sequence[Call]) -> list[_Gone]:
    """Everything that left or ran, in order; several parts of one send count once. What the provider turned away has
    left; what never reached it has not.
    """
    found: dict[tuple[object, ...], _Gone] = {}
    first_call = {call.row: (call.at, number) for number, call in reversed(list(enumerate(calls)))}
    unreached = {call.row for call in calls} - {call.row for call in calls if call.reached}
    for row in observing.attempted(tx):
        if row.id in world.flying_rows or (row.id in world.preset_rows and row.id not in first_call):
            continue
        if row.id in unreached:
            continue
        at, number = first_call.get(row.id, (row.sent_at or row.created_at, row.id))
        manual = row.cause == MANUAL
        identity = (row.id,) if manual or row.event_id is None else (row.event_id, row.action, row.as_template)
        found.setdefault(identity, _Gone(at, number, "manual" if manual else row.label, row.key, not manual))
    for moved in observing.moves(tx):
        actions = flows.within(tx, moved["flow"], moved["flow_version"]).actions
        for name in json.loads(moved["facts"]).get("actions", []):
            if name in actions and not isinstance(actions[name], Send):
                found[moved["id"], name] = _Gone(moved["at"], moved["id"], name, None, False)
    return sorted(found.values(), key=lambda gone: (gone.at, gone.number))


def _texts(tx: Tx, calls: Sequence[Call]) -> Iterator[str]:
    """What people read, one bubble after the other in the order in which they left; a template's name in brackets."""
    reached = dict.fromkeys(call.row for call in calls if call.reached)
    letters = {row.id: row for row in observing.attempted(tx)}
    for row in (letters[number] for number in reached if number in letters):
        payload: Mapping[str, Any] = row.payload
        template, media = payload.get("template"), payload.get("media") or {}
        if row.as_template and isinstance(template, Mapping):
            yield f"[{template.get('name')}]"
        else:
            yield str(payload.get("text") or media.get("caption") or media.get("url") or "")


def _standing(tx: Tx, row: Mapping[str, Any], now: int) -> dict[str, Any]:
    names = contacts.identities(tx, row["contact_id"])
    return {
        "names": [str(i["seen_as"]) for i in names],
        "identifiers": [str(i["seen_as"]) for i in names if i["kind"] != "reference"],
        "state": row["state"],
        "flow": row["flow"],
        "flow_version": row["flow_version"],
        "context": json.loads(row["context"]),
        "deadline": None if row["deadline_at"] is None else (row["deadline_at"] - EPOCH) / 1_000,
        "ladder_step": row["rung"],
        "needs_attention": row["attention"] is not None,
        "name": row["name"],
        "phone": row["phone"],
        "opt_out": row["opt_out_at"] is not None,
        "paused": row["paused_until"] is not None and row["paused_until"] > now,
        "followed": row["followed_by"] is not None,
        "tags": json.loads(row["tags"]),
    }


def _words(tx: Tx, event_id: str) -> str:
    return "\n".join(text for text in observing.words(tx, event_id) if text)
