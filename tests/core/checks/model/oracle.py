"""Random runs of the real interpreter, and the rules judged by looking back over a whole run.

Nothing here is shared with the model: rules are read from the history, not step by step, and time really passes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from engine.core.durations import parse
from engine.core.events import Event, Outcome, Snapshot
from engine.core.flow import DAY, EXHAUSTED, TIMEOUT, Flow, Rule, Send, Source, Value
from engine.core.interpreter import opening, step
from tests.strategies import NOW

CONTACTS: Sequence[Mapping[str, Value]] = (
    {},
    {"name": "Ana"},
    {"name": "abel", "tags": ("vip",)},
    *({"id": number} for number in range(1, 6)),
)
"""Different people, for a conversation may pass to another contact when two are merged."""


@dataclass(frozen=True)
class Past:
    """One step that happened; `age` is None while nobody had written."""

    event: str
    on: str
    source: Source
    frm: str
    to: str
    do: tuple[str, ...]
    moved: bool
    age: int | None


def random_run(flow: Flow, rng: Random, steps: int) -> list[Past]:
    """A run from the start."""
    return random_stand(flow, rng, steps)[0]


def silence_ends(flow: Flow, rng: Random, steps: int, rounds: int) -> bool:
    """Whether nothing is awaited any more after so many expiries in a row, wherever a random run led."""
    _, snapshot = random_stand(flow, rng, steps)
    for _ in range(rounds):
        if (now := snapshot.deadline_at) is None:
            return True
        ladder = flow.states[snapshot.state].deadline
        name = EXHAUSTED if ladder and snapshot.rung >= len(ladder) else TIMEOUT
        event = Event(id=str(rng.random()), type=name, source=Source.CLOCK, at=now)
        taken = step(flow, snapshot, event, now, rng.choice(CONTACTS))
        kept = taken.taken is None or taken.taken.keep_deadline
        snapshot = replace(taken.snapshot, deadline_at=None) if kept else taken.snapshot
    return snapshot.deadline_at is None


def random_stand(flow: Flow, rng: Random, steps: int) -> tuple[list[Past], Snapshot]:
    """A run from the start and where it led. Fields that no arrow writes begin with anything that they may hold."""
    now = NOW
    snapshot = opening(flow, now, str(rng.random()))
    written = {assignment.field for arrow in flow.arrows.values() for assignment in arrow.set}
    for field in flow.context.values():
        if field.name not in written and field.min is not None and field.max is not None:
            value = rng.randint(int(field.min), int(field.max))
            snapshot = replace(snapshot, context={**snapshot.context, field.name: value})
    spoken = [event for event in flow.events.values() if event.source is not Source.CLOCK]
    history = []
    for _ in range(steps):
        deadline = snapshot.deadline_at
        if deadline is not None and rng.random() < 0.5:
            ladder, now = flow.states[snapshot.state].deadline, deadline
            name = EXHAUSTED if ladder and snapshot.rung >= len(ladder) else TIMEOUT
            source = Source.CLOCK
        else:
            kind = rng.choice(spoken)
            name, source = kind.name, kind.source
            latest = deadline if deadline is not None else now + 3 * DAY
            now = rng.choice((now, min(now + 60_000, latest), rng.randint(now, latest), latest))
        if source is Source.MESSAGE:
            snapshot = replace(snapshot, last_inbound_at=now)
        event = Event(id=str(rng.random()), type=name, source=source, at=now)
        taken = step(flow, snapshot, event, now, rng.choice(CONTACTS))
        moved = taken.outcome is Outcome.MOVED
        on = taken.taken.on if taken.taken is not None else name
        age = now - snapshot.last_inbound_at if snapshot.last_inbound_at else None
        history.append(Past(name, on, source, snapshot.state, taken.snapshot.state, taken.actions, moved, age))
        kept = taken.taken is None or taken.taken.keep_deadline
        snapshot = taken.snapshot
        if source is Source.CLOCK and kept:
            snapshot = replace(snapshot, deadline_at=None)
    return history, snapshot


def holds(flow: Flow, rule: Rule, run: Sequence[Past]) -> bool:
    """Whether the rule was kept in the whole run."""
    return all(_kept_at(flow, rule, run, at) for at in range(len(run)))


def _kept_at(flow: Flow, rule: Rule, run: Sequence[Past], at: int) -> bool:
    body, here = rule.body, run[at]
    said = _said(flow, here)
    match rule.kind:
        case "never":
            if body["never"]["do"] not in here.do:
                return True
            lifts = set(body.get("unless", ()))
            begun = [n for n in range(-1, at) if _begins(flow, body["after"], run, n)]
            return not any(all(lifts.isdisjoint(p.do) for p in run[n + 1 : at + 1]) for n in begun)
        case "always":
            targets = body["leads_to"] if isinstance(body["leads_to"], list) else [body["leads_to"]]
            return body["always"] not in (here.event, here.on) or here.to in targets
        case "sends_without_reply":
            last = max((n for n in range(at + 1) if run[n].source is Source.MESSAGE), default=-1)
            return sum(_said(flow, past) for past in run[last + 1 : at + 1]) <= body["at_most"]
        case "window":
            free = any(isinstance(flow.actions[n], Send) and not flow.actions[n].template for n in here.do)
            return (
                here.source is Source.MESSAGE or not free or (here.age is not None and here.age < parse(body["window"]))
            )
        case "at_most":
            if flow.actions[body["do"]].once_per is not None and body["at_most"]:
                return True
            return sum(past.do.count(body["do"]) for past in run[: at + 1]) <= body["at_most"]
        case "only_after":
            if body["do"] not in here.do or any(_begins(flow, body["only_after"], run, n) for n in range(-1, at)):
                return True
            before = here.do[: here.do.index(body["do"])]
            wanted = body["only_after"]
            return wanted["do"] in before if "do" in wanted else _begins(flow, wanted, run, at)
        case "echo":
            left = max((n for n in range(at + 1) if run[n].frm != run[n].to), default=-1)
            answers = [_said(flow, past) for past in run[left + 1 : at + 1] if past.source is Source.MESSAGE]
            return sum(answers) <= body["echo"]
        case "no_nudge_unanswered":
            spoken = [past for past in run[:at] if past.source is Source.MESSAGE]
            return here.source is not Source.CLOCK or not said or not spoken or spoken[-1].moved
    raise AssertionError(rule.kind)


def _said(flow: Flow, past: Past) -> int:
    return sum(isinstance(flow.actions[name], Send) for name in past.do)


def _begins(flow: Flow, what: Mapping[str, str], run: Sequence[Past], at: int) -> bool:
    """Whether it happened at a step; step -1 is the beginning."""
    if at < 0:
        return what.get("state") == flow.initial
    past = run[at]
    if "event" in what:
        return what["event"] in (past.event, past.on)
    return past.to == what["state"] if "state" in what else what["do"] in past.do
