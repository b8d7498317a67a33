"""What a finding claims, done again on the real interpreter: its witness in one step, its path step by step."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from engine.core.checks.examples import NOW
from engine.core.checks.findings import Finding
from engine.core.events import Event, Snapshot, Step
from engine.core.flow import DAY, Flow, Source, Value
from engine.core.interpreter import opening, step
from tests.core.corpus.runs import Done
from tests.strategies import NOW as START


def source_of(flow: Flow, event: str) -> Source:
    return flow.events[event].source if event in flow.events else Source.CLOCK


def stepped(flow: Flow, found: Finding, state: str) -> Step:
    """One step of the interpreter in a state, from the context that the finding shows."""
    values = dict(found.witness or {})
    now = int(str(values.pop(NOW, START)))
    snapshot = opening(flow, now, "corpus")
    return _step(flow, _moved(flow, snapshot, values, now, state=state), found.where.event or "", values, now)


def replayed(
    flow: Flow, path: Sequence[Mapping[str, Any]], wanted: Callable[[list[Done]], bool] = lambda run: True
) -> list[Done] | None:
    """A run that goes the path step by step from the start and is as wanted, its moments found by trying; else None.

    A path says what happens, not when: of each step the latest moment is tried first, and of a message the earliest.
    """
    snapshot = _late(flow, opening(flow, START, "start"), START)
    return _gone(flow, path, wanted, [], snapshot, START)


def _gone(
    flow: Flow,
    path: Sequence[Mapping[str, Any]],
    wanted: Callable[[list[Done]], bool],
    run: list[Done],
    snapshot: Snapshot,
    now: int,
) -> list[Done] | None:
    if len(run) == len(path):
        return run if wanted(run) else None
    told = path[len(run)]
    event, values = told["event"], dict(told.get("values") or {})
    source = source_of(flow, event)
    for at in _moments(flow, source, snapshot, now):
        context = {name: value for name, value in values.items() if name in flow.context}
        before = _moved(flow, snapshot, context, at, state=told["from"])
        before = _with(before, last_inbound_at=at if source is Source.MESSAGE else before.last_inbound_at)
        ident = f"step {len(run)}"
        came = _step(flow, before, event, values, at, ident=ident)
        taken = came.taken.id if came.taken is not None else None
        if (taken, came.snapshot.state, list(came.actions)) != (told["transition"], told["to"], list(told["do"])):
            continue
        happened = Event(id=ident, type=event, source=source, at=at, data=_under(values, "event."))
        done = Done(happened, before, came, at - before.last_inbound_at if before.last_inbound_at else None)
        rearmed = came.taken is not None and not came.taken.keep_deadline
        after = _late(flow, came.snapshot, at) if rearmed else came.snapshot
        if source is Source.CLOCK and not rearmed:
            after = _with(after, deadline_at=None)
        if (found := _gone(flow, path, wanted, [*run, done], after, at)) is not None:
            return found
    return None


def _moments(flow: Flow, source: Source, snapshot: Snapshot, now: int) -> Iterator[int]:
    deadline = snapshot.deadline_at
    if source is Source.CLOCK:
        if deadline is not None:
            yield from dict.fromkeys((deadline, max(now, deadline - flow.states[snapshot.state].jitter)))
        return
    latest = now + 400 * DAY if deadline is None else deadline
    soon = min(now + 1, latest)
    yield from dict.fromkeys((soon, latest) if source is Source.MESSAGE else (latest, soon))


def _late(flow: Flow, snapshot: Snapshot, now: int) -> Snapshot:
    """The deadline with all of its jitter."""
    known = flow.states[snapshot.state]
    if snapshot.deadline_at is None:
        return snapshot
    wait = known.deadline[min(snapshot.rung, len(known.deadline) - 1)]
    return _with(snapshot, deadline_at=now + wait + known.jitter)


def _step(
    flow: Flow, snapshot: Snapshot, event: str, values: Mapping[str, Value], now: int, ident: str = "corpus"
) -> Step:
    data, contact = _under(values, "event."), _under(values, "contact.")
    happened = Event(id=ident, type=event, source=source_of(flow, event), at=now, data=data)
    return step(flow, snapshot, happened, now, contact)


def _moved(flow: Flow, snapshot: Snapshot, values: Mapping[str, Value], now: int, *, state: str) -> Snapshot:
    """The snapshot with the values that a finding shows; None is not set."""
    context = {**snapshot.context, **{name: value for name, value in values.items() if name in flow.context}}
    age, inbound = values.get("state_age"), values.get("last_inbound")
    return _with(
        snapshot,
        state=state,
        context={name: value for name, value in context.items() if value is not None},
        entered_at=snapshot.entered_at if age is None else now - int(str(age)),
        last_inbound_at=snapshot.last_inbound_at if inbound is None else int(str(inbound)),
    )


def _under(values: Mapping[str, Value], prefix: str) -> dict[str, Value]:
    return {n.removeprefix(prefix): v for n, v in values.items() if n.startswith(prefix) and v is not None}


def _with(snapshot: Snapshot, **changes: Any) -> Snapshot:
    return Snapshot(**{**{name: getattr(snapshot, name) for name in Snapshot.__slots__}, **changes})
