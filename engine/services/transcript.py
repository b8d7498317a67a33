"""One conversation as a person reads it: what was said, what moved, what was sent or withheld, and why (R29)."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.core.errors import NotFound
from engine.core.flow import Flow, Millis
from engine.core.windows import window_open
from engine.runtime import Runtime
from engine.services.matching import Standing, question_of, standings
from engine.services.transcript_lines import Entry, Line, as_entry, lines_of
from engine.store import assignments, audit, contacts, proofs, tags, talk_notes, views
from engine.store.assignments import Assigned
from engine.store.connection import Tx
from engine.store.proofs import Proof

MOST = 300
SENSITIVE = "•••"


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Everything that the conversation page shows. `talks` are all of the person's, this one too; `doubt` the pair
    of contacts that may be one person; `assigned` whose it is.
    """

    id: int
    contact_id: int
    name: str | None
    phone: str | None
    email: str | None
    tags: tuple[tuple[str, int], ...]
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
    channel_state: str | None
    window_open: bool
    window_closes_at: Millis
    writing: bool
    lines: tuple[Line, ...]
    entries: tuple[Entry, ...]
    letters: tuple[Mapping[str, Any], ...]
    cursor: int
    now: Millis
    talks: tuple[Standing, ...] = ()
    doubt: int | None = None
    assigned: Assigned | None = None

    @property
    def followed_by(self) -> int | None:
        """The talk that took the place of this one."""
        return next((talk.followed_by for talk in self.talks if talk.id == self.id), None)

    @property
    def held(self) -> tuple[Mapping[str, Any], ...]:
        """Letters that a pause holds back."""
        return tuple(one for one in self.letters if one["status"] == "held" and one["reason"] == "paused")


async def page(runtime: Runtime, conversation_id: int) -> Page:
    """The conversation. Raises NotFound."""
    return await runtime.store.read(lambda tx: _page(tx, runtime, conversation_id))


async def deeds(runtime: Runtime, conversation_id: int) -> list[audit.Entry]:
    """What the audit knows of people in this conversation, newest first (R44)."""
    return await runtime.store.read(lambda tx: audit.about_conversation(tx, conversation_id, MOST))


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
        tags=tags.of(head["tags"], tags.colours(tx)),
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
        channel_state=head["channel_state"],
        window_open=window_open(head["last_inbound_at"], now),
        window_closes_at=head["last_inbound_at"] + 24 * 3_600_000,
        writing=head["due_at"] is not None,
        lines=lines_of(arrived, letters, entries, talk_notes.of(tx, conversation_id, MOST)),
        entries=entries,
        letters=letters,
        cursor=views.newest_log(tx),
        now=now,
        talks=standings(tx, runtime, head["contact_id"]),
        doubt=question_of(tx, head["contact_id"]),
        assigned=assignments.of(tx, conversation_id),
    )


def as_letter(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """A row of the outbox, its payload read."""
    return {**row, "payload": json.loads(row["payload"])}
