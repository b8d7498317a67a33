"""Random concrete runs of the real interpreter: any event that has a source, in any order, on a clock that goes on."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from engine.core.checks.graph import sourceless
from engine.core.events import Event, Snapshot, Step
from engine.core.flow import EXHAUSTED, TIMEOUT, Flow, Millis, Source, Value
from engine.core.guards.kinds import Scope
from engine.core.guards.scope import scope_of
from engine.core.interpreter import opening, step
from tests.strategies import NOW as START
from tests.strategies import random_context

WEEK = 7 * 86_400_000
CLOCK = ("state_age", "last_inbound")


@dataclass(frozen=True, slots=True)
class Done:
    """One step of a run, and the age of the last message when it was made (None: nobody has written yet)."""

    event: Event
    before: Snapshot
    step: Step
    age: Millis | None

    @property
    def is_inbound(self) -> bool:
        return self.event.source is Source.MESSAGE


class Runner:
    """Makes runs of one flow."""

    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        never = sourceless(flow)
        self._events = [e for e in flow.events.values() if e.source is not Source.CLOCK and e.name not in never]
        read = {name for t in flow.arrows.values() if t.when is not None for name in t.when.names}
        read |= {name for t in flow.arrows.values() for assignment in t.set for name in assignment.value.names}
        self._drawn: dict[str, Scope] = {
            name: {
                n: d
                for n, d in scope_of(flow, name).items()
                if n in read or n.startswith(("event.", "contact.variant("))
            }
            for name in (*(e.name for e in self._events), TIMEOUT)
        }
        written = {assignment.field for arrow in flow.arrows.values() for assignment in arrow.set}
        defaults = {f.name: f.default for f in flow.context.values() if f.default is not None}
        self._start = {name: value for name, value in defaults.items() if name in written}
        self._free = {n: d for n, d in self._drawn[TIMEOUT].items() if n in flow.context and n not in written}

    def run(self, rng: Random, length: int) -> Iterator[Done]:
        """Steps from the start. Fields that no arrow writes have any allowed value, the same one all along."""
        now = START
        snapshot = _with(opening(self.flow, now, "start"), context={**self._start, **random_context(rng, self._free)})
        for number in range(length):
            if not self._events and snapshot.deadline_at is None:
                return
            name, source, now = self._next(rng, snapshot, now)
            if source is Source.MESSAGE:
                snapshot = _with(snapshot, last_inbound_at=now)
            drawn = {n: d for n, d in self._drawn.get(name, self._drawn[TIMEOUT]).items() if "." in n}
            values = random_context(rng, drawn)
            event = Event(id=f"e{number}", type=name, source=source, at=now, data=_under(values, "event."))
            came = step(self.flow, snapshot, event, now, _under(values, "contact."))
            yield Done(event, snapshot, came, now - snapshot.last_inbound_at if snapshot.last_inbound_at else None)
            snapshot = came.snapshot
            if source is Source.CLOCK and (came.taken is None or came.taken.keep_deadline):
                snapshot = _with(snapshot, deadline_at=None)  # a deadline that fired is over

    def _next(self, rng: Random, snapshot: Snapshot, now: Millis) -> tuple[str, Source, Millis]:
        """Silence, or any other event before it."""
        deadline = snapshot.deadline_at
        if deadline is not None and (not self._events or rng.random() < 0.4):
            ladder = self.flow.states[snapshot.state].deadline
            return EXHAUSTED if ladder and snapshot.rung >= len(ladder) else TIMEOUT, Source.CLOCK, deadline
        chosen = rng.choice(self._events)
        latest = now + WEEK if deadline is None else max(now, deadline - 1)
        return chosen.name, chosen.source, rng.choice((min(now + 1, latest), latest, rng.randint(now, latest)))


def _under(values: dict[str, Value], prefix: str) -> dict[str, Value]:
    return {name.removeprefix(prefix): value for name, value in values.items() if name.startswith(prefix)}


def _with(snapshot: Snapshot, **changes: Any) -> Snapshot:
    return Snapshot(**{**{name: getattr(snapshot, name) for name in Snapshot.__slots__}, **changes})
