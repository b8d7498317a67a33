"""The chat goes back to the robot: now, at a moment, or later by itself; what was held is decided by a person (R36, R74)."""

from collections.abc import Mapping

from engine.core.errors import Refused
from engine.core.flow import DAY, Millis
from engine.core.permissions import Actor
from engine.runtime import Runtime
from engine.services.talk_unit import audited, existing, write
from engine.services.telling import say
from engine.store import journal, marks, outbox, pauses
from engine.store.connection import Tx
from engine.store.conversations import Conversation
from engine.store.journal import Record
from engine.store.outbox import Row

__all__ = ["FURTHEST", "decided", "give_back_at", "given_back"]

FURTHEST = 30 * DAY
"""How far away the moment may be at which the robot gets the chat back."""


def given_back(
    tx: Tx,
    now: Millis,
    conversation: Conversation,
    actor: Actor,
    *,
    send_held: bool | None,
    decisions: Mapping[int, bool] | None,
) -> int:
    """End the pause; how many letters it held. `decisions` says of a letter whether it is sent, `send_held` of all
    others. Raises Refused("held_undecided") for one of which neither says anything.
    """
    waiting = outbox.withheld(tx, conversation.contact_id)
    chosen = {row.id: (decisions or {}).get(row.id, send_held) for row in waiting}
    if None in chosen.values():
        raise Refused("held_undecided")
    pauses.end(tx, conversation.contact_id, now, now)
    for row in waiting:
        decided(tx, now, row, actor, send=bool(chosen[row.id]))
    sent = sum(map(bool, chosen.values()))
    facts = {"by": actor.who, "held": len(waiting), "sent": sent == len(waiting) if waiting else bool(send_held)}
    if 0 < sent < len(waiting):
        facts["going_out"] = sent
    journal.record(tx, now, conversation.about, Record(outcome="note", reason="given_back", facts=facts))
    marks.flag(tx, conversation.id, None)
    audited(tx, now, actor, "conversation.give_back", str(conversation.id), facts)
    return len(waiting)


def decided(tx: Tx, now: Millis, row: Row, actor: Actor, *, send: bool) -> None:
    """A letter that a pause holds back goes out or is dropped; one that somebody decided about before stays as it is."""
    status = "pending" if send else "cancelled"
    if outbox.settle(tx, row.id, status, was="held", due_at=now, reason="given_back") and not send:
        say(tx, now, row, "suppressed", "dropped_by_person", by=actor.who)


async def give_back_at(runtime: Runtime, conversation_id: int, until: Millis, actor: Actor) -> None:
    """The robot is quiet until then and no longer; what is held then waits for a person, who is told.

    Raises Refused("not_a_moment") for one that is over or too far away.
    """

    def unit(tx: Tx) -> None:
        now = runtime.clock.now()
        if not now < until <= now + FURTHEST:
            raise Refused("not_a_moment")
        conversation = existing(tx, conversation_id)
        pauses.end_at(tx, conversation.contact_id, now, until, actor.who)
        facts = {"by": actor.who, "until": until}
        journal.record(tx, now, conversation.about, Record(outcome="note", reason="gives_back_at", facts=facts))
        audited(tx, now, actor, "conversation.give_back_at", str(conversation.id), facts)

    await write(runtime, conversation_id, unit)
