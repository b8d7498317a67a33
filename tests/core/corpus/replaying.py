"""What a finding claims, done again on the real interpreter: its witness in one step, its path step by step."""

from collections.abc import Mapping, Sequence
from typing import Any

from engine.core.checks.examples import NOW
from engine.core.checks.findings import Finding
from engine.core.events import Event, Outcome, Snapshot, Step
from engine.core.flow import EXHAUSTED, TIMEOUT, Flow, Source, Value
from engine.core.interpreter import opening, step
from tests.strategies import NOW as START

HOUR = 3_600_000


def source_of(flow: Flow, event: str) -> Source:
    return flow.events[event].source if event in flow.events else Source.CLOCK


def stepped(flow: Flow, found: Finding, state: str) -> Step:
    """One step of the interpreter in a state, from the context that the finding shows."""
    values = dict(found.witness or {})
    now = int(str(values.pop(NOW, START)))
    snapshot = opening(flow, now, "corpus")
    return _step(flow, _moved(flow, snapshot, values, now, state=state), found.where.event or "", values, now)


def replayed(flow: Flow, path: Sequence[Mapping[str, Any]]) -> list[Step]:
    """Every step of a path, from the start. Raises AssertionError where the interpreter goes another way."""
    now = START
    snapshot = opening(flow, now, "start")
    done: list[Step] = []
    for number, told in enumerate(path):
        event, values = told["event"], dict(told.get("values") or {})
        silence = event in (TIMEOUT, EXHAUSTED)
        assert not silence or snapshot.deadline_at is not None, f"step {number}: nothing is waited for"
        later = int(values.pop(NOW, 0)) or (snapshot.deadline_at if silence else now + 1_000)
        now = max(now, later or now)
        snapshot = _moved(flow, snapshot, values, now, state=told["from"])
        if source_of(flow, event) is Source.MESSAGE:
            snapshot = _with(snapshot, last_inbound_at=now)
        came = _step(flow, snapshot, event, values, now, ident=f"step {number}")
        taken = came.taken.id if came.taken is not None else None
        assert (taken, came.snapshot.state, list(came.actions)) == (told["transition"], told["to"], list(told["do"]))
        assert taken is not None or came.outcome in (Outcome.NO_TRANSITION, Outcome.IGNORED)
        snapshot = came.snapshot
        done.append(came)
    return done


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
