"""One conversation as a person reads it: what was said, what moved, what was sent or withheld, and why (R29)."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.core.errors import NotFound
from engine.core.flow import Flow, Millis
from engine.core.windows import window_open
from engine.runtime import Runtime
from engine.services.show_file import File, attached
from engine.store import contacts, proofs, views
from engine.store.connection import Tx
from engine.store.proofs import Proof

MOST = 300
SENSITIVE = "•••"
TOLD = frozenset({"transition", "human_takeover", "opt_out", "opt_in", "alert", "no_transition"})
TOLD_TOO = frozenset({("note", "given_back"), ("ignored", "by_flow")})
"""What stands between the messages: what moved, who took over, and why nothing followed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of the chat. `kind`: in (the lead), out (robot, person or phone), moved (a change of state), note.

    `status` of a line that went out is the letter's, of one that came in its outcome. `ref` names it for "why?":
    `in-12`, `out-7`. `file` is what came with it.
    """

    kind: str
    at: Millis
    ref: str
    text: str | None = None
    medium: str | None = None
    action: str | None = None
    author: str | None = None
    status: str | None = None
    reason: str | None = None
    delivery: str | None = None
    frm: str | None = None
    to: str | None = None
    event: str | None = None
    event_id: str | None = None
    template: bool = False
    edited: bool = False
    deleted: bool = False
    file: File | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One log row, whole."""

    id: int
    at: Millis
    outcome: str
    reason: str | None
    event_id: str | None
    event: str | None
    frm: str | None
    to: str | None
    facts: Mapping[str, Any]
    chained: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Everything that the conversation page shows."""

    id: int
    contact_id: int
    name: str | None
    phone: str | None
    email: str | None
    tags: tuple[str, ...]
    identities: tuple[tuple[str, str], ...]
    slug: str
    version: int
    flow: Flow
    state: str
    context: Mapping[str, object]
    entered_at: Millis
    deadline_at: Millis | None
    rung: int
    attention: str | None
    paused_until: Millis | None
    paused_by: str | None
    opted_out_at: Millis | None
    proofs: tuple[Proof, ...]
    channel: str | None
    channel_kind: str | None
    window_open: bool
    window_closes_at: Millis
    writing: bool
    lines: tuple[Line, ...]
    entries: tuple[Entry, ...]
    letters: tuple[Mapping[str, Any], ...]
    cursor: int
    now: Millis

    @property
    def held(self) -> tuple[Mapping[str, Any], ...]:
        """Letters that a pause holds back."""
        return tuple(one for one in self.letters if one["status"] == "held" and one["reason"] == "paused")

    @property
    def unsure(self) -> tuple[Mapping[str, Any], ...]:
        """Sends that a person must decide about."""
        return tuple(letter for letter in self.letters if letter["status"] in ("review", "failed"))


async def page(runtime: Runtime, conversation_id: int) -> Page:
    """The conversation. Raises NotFound."""
    return await runtime.store.read(lambda tx: _page(tx, runtime, conversation_id))


def _page(tx: Tx, runtime: Runtime, conversation_id: int) -> Page:
    now = runtime.clock.now()
    head = views.head(tx, conversation_id)
    if head is None:
        raise NotFound("conversation", conversation_id)
    flow = runtime.flows.within(tx, head["flow"], head["flow_version"])
    arrived = views.arrived(tx, conversation_id, MOST)
    letters = tuple(as_letter(row) for row in views.left(tx, conversation_id, MOST))
    entries = tuple(as_entry(row) for row in views.recorded(tx, conversation_id, MOST))
    paused = head["paused_until"]
    hidden = {f.name for f in flow.context.values() if f.sensitive}
    return Page(
        id=conversation_id,
        contact_id=head["contact_id"],
        name=head["name"],
        phone=head["phone"],
        email=head["email"],
        tags=tuple(json.loads(head["tags"])),
        identities=tuple((i["kind"], i["seen_as"]) for i in contacts.identities(tx, head["contact_id"])),
        slug=head["flow"],
        version=head["flow_version"],
        flow=flow,
        state=head["state"],
        context={n: SENSITIVE if n in hidden else v for n, v in json.loads(head["context"]).items()},
        entered_at=head["entered_at"],
        deadline_at=head["deadline_at"],
        rung=head["rung"],
        attention=head["attention"],
        paused_until=paused if paused is not None and paused > now else None,
        paused_by=head["paused_by"],
        opted_out_at=head["opt_out_at"],
        proofs=tuple(proofs.of(tx, head["contact_id"])),
        channel=head["channel_name"],
        channel_kind=head["channel_kind"],
        window_open=window_open(head["last_inbound_at"], now),
        window_closes_at=head["last_inbound_at"] + 24 * 3_600_000,
        writing=head["due_at"] is not None,
        lines=_lines(arrived, letters, entries),
        entries=entries,
        letters=letters,
        cursor=views.newest_log(tx),
        now=now,
    )


def _lines(
    arrived: list[dict[str, Any]], letters: tuple[Mapping[str, Any], ...], entries: tuple[Entry, ...]
) -> tuple[Line, ...]:
    lines = [
        Line(
            kind="in",
            at=row["at"],
            ref=f"in-{row['id']}",
            text=row["text"],
            medium=None if row["kind"] == "text" else row["kind"],
            status=row["outcome"],
            reason=row["reason"],
            event_id=row["event_id"],
            edited=row["edited_at"] is not None,
            deleted=row["deleted_at"] is not None,
            file=attached(row),
        )
        for row in arrived
    ]
    lines += [
        Line(
            kind="out",
            at=row["sent_at"] or row["created_at"],
            ref=f"out-{row['id']}",
            text=row["payload"].get("text"),
            medium=(row["payload"].get("media") or {}).get("kind"),
            action=row["action"],
            author=row["author"],
            status=row["status"],
            reason=row["reason"],
            delivery=row["delivery"],
            event_id=row["event_id"],
            template=bool(row["as_template"]),
        )
        for row in letters
    ]
    lines += [
        Line(
            kind="moved" if entry.outcome == "transition" else "note",
            at=entry.at,
            ref=f"log-{entry.id}",
            frm=entry.frm,
            to=entry.to,
            event=entry.event,
            event_id=entry.event_id,
            status=entry.outcome,
            reason=entry.reason,
        )
        for entry in entries
        if (entry.outcome in TOLD and (entry.outcome != "transition" or entry.frm != entry.to))
        or (entry.outcome, entry.reason) in TOLD_TOO
    ]
    order = {"in": 0, "moved": 1, "note": 2, "out": 3}
    return tuple(sorted(lines, key=lambda line: (line.at, order[line.kind], line.ref)))


def as_entry(row: Mapping[str, Any]) -> Entry:
    """A row of the log."""
    return Entry(
        id=row["id"],
        at=row["at"],
        outcome=row["outcome"],
        reason=row["reason"],
        event_id=row["event_id"],
        event=row["event"],
        frm=row["frm"],
        to=row["to"],
        facts=json.loads(row["facts"]),
        chained=row["n"],
    )


def as_letter(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """A row of the outbox, its payload read."""
    return {**row, "payload": json.loads(row["payload"])}
