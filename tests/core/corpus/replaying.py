"""What a finding claims, done again on the real interpreter: its witness in one step, its path step by step."""

from collections.abc import Mapping, Sequence
from typing import Any

from engine.core.checks.examples import NOW
from engine.core.checks.findings import Finding
from engine.core.events import Event, Outcome, Snapshot, Step
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


def replayed(flow: Flow, path: Sequence[Mapping[str, Any]]) -> list[Done]:
    """Every step of a path, from the start, each as late as it can be: more silence breaks no rule less. Raises
    AssertionError where the interpreter goes another way.
    """
    now = START
    snapshot = _late(flow, opening(flow, now, "start"), now)
    run: list[Done] = []
    for number, told in enumerate(path):
        event, values = told["event"], dict(told.get("values") or {})
        source = source_of(flow, event)
        assert source is not Source.CLOCK or snapshot.deadline_at is not None, f"step {number}: nothing is waited for"
        now = _moment(source, snapshot, values, now)
        before = _moved(flow, snapshot, values, now, state=told["from"])
        before = _with(before, last_inbound_at=now if source is Source.MESSAGE else before.last_inbound_at)
        came = _step(flow, before, event, values, now, ident=f"step {number}")
        taken = came.taken.id if came.taken is not None else None
        assert (taken, came.snapshot.state, list(came.actions)) == (told["transition"], told["to"], list(told["do"]))
        assert taken is not None or came.outcome is not Outcome.AMBIGUOUS
        happened = Event(id=f"step {number}", type=event, source=source, at=now, data=_under(values, "event."))
        run.append(Done(happened, before, came, now - before.last_inbound_at if before.last_inbound_at else None))
        rearmed = came.taken is not None and not came.taken.keep_deadline
        snapshot = _late(flow, came.snapshot, now) if rearmed else came.snapshot
        if source is Source.CLOCK and not rearmed:
            snapshot = _with(snapshot, deadline_at=None)
    return run


def _moment(source: Source, snapshot: Snapshot, values: Mapping[str, Value], now: int) -> int:
    """The last moment; where a step tells the instant or how long ago something was, that one."""
    latest = snapshot.deadline_at if snapshot.deadline_at is not None else now + 400 * DAY
    if source is Source.CLOCK:
        return latest
    if (told := values.get(NOW)) is not None and not isinstance(told, str | tuple):
        last = values.get("last_inbound")
        return now if last is None else int(told) - int(str(last)) + snapshot.last_inbound_at
    return now + 1 if values or source is Source.MESSAGE else latest


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
