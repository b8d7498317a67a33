"""One event moves one conversation: the only place where a state changes.

Theory of operation. `step` looks the event up in a fixed order (R2): the global arrows that the state takes, then the
state's own, then the same two for the event that this one falls back to. Within a group at most one guard may be true
(R1): the check before publishing proves it, and `step` looks again, because a proof about yesterday's code is no
excuse for a doubled message today. Two enabled arrows move nothing. The branches of a split share a condition: when it
is true, the contact's point says which of them is enabled (`splits`). `otherwise` is enabled when no other guard of its
group is true (R3); a guard without a value counts as not taken and is reported.

The new deadline depends only on the arrow taken (R10, R11). Everything random is derived from the event's id, so the
same input gives the same step on any machine and in any replay (R14).
"""

from collections.abc import Mapping
from hashlib import blake2b

from engine.core.events import Event, Outcome, Snapshot, Step
from engine.core.flow import EXHAUSTED, PREVIOUS, TIMEOUT, Field, FieldType, Flow, Millis, StateKind, Transition, Value
from engine.core.guards.evaluate import UNDEFINED, evaluate
from engine.core.splits import chosen

__all__ = ["armed", "environment", "opening", "saturated", "step", "take"]


def opening(flow: Flow, now: Millis, event_id: str) -> Snapshot:
    """The snapshot of a conversation that begins now."""
    fresh = Snapshot(
        state=flow.initial,
        previous=None,
        context={f.name: f.default for f in flow.context.values() if f.default is not None},
        deadline_at=None,
        rung=0,
        entered_at=now,
        last_inbound_at=0,
    )
    deadline, rung = armed(flow, flow.initial, 0, now, event_id)
    return _with(fresh, deadline_at=deadline, rung=rung)


def step(flow: Flow, snapshot: Snapshot, event: Event, now: Millis, contact: Mapping[str, Value]) -> Step:
    """What the event does (R1 to R7, R10, R11). `contact` holds the contact's fields by their plain names, and under
    `splits.KEY` what tells it from all others.
    """
    values = environment(snapshot, event, now, contact)
    undefined: list[str] = []
    for name in flow.fallbacks(event.type):
        for group in (flow.global_group(snapshot.state, name), flow.own_group(snapshot.state, name)):
            enabled = _enabled(group, values, now, undefined)
            if flow.branches:
                enabled = chosen(enabled, flow.branches, flow.slug, contact)
            if len(enabled) > 1:
                return Step(
                    outcome=Outcome.AMBIGUOUS,
                    snapshot=snapshot,
                    event_type=name,
                    candidates=tuple(t.id for t in enabled),
                    undefined=tuple(undefined),
                )
            if enabled:
                return take(flow, snapshot, event, enabled[0], now, values, undefined, name)
    on_purpose = any((snapshot.state, name) in flow.ignored for name in flow.fallbacks(event.type))
    return Step(
        outcome=Outcome.IGNORED if on_purpose else Outcome.NO_TRANSITION,
        snapshot=snapshot,
        event_type=event.type,
        undefined=tuple(undefined),
    )


def environment(snapshot: Snapshot, event: Event, now: Millis, contact: Mapping[str, Value]) -> dict[str, Value]:
    """Every name that a guard may read, with its value; absent means not set."""
    return {
        **snapshot.context,
        **{f"event.{name}": value for name, value in event.data.items()},
        **{f"contact.{name}": value for name, value in contact.items()},
        # A machine's clock may step back a little; proofs count on neither being in the future.
        "state_age": max(0, now - snapshot.entered_at),
        "last_inbound": min(snapshot.last_inbound_at, now),
    }


def _enabled(
    group: tuple[Transition, ...], values: Mapping[str, Value], now: Millis, undefined: list[str]
) -> list[Transition]:
    enabled = []
    for transition in group:
        if transition.otherwise:
            continue
        verdict = True if transition.when is None else evaluate(transition.when, values, now)
        if verdict is UNDEFINED:
            undefined.append(transition.id)
        elif verdict is True:
            enabled.append(transition)
    return enabled or [t for t in group if t.otherwise]


