"""What the rules of routing need to know: whom a message answers, which flow it names, where its sender stands (R71)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from engine.core.errors import InvalidDocument, NotFound
from engine.core.flow import Flow
from engine.core.inbound import Message
from engine.core.routing import Said, Standing, campaign, ended
from engine.runtime import Flows
from engine.services.intake import Arrival
from engine.store import cycles
from engine.store.connection import Tx
from engine.store.conversations import Conversation

__all__ = ["Heard", "heard", "standing"]


@dataclass(frozen=True, slots=True)
class Heard:
    """What a message says about its way. `to` is the contact whom the message of ours went to that it answers."""

    said: Said
    to: int | None = None


def heard(tx: Tx, live: Mapping[str, int], messages: Sequence[tuple[Arrival, Message]]) -> list[Heard]:
    """Each message's, in order, of at least one. `live` are the versions of all flows that are live."""
    quoted = cycles.answered(
        tx, {(a.channel_id, m.reply_to) for a, m in messages if m.reply_to and a.channel_id is not None}
    )
    flows = messages[0][0].flows
    campaigns = [flow for slug, number in live.items() if (flow := _readable(tx, flows, slug, number)) is not None]
    return [_heard(campaigns, arrival, message, quoted) for arrival, message in messages]


def standing(tx: Tx, flows: Flows, current: Iterable[Conversation]) -> list[Standing]:
    """The current cycles of one person as the rules see them."""
    found = []
    for cycle in current:
        flow = _readable(tx, flows, cycle.flow, cycle.flow_version)
        if flow is None:
            continue
        finished, stopped = ended(flow.states.get(cycle.snapshot.state))
        found.append(
            Standing(
                id=cycle.id,
                flow=cycle.flow,
                channel_id=cycle.channel_id,
                active_at=cycle.active_at,
                finished=finished,
                stopped=stopped,
                buttons=flow.button_ids,
            )
        )
    return found


def _heard(
    campaigns: Sequence[Flow],
    arrival: Arrival,
    message: Message,
    quoted: Mapping[tuple[int, str], cycles.Answered],
) -> Heard:
    answers = quoted.get((arrival.channel_id or 0, message.reply_to or ""))
    advert = message.marks.get("referral")
    source = advert.get("source_id") if isinstance(advert, Mapping) else None
    said = Said(
        channel_id=arrival.channel_id,
        flow=arrival.flow,
        quoted=None if answers is None else answers.cycle,
        button=message.button_id,
        campaign=campaign(campaigns, message.text or "", source if isinstance(source, str) else None, arrival.flow),
    )
    return Heard(said, None if answers is None else answers.contact_id)


def _readable(tx: Tx, flows: Flows, slug: str, number: int) -> Flow | None:
    """A version, or None for one that cannot be read any more: it must not keep other flows' messages from coming in."""
    try:
        return flows.within(tx, slug, number)
    except (InvalidDocument, NotFound):
        return None
