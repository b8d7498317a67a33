"""A walk of the graph run on the real interpreter: values and moments are chosen step by step, and it must go the same way.

The largest spread is armed each time. What an event brings is asked of the prover with the context as it really is.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from engine.core.checks.lookups import Lookups
from engine.core.checks.model.possible import equation
from engine.core.checks.model.product import Label
from engine.core.events import Event, Outcome, Snapshot
from engine.core.flow import DAY, MINUTE, Millis, Source, Transition, Value
from engine.core.guards.atoms import USUAL_NOW
from engine.core.guards.prove import Claim, Sat
from engine.core.interpreter import environment, opening, step

NOW = "now()"


@dataclass(frozen=True, slots=True)
class Asked:
    """One step of a walk, with what must be true for it and what its conditions' followed fields hold."""

    label: Label
    claims: tuple[Claim, ...]
    held: tuple[Claim, ...]


@dataclass(frozen=True, slots=True)
class Ran:
    """One step that was run. `age` is that of the last message, None while there was none; `values` what it needed."""

    event: str
    source: Source
    frm: str
    to: str
    arrow: Transition | None
    age: Millis | None
    values: Mapping[str, Value]


def replay(lookups: Lookups, walk: Sequence[Asked], stable: Mapping[str, Value], *, late: bool) -> tuple[Ran, ...]:
    """The run, cut off where the interpreter does not go that way with any values that were tried.

    `stable` are values of fields that no arrow writes. With `late`, whatever is no message comes as late as it can.
    """
    now = USUAL_NOW
    snapshot = opening(lookups.flow, now, "0")
    held = {**snapshot.context, **stable}
    snapshot = _spread(lookups, replace(snapshot, context={k: v for k, v in held.items() if v is not None}), now)
    ran = []
    for number, asked in enumerate(walk, start=1):
        for at, event, contact in _tries(lookups, asked, snapshot, now, str(number), late=late):
            before = replace(snapshot, last_inbound_at=at) if event.source is Source.MESSAGE else snapshot
            taken = step(lookups.flow, before, event, at, contact)
            moved = taken.taken.id if taken.taken is not None else None
            if (
                moved != (asked.label.arrow.id if asked.label.arrow is not None else None)
                or taken.snapshot.state != asked.label.to
            ):
                continue
            env = {**environment(before, event, at, contact), NOW: at}
            needed = {name for guard, _ in asked.claims for name in guard.names}
            age = at - before.last_inbound_at if before.last_inbound_at else None
            values = {name: env.get(name) for name in sorted(needed)}
            ran.append(Ran(event.type, event.source, before.state, asked.label.to, taken.taken, age, values))
            rearmed = taken.outcome is Outcome.MOVED and taken.taken is not None and not taken.taken.keep_deadline
            snapshot = _spread(lookups, taken.snapshot, at) if rearmed else taken.snapshot
            if event.source is Source.CLOCK and not rearmed:
                snapshot = replace(snapshot, deadline_at=None)
            now = at
            break
        else:
            break
    return tuple(ran)


def _spread(lookups: Lookups, snapshot: Snapshot, now: Millis) -> Snapshot:
    """The deadline as late as its jitter allows."""
    state = lookups.flow.states[snapshot.state]
    if snapshot.deadline_at is None:
        return snapshot
    wait = state.deadline[min(snapshot.rung, len(state.deadline) - 1)]
    return replace(snapshot, deadline_at=now + wait + state.jitter)


def _tries(
    lookups: Lookups, asked: Asked, snapshot: Snapshot, now: Millis, number: str, *, late: bool
) -> Iterator[tuple[Millis, Event, Mapping[str, Value]]]:
    label = asked.label
    witness = _witness(lookups, asked, snapshot)
    if witness is None:
        return
    values, instant = witness
    data = {name: values.get(f"event.{name}") for name in _data(lookups, label.event)}
    contact = {name.removeprefix("contact."): v for name, v in values.items() if name.startswith("contact.")}
    for at in _moments(label.source, snapshot, now, values, instant, late=late):
        present = {name: value for name, value in data.items() if value is not None}
        yield at, Event(id=number, type=label.event, source=label.source, at=at, data=present), contact


def _data(lookups: Lookups, event: str) -> tuple[str, ...]:
    return tuple(n.removeprefix("event.") for n in lookups.scope(event) if n.startswith("event."))


def _witness(lookups: Lookups, asked: Asked, snapshot: Snapshot) -> tuple[Mapping[str, Value], Millis] | None:
    """Values of what the step's conditions read, the context being what it is; None when there are none."""
    if not asked.claims:
        return {}, USUAL_NOW
    scope = lookups.scope(asked.label.event)
    names = {name for guard, _ in asked.claims for name in guard.names}
    known = [equation(n, snapshot.context.get(n), scope[n].kind) for n in names if n in lookups.flow.context]
    answer = lookups.ask(asked.label.event, [*asked.claims, *known])
    if not isinstance(answer, Sat):
        return None
    return answer.witness, answer.now


def _moments(
    source: Source, snapshot: Snapshot, now: Millis, values: Mapping[str, Value], instant: Millis, *, late: bool
) -> Iterator[Millis]:
    """When it may happen, the likeliest first: never after the deadline, which is when the clock speaks."""
    deadline = snapshot.deadline_at
    if source is Source.CLOCK:
        if deadline is not None:
            yield deadline
        return
    soon, latest = now + MINUTE, deadline if deadline is not None else now + 400 * DAY
    wished = [now, soon, latest]
    if isinstance(age := values.get("state_age"), int):
        wished.insert(0, snapshot.entered_at + age)
    if isinstance(last := values.get("last_inbound"), int) and source is not Source.MESSAGE:
        wished.insert(0, snapshot.last_inbound_at + instant - last)
    else:
        wished.append(instant)
    for at in dict.fromkeys(sorted(wished, reverse=True) if late else [soon, *wished]):
        if now <= at <= latest:
            yield at
