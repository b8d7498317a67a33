"""A webhook comes in: prove the sender, read the body, commit every item, and only then answer 2xx (R20)."""

from collections.abc import Awaitable, Mapping
from dataclasses import dataclass

from engine.adapters.bodies import beginning, decode
from engine.adapters.channels.protocol import Channel, ChannelConfig
from engine.adapters.channels.registry import CHANNELS
from engine.adapters.payments.protocol import Notice
from engine.adapters.payments.registry import PLATFORMS
from engine.adapters.reading import number
from engine.core.canonical import canonical
from engine.core.errors import BadSignature, BodyTooLarge, NotFound, StaleConversation, StoreUnavailable, UnreadableBody
from engine.core.rationing import counted
from engine.runtime import Runtime
from engine.services import doors, sources
from engine.services.intake import Arrival, note
from engine.services.take_body import commit, keep
from engine.store import inbox
from engine.store.connection import Tx

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
        marks=runtime.vault.marks,
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
    await commit(runtime, arrival, channel.parse(record.config, body, arrival.now), {})
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
        marks=runtime.vault.marks,
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
    await commit(runtime, arrival, platform.parse(source.config, notice), source.events, source.flow_of)
    return Answer(platform.answer, "ok")


async def _refuse(runtime: Runtime, arrival: Arrival, raw: bytes, refusal: BadSignature | UnreadableBody) -> None:
    """Say that somebody was turned away; of a body that nobody could read keep the beginning."""
    if isinstance(refusal, BadSignature):
        await _turn_away(runtime, arrival, refusal.reason)
        return
    excerpt = beginning(raw, inbox.EXCERPT)

    def unit(tx: Tx) -> None:
        keep(tx, arrival, "unreadable", "malformed", canonical({"excerpt": excerpt}))
        note(tx, arrival, "rejected", "malformed")

    await runtime.store.write(arrival.webhook_id, unit)


async def _turn_away(runtime: Runtime, arrival: Arrival, reason: str) -> None:
    """Anybody can knock without proof, as often as he likes: so the log gets a few rows a minute and a count."""
    door = {"source": arrival.source_id} if arrival.channel_id is None else {"channel": arrival.channel_id}
    runtime.refusals[str(door)], passed_over = counted(runtime.refusals.get(str(door)), arrival.now)
    if passed_over is not None:
        told = {**door, "unrecorded": passed_over} if passed_over else door
        await runtime.store.write(arrival.webhook_id, lambda tx: note(tx, arrival, "rejected", reason, facts=told))
