"""What a person does in a conversation: write, pause, give back, decide about what was held, retry, settle (R36, R74)."""

from collections.abc import Mapping

from engine.core.errors import NotFound, Refused
from engine.core.flow import Millis
from engine.core.permissions import Actor
from engine.runtime import Runtime
from engine.services.giving_back import decided, given_back
from engine.services.handwriting import queued
from engine.services.talk_unit import NOBODY, audited, existing, held, write
from engine.services.telling import say
from engine.store import assignments, contacts, journal, marks, outbox, proofs
from engine.store.connection import Tx
from engine.store.journal import Record
from engine.store.proofs import Proof

CANCELLED = ("pending", "held", "failed", "review")
"""Letters that a person may take back: nothing of them is on the wire."""
LONGEST, PROOF_LONGEST = 4_096, 500


async def write_by_hand(
    runtime: Runtime, conversation_id: int, text: str, form_token: str, actor: Actor, *, seen: str | None = None
) -> bool:
    """Queue a person's own message and pause the robot; False when this form was sent already (a double click).

    `seen` is the state that the person saw: Refused("state_changed") when the conversation is in another by now.
    """
    words = text.strip()
    if not words:
        raise Refused("empty_message")
    if len(words) > LONGEST:
        raise Refused("message_too_long", limit=LONGEST, length=len(words))
    payload = {"text": words}
    return await write(
        runtime, conversation_id, lambda tx: queued(tx, runtime, conversation_id, payload, form_token, actor, seen=seen)
    )


async def pause(runtime: Runtime, conversation_id: int, duration: Millis, actor: Actor) -> None:
    """Pause the robot for the contact; the silence clock stands still (R15, R74)."""

    def unit(tx: Tx) -> None:
        now = runtime.clock.now()
        held(tx, existing(tx, conversation_id), now, now + duration, actor, "paused")

    await write(runtime, conversation_id, unit)


async def take(runtime: Runtime, conversation_id: int, duration: Millis, actor: Actor, user_id: int) -> None:
    """A person answers from now on; it is theirs when it was nobody's.

    Raises Refused("taken_already") when another person holds the chat.
    """

    def unit(tx: Tx) -> None:
        now = runtime.clock.now()
        conversation = existing(tx, conversation_id)
        person = contacts.row(tx, conversation.contact_id)
        holder, until = person["paused_by"], person["paused_until"]
        if isinstance(until, int) and until > now and holder not in (*NOBODY, actor.who):
            raise Refused("taken_already", who=holder, until=until)
        held(tx, conversation, now, now + duration, actor, "took")
        if assignments.of(tx, conversation.id) is None:
            assignments.assign(tx, conversation.id, user_id, actor.who, now)

    await write(runtime, conversation_id, unit)


async def give_back(
    runtime: Runtime,
    conversation_id: int,
    actor: Actor,
    *,
    send_held: bool | None = None,
    decisions: Mapping[int, bool] | None = None,
) -> int:
    """End the pause now; what it held back is sent or dropped, as the person says: all of it, or letter by letter. How
    many letters it was. Raises Refused("held_undecided").
    """
    return await write(
        runtime,
        conversation_id,
        lambda tx: given_back(
            tx, runtime.clock.now(), existing(tx, conversation_id), actor, send_held=send_held, decisions=decisions
        ),
    )


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
            done = outbox.settle(tx, row.id, "sent", was=row.status, sent_at=now, reason="said_by_person")
        else:
            done = outbox.settle(tx, row.id, "pending", was=row.status, due_at=now, reason="again_by_person")
        if not done:  # somebody else decided at the same time
            raise Refused("send_is_settled", status=row.status)
        outcome, reason = ("sent", "said_by_person") if arrived else ("send_retry", "again_by_person")
        say(tx, now, row, outcome, reason, by=actor.who)
        marks.flag(tx, row.conversation_id, None)
        audited(tx, now, actor, "send.decide", str(row.id), {"arrived": arrived})

    await write(runtime, f"outbox:{outbox_id}", unit)


async def cancel_send(runtime: Runtime, outbox_id: int, actor: Actor) -> None:
    """A letter that is not on the wire shall not leave any more. Raises NotFound, Refused("send_is_settled")."""

    def unit(tx: Tx) -> None:
        now = runtime.clock.now()
        row = outbox.get(tx, outbox_id)
        if row is None:
            raise NotFound("send", outbox_id)
        may = row.status in CANCELLED
        if not may or not outbox.settle(tx, row.id, "cancelled", was=row.status, reason="cancelled_by_person"):
            raise Refused("send_is_settled", status=row.status)
        say(tx, now, row, "suppressed", "cancelled_by_person", by=actor.who)
        if row.status in ("failed", "review"):
            marks.flag(tx, row.conversation_id, None)
        audited(tx, now, actor, "send.cancel", str(row.id), {"was": row.status})

    await write(runtime, f"outbox:{outbox_id}", unit)


async def decide_held(runtime: Runtime, conversation_id: int, outbox_id: int, actor: Actor, *, send: bool) -> None:
    """One letter that a pause holds back is sent or dropped, while the chat stays held.

    Raises NotFound, Refused("send_is_settled").
    """

    def unit(tx: Tx) -> None:
        now = runtime.clock.now()
        conversation = existing(tx, conversation_id)
        row = next((one for one in outbox.withheld(tx, conversation.contact_id) if one.id == outbox_id), None)
        if row is None:
            raise Refused("send_is_settled")
        decided(tx, now, row, actor, send=send)
        audited(tx, now, actor, "send.decide_held", str(row.id), {"sent": send})

    await write(runtime, conversation_id, unit)


async def seen(runtime: Runtime, conversation_id: int, actor: Actor) -> None:
    """A person looked at it and nothing more is to be done: it needs nobody any more."""

    def unit(tx: Tx) -> None:
        now = runtime.clock.now()
        conversation = existing(tx, conversation_id)
        facts = {"by": actor.who, "was": conversation.attention}
        marks.flag(tx, conversation.id, None)
        journal.record(tx, now, conversation.about, Record(outcome="note", reason="seen_by_person", facts=facts))
        audited(tx, now, actor, "conversation.seen", str(conversation.id), facts)

    await write(runtime, conversation_id, unit)


async def opt_in(runtime: Runtime, conversation_id: int, actor: Actor, words: str = "") -> None:
    """The person wants messages, perhaps again, and said so to a supervisor, who notes the words (R73, R75)."""
    said = " ".join(words.split())[:PROOF_LONGEST]

    def unit(tx: Tx) -> None:
        now = runtime.clock.now()
        conversation = existing(tx, conversation_id)
        person = conversation.contact_id
        if contacts.row(tx, person)["opt_out_at"] is not None:
            contacts.set_opt_out(tx, person, None)
            entry = Record(outcome="opt_in", reason="supervisor", facts={"by": actor.who})
            journal.record(tx, now, conversation.about, entry)
        proof = Proof(contact_id=person, at=now, source=proofs.SUPERVISOR, words=said, who=actor.who)
        proofs.record(tx, [proof], now)
        audited(tx, now, actor, "contact.opt_in", str(person), {})

    await write(runtime, conversation_id, unit)
