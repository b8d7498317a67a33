"""A body that was kept is taken in again, by the same door: what was not understood then may be understood now (R20).

Safe to ask for as often as one likes. Each thing in a body has an id of its origin, so what was taken in before is a
repetition now; a body that was understood is not taken in again at all. What only says how things stood when it came, a
connection that fell, is left out when there is newer news. Of a notice that its platform has to be asked about, and that
was asked about in vain, it is asked anew.
"""

from dataclasses import dataclass
from functools import partial

from engine.core.errors import NotFound, Refused, StaleConversation, StoreUnavailable
from engine.core.flow import Millis
from engine.core.inbound import ChannelNews, Parsed
from engine.core.permissions import Actor
from engine.runtime import Runtime
from engine.services.bodies import read_again
from engine.services.channels import CHANNELS, ChannelRecord
from engine.services.intake import Arrival
from engine.services.sources import SOURCES, SourceRecord
from engine.services.take_body import commit, verdict_of
from engine.store import audit, bodies, inbox, inquiries
from engine.store.bodies import FETCH_FAILED, Body
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
    if not body.whole:
        raise Refused("body_not_whole")
    record = await _door(runtime, body)
    if body.reason == FETCH_FAILED:
        await runtime.store.write(body.id, lambda tx: _asked_anew(tx, body, actor, runtime.clock.now()))
        return Replayed("parsed", None, body.verdict)
    parsed = _without_old_news(read_again(record.config, body), record, body)
    arrival = Arrival(
        marks=runtime.vault.marks,
        now=runtime.clock.now(),
        flows=runtime.flows,
        webhook_id=body.id,
        flow=record.flow,
        channel_id=body.channel_id,
        source_id=body.source_id,
    )
    verdict, reason = verdict_of(parsed)
    keep = partial(_thought, body_id=body.id, verdict=verdict, reason=reason)
    names, flow_of = (record.events, record.flow_of) if isinstance(record, SourceRecord) else ({}, None)
    try:
        await commit(runtime, arrival, parsed, names, flow_of, keep)
    except (StoreUnavailable, StaleConversation):
        raise
    except Exception as defect:  # noqa: BLE001 - the defect that the body met before; `commit` has written it down
        verdict, reason = "failed", type(defect).__name__
    await runtime.store.write(body.id, lambda tx: _noted(tx, body, verdict, actor, arrival.now))
    return Replayed(verdict, reason, body.verdict)


def _asked_anew(tx: Tx, body: Body, actor: Actor, now: Millis) -> None:
    inquiries.again_of(tx, body.id, now)
    inbox.mark(tx, body.id, "parsed")
    _noted(tx, body, "parsed", actor, now)


def _noted(tx: Tx, body: Body, verdict: str, actor: Actor, now: Millis) -> None:
    facts = {"before": body.verdict, "verdict": verdict}
    audit.note(tx, now, actor, "webhook.replayed", subject=body.id, facts=facts)


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
    inbox.mark(tx, body_id, verdict, reason)
