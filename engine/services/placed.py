"""Where a message goes: who wrote it, to which of their cycles it belongs, and whether it opens one (R70, R71)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from engine.core.flow import Flow
from engine.core.inbound import Message
from engine.core.routing import Route, route
from engine.services.intake import Arrival, begin, note, whose
from engine.services.routing import heard, standing
from engine.store import acquaintance, cycles, inbox
from engine.store.connection import Tx
from engine.store.conversations import Conversation

__all__ = ["Letter", "Placed", "channel_of", "place", "place_together"]


@dataclass(frozen=True, slots=True)
class Letter:
    """A message as it came; `keep` stores the body that it came in."""

    arrival: Arrival
    item: Message
    keep: Callable[[Tx], None] | None = None


@dataclass(frozen=True, slots=True)
class Placed:
    """A message whose sender and conversation are known."""

    arrival: Arrival
    item: Message
    contact_id: int
    conversation: Conversation
    flow: Flow
    route: Route


def place_together(tx: Tx, live: Mapping[str, int], letters: Sequence[Letter]) -> list[Placed | None]:
    """Each message whose sender is known by every name that it gives and that opens no cycle; None for the others.

    What one message changes for the way of the next (which cycle is the newest, by which channel it is spoken with) is
    not looked at here: whoever has several cycles, or writes by several channels, goes the long way with more than one.
    """
    met, strange = acquaintance.met(tx, [letter.item.person for letter in letters])
    lines = heard(tx, live, [(letter.arrival, letter.item) for letter in letters])
    by: dict[int, list[int | None]] = {}
    ways: list[Route | None] = []
    for letter, known, line in zip(letters, met, lines, strict=True):
        if line.to is not None and (known is None or known.contact_id != line.to):
            strange |= {line.to} if known is None else {line.to, known.contact_id}
        way = None
        if known is not None:
            by.setdefault(known.contact_id, []).append(letter.arrival.channel_id)
            way = route(line.said, standing(tx, letter.arrival.flows, known.current))
            channels = by[known.contact_id]
            if way.cycle is None or (len(channels) > 1 and (len(known.current) > 1 or len(set(channels)) > 1)):
                strange.add(known.contact_id)
        ways.append(way)
    return [
        None if known is None or way is None or known.contact_id in strange else _placed(tx, letter, known, way)
        for letter, known, way in zip(letters, met, ways, strict=True)
    ]


def _placed(tx: Tx, letter: Letter, known: acquaintance.Acquaintance, way: Route) -> Placed:
    cycle = next(each for each in known.current if each.id == way.cycle)
    flow = letter.arrival.flows.within(tx, cycle.flow, cycle.flow_version)
    return Placed(letter.arrival, letter.item, known.contact_id, cycle, flow, way)


def place(tx: Tx, live: Mapping[str, int], letter: Letter) -> Placed | None:
    """Who wrote and in which conversation; None when that cannot be told, which is recorded."""
    arrival, item = letter.arrival, letter.item
    [line] = heard(tx, live, [(arrival, item)])
    via = None if line.to is None else f"quoted message id {item.reply_to}"
    found = whose(tx, arrival, item.person, known=line.to, via=via)
    if found is None:
        note(tx, arrival, "orphan", "no_sender", id=item.provider_id)
        return None
    if line.to is not None:
        [line] = heard(tx, live, [(arrival, item)])  # the names may have become one person's just now
    current = [] if found.created else cycles.current(tx, found.contact_id)
    way = route(line.said, standing(tx, arrival.flows, current))
    for cycle in current:
        if cycle.id == way.cycle:
            flow = arrival.flows.within(tx, cycle.flow, cycle.flow_version)
            return Placed(arrival, item, found.contact_id, cycle, flow, way)
    if not found.created and inbox.known(tx, channel_of(arrival), item.provider_id) is not None:
        note(tx, arrival, "duplicate", id=item.provider_id)
        return None
    opened = begin(
        tx,
        arrival,
        found,
        way.flow,
        number=live.get(way.flow),
        after=next((cycle for cycle in current if cycle.flow == way.flow), None),
        why={"route": str(way)},
    )
    if opened is None:
        note(tx, arrival, "ignored", "no_live_flow", contact_id=found.contact_id, id=item.provider_id)
        return None
    return Placed(arrival, item, found.contact_id, *opened, way)


def channel_of(arrival: Arrival) -> int:
    """The channel that a message came by."""
    if arrival.channel_id is None:
        raise LookupError("a message without a channel")
    return arrival.channel_id
