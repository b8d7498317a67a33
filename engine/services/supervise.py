"""What a person does in a conversation: write, pause, give back, decide about what was held, retry, settle (R36, R74)."""

from collections.abc import Callable, Mapping
from typing import TypeVar

from engine.core.errors import NotFound, Refused
from engine.core.events import Event
from engine.core.flow import Millis, Source
from engine.core.permissions import Actor
from engine.runtime import Runtime
from engine.services.telling import say
from engine.store import audit, contacts, conversations, journal, marks, outbox, pauses, queue
from engine.store.connection import Tx
from engine.store.conversations import Conversation
from engine.store.journal import Record
from engine.store.outbox import Letter

T = TypeVar("T")
LONGEST = 4_096


async def write_by_hand(runtime: Runtime, conversation_id: int, text: str, form_token: str, actor: Actor) -> bool:
    """Queue a person's own message and pause the robot; False when this form was sent already (a double click)."""
    words = text.strip()
    if not words:
        raise Refused("empty_message")
    if len(words) > LONGEST:
        raise Refused("message_too_long", limit=LONGEST, length=len(words))

    def unit(tx: Tx) -> bool:
        now = runtime.clock.now()
        conversation = _existing(tx, conversation_id)
        if conversation.followed_by is not None:
            raise Refused("talk_followed")
        event = Event(id=f"ui:{form_token}", type="", source=Source.HUMAN, at=now)
        fresh = queue.put(
            tx,
            event,
            now,
            conversation_id=conversation_id,
            contact_id=conversation.contact_id,
            outcome="manual",
        )
        if not fresh:
            journal.record(tx, now, conversation.about, Record(outcome="duplicate", facts={"form": form_token}))
            return False
        letter = Letter(
            action="manual",
            cause="operator",
            state=conversation.snapshot.state,
            payload={"text": words},
            event_id=event.id,
            author=actor.who,
        )
        outbox.put(tx, letter, conversation.id, conversation.contact_id, conversation.channel_id, now)
        marks.set_active(tx, conversation.id, now)
        flow = runtime.flows.within(tx, conversation.flow, conversation.flow_version)
        _pause(tx, conversation, now, now + flow.settings.human_pause, actor, "wrote")
        return True

    return await _write(runtime, conversation_id, unit)


async def pause(runtime: Runtime, conversation_id: int, duration: Millis, actor: Actor) -> None:
    """Pause the robot for the contact; the silence clock stands still (R15, R74)."""

    def unit(tx: Tx) -> None:
        now = runtime.clock.now()
        _pause(tx, _existing(tx, conversation_id), now, now + duration, actor, "paused")

    await _write(runtime, conversation_id, unit)


async def give_back(runtime: Runtime, conversation_id: int, actor: Actor, *, send_held: bool) -> int:
    """End the pause now; what it held back is sent or dropped, as the person says. How many letters it was."""

    def unit(tx: Tx) -> int:
        now = runtime.clock.now()
        conversation = _existing(tx, conversation_id)
        pauses.end(tx, conversation.contact_id, now, now)
        held = outbox.withheld(tx, conversation.contact_id)
        for row in held:
            outbox.settle(tx, row.id, "pending" if send_held else "cancelled", due_at=now, reason="given_back")
            if not send_held:
                say(tx, now, row, "suppressed", "dropped_by_person", by=actor.who)
        facts = {"by": actor.who, "held": len(held), "sent": send_held}
        journal.record(tx, now, conversation.about, Record(outcome="note", reason="given_back", facts=facts))
        marks.flag(tx, conversation.id, None)
        _audited(tx, now, actor, "conversation.give_back", str(conversation.id), facts)
        return len(held)

    return await _write(runtime, conversation_id, unit)


async def settle_unknown(runtime: Runtime, outbox_id: int, actor: Actor, *, arrived: bool) -> None:
    """A person decides about a send whose outcome is unknown: it arrived, or it is to be sent again (R27)."""

    def unit(tx: Tx) -> None:
        now = runtime.clock.now()
        row = outbox.get(tx, outbox_id)
        if row is None:
            raise NotFound("send", outbox_id)
        if row.status not in ("review", "failed", "uncertain"):
            raise Refused("send_is_settled", status=row.status)
        if arrived:
            outbox.settle(tx, row.id, "sent", sent_at=now, reason="said_by_person")
        else:
            outbox.settle(tx, row.id, "pending", due_at=now, reason="again_by_person")
        outcome, reason = ("sent", "said_by_person") if arrived else ("send_retry", "again_by_person")
        say(tx, now, row, outcome, reason, by=actor.who)
        marks.flag(tx, row.conversation_id, None)
        _audited(tx, now, actor, "send.decide", str(row.id), {"arrived": arrived})

    await _write(runtime, f"outbox:{outbox_id}", unit)


async def seen(runtime: Runtime, conversation_id: int, actor: Actor) -> None:
    """A person looked at it and nothing more is to be done: it needs nobody any more."""

    def unit(tx: Tx) -> None:
        now = runtime.clock.now()
        conversation = _existing(tx, conversation_id)
        facts = {"by": actor.who, "was": conversation.attention}
        marks.flag(tx, conversation.id, None)
        journal.record(tx, now, conversation.about, Record(outcome="note", reason="seen_by_person", facts=facts))
        _audited(tx, now, actor, "conversation.seen", str(conversation.id), facts)

    await _write(runtime, conversation_id, unit)


async def opt_in(runtime: Runtime, conversation_id: int, actor: Actor) -> None:
    """The person wants messages again and said so to a supervisor (R75)."""

    def unit(tx: Tx) -> None:
        now = runtime.clock.now()
        conversation = _existing(tx, conversation_id)
        contacts.set_opt_out(tx, conversation.contact_id, None)
        journal.record(
            tx, now, conversation.about, Record(outcome="opt_in", reason="supervisor", facts={"by": actor.who})
        )
        _audited(tx, now, actor, "contact.opt_in", str(conversation.contact_id), {})

    await _write(runtime, conversation_id, unit)


async def _write(runtime: Runtime, conversation_id: object, unit: Callable[[Tx], T]) -> T:
    """In the conversation's own lane, so that it is in order with what the robot does there."""
    return await runtime.store.write(f"conversation:{conversation_id}", unit)


def _existing(tx: Tx, conversation_id: int) -> Conversation:
    found = conversations.load(tx, conversation_id)
    if found is None:
        raise NotFound("conversation", conversation_id)
    return found


def _pause(tx: Tx, conversation: Conversation, now: Millis, until: Millis, actor: Actor, how: str) -> None:
    pauses.begin(tx, conversation.contact_id, now, until, actor.who)
    ends = contacts.row(tx, conversation.contact_id)["paused_until"]  # a longer pause that was on stays
    facts = {"source": "desk", "by": actor.who, "until": ends, "how": how}
    journal.record(tx, now, conversation.about, Record(outcome="human_takeover", facts=facts))
    _audited(tx, now, actor, "conversation.pause", str(conversation.id), facts)


def _audited(tx: Tx, now: Millis, actor: Actor, what: str, subject: str, facts: Mapping[str, object]) -> None:
    audit.append(tx, at=now, who=actor.who, what=what, subject=subject, facts=facts, address=actor.address)
