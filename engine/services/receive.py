"""A webhook comes in: prove the sender, read the body, commit every item, and only then answer 2xx (R20)."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

from engine.adapters.bodies import beginning, decode, written
from engine.adapters.channels.protocol import Channel, ChannelConfig
from engine.adapters.channels.registry import CHANNELS
from engine.adapters.payments.protocol import Notice
from engine.adapters.payments.registry import PLATFORMS
from engine.adapters.reading import number
from engine.core.canonical import canonical
from engine.core.errors import BadSignature, BodyTooLarge, NotFound, StaleConversation, StoreUnavailable, UnreadableBody
from engine.core.inbound import Item, Message, Parsed, Payment, Person, Unknown
from engine.core.rationing import counted
from engine.runtime import Runtime
from engine.services import doors, sources
from engine.services.intake import Arrival, note
from engine.services.take import take
from engine.services.take_message import Letter, messages
from engine.store import inbox
from engine.store.connection import Tx
from engine.store.joint import Joint

CHANNEL_LIMIT = 4 * 1024 * 1024
PAYMENT_LIMIT = 256 * 1024


@dataclass(frozen=True, slots=True)
class Answer:
    """What the web answers: a status and a plain text."""

    status: int
    text: str = ""


async def handshake(runtime: Runtime, token: str, query: Mapping[str, str]) -> Answer:
    """A platform asks whether this address is ours."""
    record = await doors.at(runtime, token)
    if record is None:
        raise NotFound("channel", "of this address")
    challenge = CHANNELS[record.config.kind].handshake(record.config, query)
    return Answer(403) if challenge is None else Answer(200, challenge)


async def webhook(runtime: Runtime, token: str, headers: Mapping[str, str], raw: bytes) -> Answer:
    """Messages, statuses and news of a channel. Raises StoreUnavailable when the platform must come again."""
    return await _answered(_webhook(runtime, token, headers, raw))


async def payment(
    runtime: Runtime, token: str, headers: Mapping[str, str], query: Mapping[str, str], raw: bytes
) -> Answer:
    """A notice of a payment platform; the same promises as `webhook`."""
    return await _answered(_payment(runtime, token, headers, query, raw))


async def _answered(work: Awaitable[Answer]) -> Answer:
    """What a platform must be told: come again whole (400), never (401, 404, 413), or later (503)."""
    try:
        return await work
    except BadSignature as refusal:
        return Answer(401, str(refusal))
    except UnreadableBody:
        return Answer(400, "the body cannot be read")
    except BodyTooLarge as refusal:
        return Answer(413, str(refusal))
    except NotFound:
        return Answer(404, "nobody lives here")
    except (StoreUnavailable, StaleConversation):
        return Answer(503, "try again")


async def _webhook(runtime: Runtime, token: str, headers: Mapping[str, str], raw: bytes) -> Answer:
    record = await doors.at(runtime, token)
    if record is None:
        raise NotFound("channel", "of this address")
    channel = CHANNELS[record.config.kind]
    if not _proves(channel, record.config, headers, raw):
        record = await doors.at(runtime, token, anew=True) or record  # its secret may have changed this second
    arrival = Arrival(
        now=runtime.clock.now(),
        flows=runtime.flows,
        webhook_id=runtime.ids.uuid(),
        flow=record.flow,
        channel_id=record.config.id,
    )
    limit = number(record.config.settings.get("max_body")) or CHANNEL_LIMIT
    if len(raw) > limit:
        raise BodyTooLarge(limit)
    try:
        channel.verify(record.config, headers, raw)
        body = decode(raw, limit)
    except (BadSignature, UnreadableBody) as refusal:
        await _refuse(runtime, arrival, raw, refusal)
        raise
    await _commit(runtime, arrival, channel.parse(record.config, body, arrival.now), {})
    return Answer(200, "ok")


def _proves(channel: Channel, config: ChannelConfig, headers: Mapping[str, str], raw: bytes) -> bool:
    try:
        channel.verify(config, headers, raw)
    except BadSignature:
        return False
    return True


async def _payment(
    runtime: Runtime, token: str, headers: Mapping[str, str], query: Mapping[str, str], raw: bytes
) -> Answer:
    source = await runtime.store.read(lambda tx: sources.source_by_token(tx, runtime.vault, token))
    if source is None:
        raise NotFound("payment source", "of this address")
    platform = PLATFORMS[source.config.platform]
    arrival = Arrival(
        now=runtime.clock.now(),
        flows=runtime.flows,
        webhook_id=runtime.ids.uuid(),
        flow=source.flow,
        source_id=source.config.id,
    )
    body: Mapping[str, object] | None
    try:
        body, broken = decode(raw, PAYMENT_LIMIT), None
    except UnreadableBody as refusal:
        body, broken = None, refusal
    notice = Notice(raw=raw, body=body, received_at=arrival.now, headers=headers, query=query)
    try:
        platform.proof.verify(source.config, notice)
        if body is None:
            raise broken or UnreadableBody
    except (BadSignature, UnreadableBody) as refusal:
        await _refuse(runtime, arrival, raw, refusal)
        raise
    await _commit(runtime, arrival, platform.parse(source.config, notice), source.events, source.flow_of)
    return Answer(platform.answer, "ok")


async def _commit(
    runtime: Runtime,
    arrival: Arrival,
    parsed: Parsed,
    names: Mapping[str, str],
    flow_of: Callable[[Payment], str | None] | None = None,
) -> None:
    """One unit an item, all waiting together: a bad item costs nobody else, and the platform is asked to repeat it.

    The body is kept with the first item. `flow_of` says which flow a payment belongs to, None for the arrival's own.
    Raises what an item raised, when the database is well.
    """

    def routed(item: Item) -> Arrival:
        flow = flow_of(item) if flow_of is not None and isinstance(item, Payment) else None
        return arrival if flow is None else replace(arrival, flow=flow)

    unknown = next((item for item in parsed.items if isinstance(item, Unknown)), None)
    keep = partial(
        _keep,
        arrival=arrival,
        verdict="parsed" if unknown is None else "unknown",
        reason=None if unknown is None else unknown.reason,
        body=written(parsed.kept),
    )
    if not parsed.items:
        await runtime.store.write(arrival.webhook_id, keep)
        return
    units = [(item, _unit(routed(item), item, names, keep if n == 0 else None)) for n, item in enumerate(parsed.items)]
    writes = [runtime.store.write(_key(arrival, item), unit) for item, unit in units]
    results = await asyncio.gather(*writes, return_exceptions=True)
    failures = [result for result in results if isinstance(result, BaseException)]
    for failure in failures:
        if not isinstance(failure, StoreUnavailable):
            raise failure
    if failures:
        raise failures[0]


@dataclass(frozen=True, slots=True)
class _Unit:
    """The unit that takes an item which is no message, and keeps the body that it came in."""

    arrival: Arrival
    item: Item
    names: Mapping[str, str]
    keep: Callable[[Tx], None] | None

    def __call__(self, tx: Tx) -> None:
        if self.keep is not None:
            self.keep(tx)
        take(tx, self.arrival, self.item, self.names)


def _unit(
    arrival: Arrival, item: Item, names: Mapping[str, str], keep: Callable[[Tx], None] | None
) -> Callable[[Tx], None]:
    if isinstance(item, Message):
        return Joint(messages, Letter(arrival, item, keep))
    return _Unit(arrival, item, names, keep)


def _key(arrival: Arrival, item: Item) -> str:
    """One person's items go through one lane, in order."""
    return f"contact:{_name(getattr(item, 'person', None)) or arrival.webhook_id}"


