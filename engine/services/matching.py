"""One person or two? The pairs that something says are one, side by side, and what a person decides about them (R70)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.core.errors import NotFound, Refused
from engine.core.flow import Flow, Millis
from engine.core.inbound import Person
from engine.core.permissions import Actor
from engine.runtime import Runtime
from engine.services.merge import merge
from engine.store import audit, collisions, contacts, conversations, journal, sides
from engine.store.collisions import Collision
from engine.store.connection import Tx
from engine.store.journal import About, Record

__all__ = ["Question", "Questions", "Side", "Standing", "decide", "question_of", "questions", "standings"]

MOST = 50
LINES = 4
NUMBER_CHANGE = "number_change"


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """One of a person's talks. `flow` is the version that it runs on; `followed_by` what took its place."""

    id: int
    flow: Flow
    state: str
    active_at: Millis
    followed_by: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One of two contacts. Names and phone are whole: the page masks them by role. `lines` are (theirs, text, at)."""

    id: int
    name: str | None
    phone: str | None
    email: str | None
    known_since: Millis
    opted_out: bool
    paused: bool
    identities: tuple[tuple[str, str], ...]
    talks: tuple[Standing, ...]
    lines: tuple[tuple[bool, str, Millis], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A pair that waits for somebody: since when, what says that they are one, and the name that both claim."""

    id: int
    at: Millis
    via: str
    wanted: str
    one: Side
    other: Side


@dataclass(frozen=True, slots=True)
class Questions:
    """The pairs that wait, the oldest first, and how many there are in all."""

    listed: tuple[Question, ...]
    waiting: int
    now: Millis


async def questions(runtime: Runtime) -> Questions:
    """The pairs that nobody decided about."""
    now = runtime.clock.now()

    def unit(tx: Tx) -> Questions:
        found = collisions.open_ones(tx, MOST)
        return Questions(tuple(_question(tx, runtime, each, now) for each in found), collisions.waiting(tx), now)

    return await runtime.store.read(unit)


def question_of(tx: Tx, contact_id: int) -> int | None:
    """The pair of a contact that waits for somebody longest; None when nobody doubts."""
    return next((one.id for one in collisions.of_contact(tx, contact_id)), None)


def standings(tx: Tx, runtime: Runtime, contact_id: int) -> tuple[Standing, ...]:
    """Every talk of a contact, the one in which something was said last first."""
    return tuple(
        Standing(
            id=row["id"],
            flow=runtime.flows.within(tx, row["flow"], row["flow_version"]),
            state=row["state"],
            active_at=row["active_at"],
            followed_by=row["followed_by"],
        )
        for row in sides.talks(tx, contact_id)
    )


async def decide(runtime: Runtime, collision_id: int, actor: Actor, *, same: bool) -> None:
    """The pair is one person, and both histories become one; or two, and nobody is asked again.

    Raises NotFound, Refused("question_settled") when somebody was first.
    """

    def unit(tx: Tx) -> None:
        now = runtime.clock.now()
        asked = collisions.get(tx, collision_id)
        if asked is None:
            raise NotFound("question", collision_id)
        if asked.decision is not None:
            raise Refused("question_settled")
        if same:
            kept = merge(tx, runtime.flows, now, asked.one, asked.other, actor, asked.via, {"wanted": asked.wanted})
            if asked.via == NUMBER_CHANGE and asked.wanted.isdigit():
                contacts.follow(tx, kept, Person(phone=asked.wanted), now)
        else:
            _told_apart(tx, asked, actor, now)

    await runtime.store.write(f"collision:{collision_id}", unit)


def _told_apart(tx: Tx, asked: Collision, actor: Actor, now: Millis) -> None:
    collisions.decide(tx, asked.id, collisions.DIFFERENT, actor.who, now)
    for contact_id, other in ((asked.one, asked.other), (asked.other, asked.one)):
        about = About(contact_id=contact_id, conversation_id=conversations.latest_id(tx, contact_id))
        facts = {"by": actor.who, "others": [other]}
        journal.record(tx, now, about, Record(outcome="note", reason="told_apart", facts=facts))
    audit.note(tx, now, actor, "contact.told_apart", subject=str(asked.one), facts={"other": asked.other})


def _question(tx: Tx, runtime: Runtime, asked: Collision, now: Millis) -> Question:
    one, other = (_side(tx, runtime, contact_id, now) for contact_id in (asked.one, asked.other))
    return Question(id=asked.id, at=asked.at, via=asked.via, wanted=asked.wanted, one=one, other=other)


def _side(tx: Tx, runtime: Runtime, contact_id: int, now: Millis) -> Side:
    row: Mapping[str, Any] = contacts.row(tx, contact_id)
    return Side(
        id=contact_id,
        name=row["name"],
        phone=row["phone"],
        email=row["email"],
        known_since=row["created_at"],
        opted_out=row["opt_out_at"] is not None,
        paused=row["paused_until"] is not None and row["paused_until"] > now,
        identities=tuple((i["kind"], i["seen_as"]) for i in contacts.identities(tx, contact_id)),
        talks=standings(tx, runtime, contact_id),
        lines=tuple((bool(line["theirs"]), line["text"], line["at"]) for line in sides.lines(tx, contact_id, LINES)),
    )
