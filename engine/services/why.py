"""Why one line of a conversation is there, or why nothing followed it: everything that its event is tied to (R29)."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.core.errors import NotFound
from engine.core.flow import Flow
from engine.runtime import Runtime
from engine.services.transcript import MOST, as_letter
from engine.services.transcript_lines import Entry, as_entry
from engine.store import views
from engine.store.connection import Tx


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """The chain behind one line: the messages, the event, what was decided, what was written to be sent."""

    ref: str
    event: Mapping[str, Any] | None
    messages: tuple[Mapping[str, Any], ...]
    entries: tuple[Entry, ...]
    letters: tuple[Mapping[str, Any], ...]
    flow: Flow
    single: Mapping[str, Any]


async def why(runtime: Runtime, conversation_id: int, ref: str) -> Why:
    """Why this line is there, or why nothing followed it. Raises NotFound for a line of another conversation."""

    def unit(tx: Tx) -> Why:
        kind, _, number = ref.partition("-")
        line = {"in": views.message, "out": views.letter, "log": views.entry}.get(kind)
        numbered = number.isascii() and number.isdigit() and len(number) < 18
        row = line(tx, conversation_id, int(number)) if line and numbered else None
        head = views.head(tx, conversation_id)
        if row is None or head is None:
            raise NotFound("message", ref)
        about = views.about_event(tx, row["event_id"]) if row["event_id"] else {}
        flow = runtime.flows.within(tx, head["flow"], head["flow_version"])
        own = [e for e in views.recorded(tx, conversation_id, MOST) if _mentions(e, row, kind)]
        log = {e["id"]: e for e in (*about.get("log", ()), *own)}
        return Why(
            ref=ref,
            event=about.get("event"),
            messages=tuple(about.get("messages", ())) or ((row,) if kind == "in" else ()),
            entries=tuple(as_entry(log[i]) for i in sorted(log)),
            letters=tuple(as_letter(letter) for letter in about.get("letters", ())),
            flow=flow,
            single=as_letter(row) if kind == "out" else row,
        )

    return await runtime.store.read(unit)


def _mentions(entry: Mapping[str, Any], row: Mapping[str, Any], kind: str) -> bool:
    facts = json.loads(entry["facts"])
    if kind == "log":
        return bool(entry["id"] == row["id"])
    return bool(facts.get("outbox") == row["id"] if kind == "out" else facts.get("id") == row.get("provider_id"))
