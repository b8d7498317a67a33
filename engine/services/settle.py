"""What news of a send means: how far it came, that it was accepted after all, or that it must go as a template.

Evidence counts in every state of a row that is not final, in any order (R27).
"""

from engine.core.flow import Millis
from engine.store import asking, bubbles, contacts, conversations, evidence, journal, marks, outbox, pauses
from engine.store.connection import Tx
from engine.store.journal import About, Record
from engine.store.outbox import RANK, Letter, Row

WINDOW_CLOSED = 131047
STOPPED = 131050
"""The person stopped the business's marketing at the platform; the caps of 131049 and 130472 are not the person's word."""
UNSETTLED = ("pending", "sending", "uncertain", "review")


def apply_news(
    tx: Tx,
    now: Millis,
    row: Row,
    status: str,
    at: Millis,
    provider_id: str | None,
    *,
    code: int | None = None,
    detail: str | None = None,
) -> None:
    """Move a row's delivery forward, never back; settle a row whose answer we never got."""
    if row.delivery is not None and RANK.get(status, 0) <= RANK.get(row.delivery, 0):
        say(tx, now, row, "ignored", "older_status", status=status)
        return
    outbox.deliver(tx, row.id, status, at, code)
    extra = {name: value for name, value in (("code", code), ("detail", detail)) if value is not None}
    say(tx, now, row, "delivery", None, **{"status": status, "part": row.part, **extra})
    if row.part < row.parts:
        bubbles.hold_next_part(tx, row, now)
    if status == "failed":
        _failed(tx, now, row, code)
    elif row.status in UNSETTLED:
        outbox.settle(tx, row.id, "sent", provider_id=provider_id, sent_at=now)
        say(tx, now, row, "sent", "send_settled", by="status", part=row.part, parts=row.parts)


def accepted(tx: Tx, now: Millis, row: Row, provider_id: str | None, pause: Millis) -> None:
    """A send has its answer: what was said about it before we knew its id can be told now."""
    if row.channel_id is None:
        return
    for news in evidence.about(tx, row.channel_id, provider_id) if provider_id else ():
        evidence.settle(tx, int(news["id"]), row.id)
        if news["status"] == "echo":
            say(tx, now, row, "orphan", resolved_by=f"outbox:{row.id}", id=provider_id)
            continue
        fresh = outbox.get(tx, row.id)
        if fresh is not None:
            apply_news(tx, now, fresh, str(news["status"]), int(news["at"]), provider_id, code=news["code"])
    unclaimed_echoes(tx, now, row.contact_id, pause)


def unclaimed_echoes(tx: Tx, now: Millis, contact_id: int, pause: Millis) -> None:
    """With nothing on the wire any more, an echo that no send of ours explains was typed by a person."""
    if asking.in_flight_to(tx, contact_id):
        return
    for found in evidence.open_echoes(tx, contact_id):
        evidence.settle(tx, int(found["id"]), 0)
        by_phone(
            tx,
            now,
            int(found["channel_id"]),
            contact_id,
            str(found["provider_id"]),
            found["detail"],
            int(found["at"]),
            pause,
        )


def by_phone(
    tx: Tx,
    now: Millis,
    channel_id: int,
    contact_id: int,
    provider_id: str,
    text: object,
    at: Millis,
    pause: Millis,
) -> None:
    """A person answered from the phone: the robot is quiet for a while (R21, R74), the words join the transcript."""
    pauses.begin(tx, contact_id, now, now + pause, "phone")
    conversation_id = conversations.latest_id(tx, contact_id)
    about = About(conversation_id=conversation_id, contact_id=contact_id, channel_id=channel_id)
    journal.record(tx, now, about, Record(outcome="human_takeover", facts={"source": "phone", "id": provider_id}))
    if conversation_id is None:
        return
    letter = Letter(
        action="phone",
        cause="operator",
        state="",
        payload={"text": text if isinstance(text, str) else None},
        status="sent",
        author="phone",
    )
    written = outbox.put(tx, letter, conversation_id, contact_id, channel_id, now)
    if written is not None:
        outbox.settle(tx, written, "sent", provider_id=provider_id, sent_at=at)


def say(tx: Tx, now: Millis, row: Row, outcome: str, reason: str | None = None, **facts: object) -> None:
    """Record news of one row."""
    about = About(conversation_id=row.conversation_id, contact_id=row.contact_id, channel_id=row.channel_id)
    told = {"outbox": row.id, "action": row.action, **facts}
    journal.record(tx, now, about, Record(outcome=outcome, reason=reason, event_id=row.event_id, facts=told))


def alarm(tx: Tx, now: Millis, row: Row, reason: str, to: str = "supervisor") -> None:
    """Put a conversation before a person."""
    marks.flag(tx, row.conversation_id, reason)
    say(tx, now, row, "alert", reason, to=to)


def _failed(tx: Tx, now: Millis, row: Row, code: int | None) -> None:
    """The platform took it and could not deliver it."""
    outbox.settle(tx, row.id, "failed", error_code=code, reason="not_delivered")
    if code == WINDOW_CLOSED and row.payload.get("template") and not row.as_template:
        again_as_template(tx, now, row)
        return
    alarm(tx, now, row, "send_failed")
    if code == STOPPED:
        opted_out_there(tx, now, row)


def opted_out_there(tx: Tx, now: Millis, row: Row) -> None:
    """The platform says that this person wants no more messages of this kind (R75)."""
    contacts.set_opt_out(tx, row.contact_id, now)
    say(tx, now, row, "opt_out", "platform")


def again_as_template(tx: Tx, now: Millis, row: Row) -> None:
    """The window was closed after all: the template beside the text goes instead, once."""
    letter = Letter(
        action=row.action,
        cause=row.cause,
        state=row.state,
        payload=row.payload,
        is_global=row.is_global,
        confirms_opt_out=row.confirms_opt_out,
        key=row.key,
        once_key=f"resend:{row.id}",
        as_template=True,
        event_id=row.event_id,
    )
    written = outbox.put(tx, letter, row.conversation_id, row.contact_id, row.channel_id, now)
    if written is not None:
        say(tx, now, row, "send_retry", "resend_as_template", resent_as=written)