async def _refuse(runtime: Runtime, arrival: Arrival, raw: bytes, refusal: BadSignature | UnreadableBody) -> None:
    """Say that somebody was turned away; of a body that nobody could read keep the beginning."""
    if isinstance(refusal, BadSignature):
        await _turn_away(runtime, arrival, refusal.reason)
        return
    excerpt = beginning(raw, inbox.EXCERPT)

    def unit(tx: Tx) -> None:
        _keep(tx, arrival, "unreadable", "malformed", canonical({"excerpt": excerpt}))
        note(tx, arrival, "rejected", "malformed")

    await runtime.store.write(arrival.webhook_id, unit)


async def _turn_away(runtime: Runtime, arrival: Arrival, reason: str) -> None:
    """Anybody can knock without proof, as often as he likes: so the log gets a few rows a minute and a count."""
    door = {"source": arrival.source_id} if arrival.channel_id is None else {"channel": arrival.channel_id}
    runtime.refusals[str(door)], passed_over = counted(runtime.refusals.get(str(door)), arrival.now)
    if passed_over is not None:
        told = {**door, "unrecorded": passed_over} if passed_over else door
        await runtime.store.write(arrival.webhook_id, lambda tx: note(tx, arrival, "rejected", reason, facts=told))


def _keep(tx: Tx, arrival: Arrival, verdict: str, reason: str | None, body: str) -> None:
    inbox.keep_body(
        tx,
        arrival.webhook_id,
        arrival.now,
        verdict,
        body,
        channel_id=arrival.channel_id,
        source_id=arrival.source_id,
        reason=reason,
    )


def _name(person: Person | None) -> str | None:
    return None if person is None else person.phone or person.bsuid or person.lid or person.reference
