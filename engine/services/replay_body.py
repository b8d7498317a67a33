"""A body that was kept is taken in again, by the same door: what was not understood then may be understood now (R20).

Safe to ask for as often as one likes. Each thing in a body has an id of its origin, so what was taken in before is a
repetition now; a body that was understood is not taken in again at all. What only says how things stood when it came, a
connection that fell, is left out when there is newer news.
"""

from dataclasses import dataclass
from functools import partial

from engine.core.errors import NotFound, Refused, StaleConversation, StoreUnavailable
from engine.core.inbound import ChannelNews, Parsed
from engine.core.permissions import Actor
from engine.runtime import Runtime
from engine.services.bodies import read_again
from engine.services.channels import CHANNELS, ChannelRecord
from engine.services.intake import Arrival
from engine.services.receive import commit, verdict_of
from engine.services.sources import SOURCES, SourceRecord
from engine.store import audit, bodies
from engine.store.bodies import Body
from engine.store.connection import Tx

__all__ = ["Replayed", "replay"]


@dataclass(frozen=True, slots=True)
class Replayed:
    """What is thought of the body now. `before` is what was thought when it was asked for: parsed means that nothing
    was done, because it was taken in already.
    """

    verdict: str
    reason: str | None
    before: str


async def replay(runtime: Runtime, body_id: str, actor: Actor) -> Replayed:
    """Take a kept body in once more. Ages count from now: what is too old to be answered is stored and not answered.

    Raises NotFound, StoreUnavailable, and Refused: body_not_whole (an excerpt was kept), door_removed (nobody lives at
    its door any more).
    """
    body = await runtime.store.read(lambda tx: bodies.body(tx, body_id))
    if body is None:
        raise NotFound("body", body_id)
    if body.verdict == "parsed":
        return Replayed(body.verdict, body.reason, body.verdict)
    if body.verdict == "unreadable":
        raise Refused("body_not_whole")
    record = await _door(runtime, body)
    parsed = _without_old_news(read_again(record.config, body), record, body)
    arrival = Arrival(
        now=runtime.clock.now(),
        flows=runtime.flows,
        webhook_id=body.id,
        flow=record.flow,
        channel_id=body.channel_id,
        source_id=body.source_id,
    )
    verdict, reason = verdict_of(parsed)
    keep = partial(_thought, body_id=body.id, verdict=verdict, reason=reason)
    try:
        await commit(runtime, arrival, parsed, record.events if isinstance(record, SourceRecord) else {}, keep)
    except (StoreUnavailable, StaleConversation):
        raise
    except Exception as defect:  # noqa: BLE001 - the defect that the body met before; `commit` has written it down
        verdict, reason = "failed", type(defect).__name__
    facts = {"before": body.verdict, "verdict": verdict}
    await runtime.store.write(
        body.id, lambda tx: audit.note(tx, arrival.now, actor, "webhook.replayed", subject=body.id, facts=facts)
    )
    return Replayed(verdict, reason, body.verdict)


async def _door(runtime: Runtime, body: Body) -> ChannelRecord | SourceRecord:
    try:
        if body.channel_id is not None:
            return await CHANNELS.by_id(runtime, body.channel_id)
        return await SOURCES.by_id(runtime, body.source_id or 0)
    except NotFound:
        raise Refused("door_removed") from None


def _without_old_news(parsed: Parsed, record: ChannelRecord | SourceRecord, body: Body) -> Parsed:
    if isinstance(record, SourceRecord) or record.state_at <= body.received_at:
        return parsed
    return Parsed(tuple(item for item in parsed.items if not isinstance(item, ChannelNews)), parsed.kept)


def _thought(tx: Tx, body_id: str, verdict: str, reason: str | None) -> None:
    bodies.settle(tx, body_id, verdict, reason)
