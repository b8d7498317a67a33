"""Ask payment platforms what their notices do not say: claimed in one short transaction, asked in none, the answer
taken in as one more (R20, R25, R34). What fails is tried again, later each time, and in the end shown to a person.
"""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from engine.adapters.bodies import decode
from engine.adapters.http import MAX_ANSWER, HttpAnswer
from engine.adapters.payments.registry import PLATFORMS
from engine.core.errors import AnswerLost, BodyTooLarge, NotSent, UnreadableBody
from engine.core.flow import HOUR, SECOND, Millis
from engine.core.inbound import Parsed, Payment, Unknown
from engine.runtime import Runtime
from engine.services.intake import Arrival, note
from engine.services.sources import SourceRecord, source_within
from engine.services.take import take
from engine.store import inbox, inquiries
from engine.store.connection import Tx

FIRST_WAIT = SECOND
LONGEST_WAIT = HOUR
ATTEMPTS = 24
"""While a platform is away: about twelve hours in all."""
ATTEMPTS_REFUSED = 8
"""While it answers and will not say: about two minutes."""
_PASSING = (408, 425, 429)


@dataclass(frozen=True, slots=True)
class _Failure:
    """An attempt that did not help: why, and after how many of them a person has to look."""

    reason: str
    most: int


_Answer: TypeAlias = Parsed | _Failure


async def run(runtime: Runtime, inquiry_ids: Iterable[int]) -> None:
    """Make these inquiries, all at the same time: a slow answer keeps no other waiting."""
    await asyncio.gather(*(_one(runtime, inquiry_id) for inquiry_id in inquiry_ids))


async def _one(runtime: Runtime, inquiry_id: int) -> None:
    key, now = f"inquiry:{inquiry_id}", runtime.clock.now()

    def claim(tx: Tx) -> tuple[inquiries.Row, SourceRecord | None] | None:
        row = inquiries.claim(tx, inquiry_id, now)
        return None if row is None else (row, source_within(tx, runtime.vault, row.source_id))

    claimed = await runtime.store.write(key, claim)
    if claimed is None:
        return
    row, source = claimed
    answer = _Failure("source_removed", 1) if source is None else await _asked(runtime, source, row.about)
    now = runtime.clock.now()
    arrival = Arrival(
        marks=runtime.vault.marks,
        now=now,
        flows=runtime.flows,
        webhook_id=row.webhook_id,
        flow="" if source is None else source.flow,
        source_id=row.source_id,
    )
    await runtime.store.write(key, lambda tx: _settled(tx, arrival, row, source, answer))


async def _asked(runtime: Runtime, source: SourceRecord, about: Mapping[str, object]) -> _Answer:
    """One attempt, outside any transaction."""
    fetch = PLATFORMS[source.config.platform].fetch
    request = None if fetch is None else fetch.request(source.config, about)
    if fetch is None or request is None:
        return _Failure("not_configured", 1)
    try:
        answer = await runtime.http.request(request)
    except NotSent:
        return _Failure("not_sent", ATTEMPTS)
    except AnswerLost:
        return _Failure("answer_lost", ATTEMPTS)
    body = _read(answer)
    if isinstance(body, _Failure):
        return body
    parsed = fetch.answer(source.config, about, body, runtime.clock.now())
    unclear = next((item for item in parsed.items if isinstance(item, Unknown)), None)
    return parsed if unclear is None else _Failure(unclear.reason, ATTEMPTS_REFUSED)


def _read(answer: HttpAnswer) -> Mapping[str, object] | _Failure:
    """The body of a 2xx answer. Anything else is a failure: a redirect, a page of some proxy, half of a document."""
    if 300 <= answer.status < 400:
        return _Failure("redirect", ATTEMPTS)
    if not 200 <= answer.status < 300:
        passing = answer.status >= 500 or answer.status in _PASSING
        return _Failure(f"http_{answer.status}", ATTEMPTS if passing else ATTEMPTS_REFUSED)
    try:
        return decode(answer.body, MAX_ANSWER)
    except (UnreadableBody, BodyTooLarge):
        return _Failure("unreadable_answer", ATTEMPTS)


def _settled(tx: Tx, arrival: Arrival, row: inquiries.Row, source: SourceRecord | None, answer: _Answer) -> None:
    told = {"source": "" if source is None else source.config.name, "id": row.provider_id, "attempt": row.attempt}
    if isinstance(answer, _Failure):
        _failed(tx, arrival, row, answer, told)
        return
    if source is None or not inquiries.settle(tx, row, arrival.now, "done"):
        return
    inbox.mark(tx, row.webhook_id, "parsed")
    for item in answer.items:
        flow = source.flow_of(item) if isinstance(item, Payment) else None
        take(tx, replace(arrival, flow=flow or arrival.flow), item, source.events)


def _failed(tx: Tx, arrival: Arrival, row: inquiries.Row, failure: _Failure, told: Mapping[str, object]) -> None:
    if row.attempt < failure.most:
        wait = wait_after(row.attempt)
        if inquiries.postpone(tx, row, arrival.now + wait, failure.reason):
            note(tx, arrival, "note", "fetch_retry", facts=told, why=failure.reason, wait=wait)
    elif inquiries.settle(tx, row, arrival.now, "failed", failure.reason):
        inbox.mark(tx, row.webhook_id, "unreadable", "fetch_failed")
        note(tx, arrival, "alert", "fetch_failed", facts=told, why=failure.reason, to="admin")


def wait_after(attempt: int) -> Millis:
    """How long to wait after the attempt with this number, which counts from 1."""
    return min(FIRST_WAIT * 1 << min(attempt - 1, 20), LONGEST_WAIT)