def take(
    flow: Flow,
    snapshot: Snapshot,
    event: Event,
    taken: Transition,
    now: Millis,
    values: Mapping[str, Value],
    undefined: list[str],
    event_type: str,
) -> Step:
    """What taking this arrow does, whether or not its condition is true; `undefined` gets what had no value."""
    target = (snapshot.previous or flow.initial) if taken.to == PREVIOUS else taken.to
    changed = _assigned(flow, taken, values, now, undefined)
    staying = target == snapshot.state
    context = {name: value for name, value in {**snapshot.context, **changed}.items() if value is not None}
    after = _with(
        snapshot,
        state=target,
        previous=snapshot.previous if staying else snapshot.state,
        context=context,
        entered_at=snapshot.entered_at if staying else now,
    )
    if not taken.keep_deadline:
        first_rung = _next_rung(flow, snapshot, event) if staying else 0
        deadline, rung = armed(flow, target, first_rung, now, event.id)
        after = _with(after, deadline_at=deadline, rung=rung)
    return Step(
        outcome=Outcome.MOVED,
        snapshot=after,
        event_type=event_type,
        taken=taken,
        candidates=(taken.id,),
        undefined=tuple(undefined),
        actions=taken.do,
        changed=changed,
        opts_out=flow.states[target].kind is StateKind.OPTOUT,
    )


def _next_rung(flow: Flow, snapshot: Snapshot, event: Event) -> int:
    """Only staying on silence climbs the ladder (R11); any other event starts it again."""
    ladder = len(flow.states[snapshot.state].deadline)
    if event.type == TIMEOUT:
        return min(snapshot.rung + 1, ladder)
    return ladder if event.type == EXHAUSTED else 0


def armed(flow: Flow, state: str, rung: int, now: Millis, event_id: str) -> tuple[Millis | None, int]:
    """The deadline of a step of a state's ladder, counted from now, and that step; (None, 0) without a ladder (R11)."""
    ladder = flow.states[state].deadline
    if not ladder:
        return None, 0
    wait = ladder[min(rung, len(ladder) - 1)]
    return now + wait + spread(event_id, state, flow.states[state].jitter), rung


def spread(event_id: str, state: str, jitter: Millis) -> Millis:
    """A part of the jitter that looks random and is a function of the event alone, 0 to `jitter`."""
    if jitter <= 0:
        return 0
    digest = blake2b(f"{event_id}\0{state}".encode(), digest_size=8).digest()
    return int.from_bytes(digest) % (jitter + 1)


def _assigned(
    flow: Flow, taken: Transition, values: Mapping[str, Value], now: Millis, undefined: list[str]
) -> dict[str, Value]:
    """New values from the old context, all at once, kept within each field's bounds (R6)."""
    changed: dict[str, Value] = {}
    for assignment in taken.set:
        value = evaluate(assignment.value, values, now)
        target = flow.context[assignment.field]
        if value is UNDEFINED:
            undefined.append(assignment.field)
            if target.optional:
                changed[assignment.field] = None
            continue
        changed[assignment.field] = saturated(target, value)
    return changed


def saturated(target: Field, value: Value) -> Value:
    """The value within the bounds of its field (R6)."""
    numeric = target.type in (FieldType.INT, FieldType.DOUBLE, FieldType.MONEY, FieldType.DURATION)
    if not numeric or isinstance(value, bool) or not isinstance(value, int | float):
        return value
    if target.min is not None and value < target.min:
        return target.min
    if target.max is not None and value > target.max:
        return target.max
    return value


def _with(snapshot: Snapshot, **changes: object) -> Snapshot:
    fields = {name: getattr(snapshot, name) for name in Snapshot.__slots__}
    return Snapshot(**{**fields, **changes})
