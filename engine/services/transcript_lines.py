"""What happened in a conversation, line by line and in order: what was said, what moved, why nothing followed (R29)."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.core.flow import Millis
from engine.services.show_file import File, attached
from engine.store.talk_notes import Note

TOLD = frozenset({"transition", "human_takeover", "opt_out", "opt_in", "alert", "no_transition"})
TOLD_TOO = frozenset(
    {("ignored", "by_flow")}
    | {
        ("note", why)
        for why in (
            *("given_back", "gives_back_at", "merged", "followed", "follows", "moved_by_publication", "taken_back"),
            *("moved_by_person", "assigned"),
        )
    }
    | {("note", f"approval_{why}") for why in ("asked", "withdrawn", "replaced", "extended")}
)
"""What stands between the messages: what moved, who took over, and why nothing followed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of the chat. `kind`: in (the lead), out (robot, person or phone), moved (a change of state), note (of the
    log), team (a note of the team, never sent).

    `status` of a line that went out is the letter's, of one that came in its outcome. `ref` names it for "why?":
    `in-12`, `out-7`, `log-3`. `file` is what came with it, `own` the number of a file of ours that left with it.
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
    own: int | None = None
    faded: bool = False
    """Its words are not kept any more."""


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


def lines_of(
    arrived: list[dict[str, Any]],
    letters: tuple[Mapping[str, Any], ...],
    entries: tuple[Entry, ...],
    notes: Sequence[Note] = (),
) -> tuple[Line, ...]:
    """Messages, letters, notes of the team and what the log tells, by their time."""
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
            faded=row["kind"] == "text" and row["text"] is None and row["deleted_at"] is None,
        )
        for row in arrived
    ]
    lines += [
        Line(
            kind="out",
            at=row["sent_at"] or row["created_at"],
            ref=f"out-{row['id']}",
            text=_said(row["payload"]),
            medium=(row["payload"].get("media") or {}).get("kind"),
            action=row["action"],
            author=row["author"],
            status=row["status"],
            reason=row["reason"],
            delivery=row["delivery"],
            event_id=row["event_id"],
            template=bool(row["as_template"]),
            own=(row["payload"].get("media") or {}).get("file"),
            faded=not row["payload"] or bool(row["payload"].get("faded")),
        )
        for row in letters
    ]
    lines += [Line(kind="team", at=n.at, ref=f"note-{n.id}", text=n.text, author=n.who) for n in notes]
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
    order = {"in": 0, "moved": 1, "note": 2, "out": 3, "team": 4}
    return tuple(sorted(lines, key=lambda line: (line.at, order[line.kind], line.ref)))


def _said(payload: Mapping[str, Any]) -> str | None:
    """The words of a letter: its text or the caption of its file, and under it what can be tapped."""
    menu = payload.get("menu") or {}
    words = payload.get("text") or (payload.get("media") or {}).get("caption")
    titles = [choice["title"] for choice in (*payload.get("buttons", ()), *menu.get("rows", ()))]
    return "\n".join([words or "", *(f"[{title}]" for title in titles)]) if titles else words


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
