"""What news of a send means: how far it came, that it was accepted after all, or that it came to nothing.

Evidence counts in every state of a row that is not final, in any order (R27).
"""

from engine.core.flow import Millis
from engine.services.setbacks import reported
from engine.services.telling import say
from engine.store import asking, bubbles, conversations, evidence, journal, outbox, pauses, sent
from engine.store.connection import Tx
from engine.store.journal import About, Record
from engine.store.outbox import RANK, Letter, Row

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
    sent.deliver(tx, row.id, status, at, code)
    extra = {name: value for name, value in (("code", code), ("detail", detail)) if value is not None}
    say(tx, now, row, "delivery", None, **{"status": status, "part": row.part, **extra})
    if row.part < row.parts:
        bubbles.hold_next_part(tx, row, now)
    if status == "failed":
        reported(tx, now, row, code, detail)
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
            apply_news(
                tx,
                now,
                fresh,
                str(news["status"]),
                int(news["at"]),
                provider_id,
                code=news["code"],
                detail=news["detail"],
            )
    unclaimed_echoes(tx, now, row, pause)


def unclaimed_echoes(tx: Tx, now: Millis, row: Row, pause: Millis) -> None:
    """With nothing on the wire to a letter's person any more, an echo that no send of ours explains was typed by hand."""
    echoes = evidence.open_echoes(tx, row.conversation_id)
    if not echoes or asking.in_flight_to(tx, int(echoes[0]["contact_id"])):
        return
    for found in echoes:
        evidence.settle(tx, int(found["id"]), 0)
        by_phone(
            tx,
            now,
            int(found["channel_id"]),
            int(found["contact_id"]),
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
