"""News of what we sent: statuses and echoes, in any order, even before the send's own answer (R21, R27)."""

from engine.core.flow import Millis
from engine.core.inbound import Echo, Status
from engine.services.inquire import ask_now
from engine.services.intake import Arrival, note, whose
from engine.services.recognise import recognised
from engine.services.settle import apply_news, by_phone
from engine.store import asking, contacts, evidence, inbox, outbox
from engine.store.connection import Tx
from engine.store.outbox import Row

PREFIX = "outbox:"


def status(tx: Tx, arrival: Arrival, item: Status) -> None:
    """Keep the news, then apply it to the row that it is about, if that row can be told already."""
    channel_id = arrival.channel_id or 0
    row = outbox.by_provider(tx, channel_id, item.provider_id) or _correlated(tx, channel_id, item.correlation)
    kept = evidence.put(
        tx,
        channel_id,
        item.provider_id,
        item.status,
        item.at,
        arrival.now,
        correlation=item.correlation,
        code=item.code,
        detail=item.detail,
        settled_by=None if row is None else row.id,
    )
    if kept is None:
        note(tx, arrival, "duplicate", id=item.provider_id, status=item.status)
        return
    if row is not None:
        apply_news(tx, arrival.now, row, item.status, item.at, item.provider_id, code=item.code, detail=item.detail)
        return
    if item.ours is False and inbox.known(tx, channel_id, item.provider_id) is not None:
        evidence.settle(tx, kept, 0)
        note(tx, arrival, "ignored", "status_of_inbound", id=item.provider_id, status=item.status)
        return
    hint = {"hint": "inbound message missing"} if item.ours is False else {}
    note(tx, arrival, "orphan", id=item.provider_id, status=item.status, facts=hint)
    if item.ours and item.person is not None and (contact_id := contacts.known(tx, item.person)) is not None:
        ask_now(tx, arrival.now, contact_id, channel_id)


def echo(tx: Tx, arrival: Arrival, item: Echo, pause: Millis) -> None:
    """Our own number wrote: one of our sends seen from outside, or a person on the phone, who pauses the robot.

    While a send to the same person is on the wire nobody can tell; the echo waits for its answer. One whose answer
    got lost is recognised by its words.
    """
    channel_id = arrival.channel_id or 0
    row = outbox.by_provider(tx, channel_id, item.provider_id)
    if row is not None:
        note(tx, arrival, "ignored", "own_echo", contact_id=row.contact_id, outbox=row.id, id=item.provider_id)
        return
    found = whose(tx, arrival, item.person, claim="echo")
    if found is None:
        note(tx, arrival, "orphan", "no_recipient", id=item.provider_id)
        return
    flying = asking.in_flight_to(tx, found.contact_id)
    unproven = asking.unproven_to(tx, found.contact_id, channel_id)
    kept = evidence.put(
        tx,
        channel_id,
        item.provider_id,
        "echo",
        item.at,
        arrival.now,
        contact_id=found.contact_id,
        detail=item.text,
    )
    if kept is None:
        note(tx, arrival, "duplicate", id=item.provider_id)
    elif any(recognised(tx, arrival.now, row, pause) for row in unproven):
        return
    elif flying:
        note(tx, arrival, "orphan", "echo_during_send", contact_id=found.contact_id, id=item.provider_id)
    else:
        evidence.settle(tx, kept, 0)
        by_phone(tx, arrival.now, channel_id, found.contact_id, item.provider_id, item.text, item.at, pause)


def _correlated(tx: Tx, channel_id: int, correlation: str | None) -> Row | None:
    """The row that a status names by what we put into the send."""
    if correlation is None or not correlation.startswith(PREFIX):
        return None
    number = correlation.removeprefix(PREFIX)
    row = outbox.get(tx, int(number)) if number.isascii() and number.isdigit() and len(number) < 18 else None
    return row if row is not None and row.channel_id == channel_id else None
