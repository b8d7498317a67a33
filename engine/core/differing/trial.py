"""One event in one context, decided by both versions with the interpreter itself."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from engine.core.events import Event, Outcome, Snapshot, Step
from engine.core.flow import Flow, Millis, Value
from engine.core.guards.kinds import Declared, Kind, Scope
from engine.core.interpreter import step
from engine.core.sentences import source

__all__ = ["Circumstance", "circumstances", "decided", "observed"]

_UNTOUCHED = 1
"""A deadline that no version would set."""
_CLOCK = ("state_age", "last_inbound")


@dataclass(frozen=True, slots=True)
class Circumstance:
    """A context with everything that a decision reads: flat names to values, the instant, and the state before."""

    values: Mapping[str, Value]
    now: Millis
    previous: str | None


def circumstances(
    scope: Scope, witness: Mapping[str, Value], now: Millis, before: Sequence[str]
) -> Iterator[Circumstance]:
    """The witness with every name that has to have a value, come from nowhere and from each of the states `before`."""
    values = {
        name: witness[name] if witness.get(name) is not None else _sample(declared, now)
        for name, declared in scope.items()
        if witness.get(name) is not None or not declared.optional
    }
    for previous in (None, *before):
        yield Circumstance(values, now, previous)


def decided(flow: Flow, state: str, event: str, given: Circumstance) -> Step:
    """What a version does with the event in the state."""
    values = given.values
    snapshot = Snapshot(
        state=state,
        previous=given.previous,
        context={name: value for name, value in values.items() if "." not in name and name not in _CLOCK},
        deadline_at=_UNTOUCHED,
        rung=0,
        entered_at=given.now - _whole(values, "state_age", 0),
        last_inbound_at=_whole(values, "last_inbound", given.now),
    )
    happened = Event(
        id="difference", type=event, source=source(flow, event), at=given.now, data=_below(values, "event.")
    )
    return step(flow, snapshot, happened, given.now, _below(values, "contact."))


def observed(done: Step) -> tuple[Outcome, str, Mapping[str, Value], tuple[str, ...], bool]:
    """What counts as behaviour. When a deadline ends is left to its state; here only whether the old one goes on."""
    after = done.snapshot
    return done.outcome, after.state, dict(after.context), done.actions, after.deadline_at == _UNTOUCHED


def _below(values: Mapping[str, Value], prefix: str) -> dict[str, Value]:
    return {name.removeprefix(prefix): value for name, value in values.items() if name.startswith(prefix)}


def _whole(values: Mapping[str, Value], name: str, otherwise: Millis) -> Millis:
    value = values.get(name)
    return value if isinstance(value, int) else otherwise


def _sample(declared: Declared, now: Millis) -> Value:
    """Some value that the declaration allows."""
    match declared.kind:
        case Kind.BOOL:
            return False
        case Kind.TEXT:
            return declared.values[0] if declared.values else "x"
        case Kind.LIST:
            return ()
        case Kind.TIMESTAMP:
            least, most = declared.min or 0, now if declared.past or declared.max is None else declared.max
            return int(max(least, min(now, most)))
    low, high = declared.min, declared.max
    value = 0 if low is None else max(0, low)
    value = value if high is None else min(value, high)
    return float(value) if declared.kind is Kind.DOUBLE else int(value)
