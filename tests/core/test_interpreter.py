"""The laws of one step (R1 to R7, R10, R11), on small flows and on random ones."""

import dataclasses
from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from engine.core.checks.run import check
from engine.core.events import Event, Outcome, Snapshot, Step
from engine.core.flow import EXHAUSTED, TIMEOUT, Field, FieldType, Flow, Source, StateKind, Value
from engine.core.interpreter import environment, opening, spread, step
from tests.factories import DAY, HOUR, Arrow, a_flow, clock, message, number, state
from tests.strategies import random_flow

NOW = 1_780_000_000_000
PRECO = message("preco", falls_back_to="msg", priority=20)


def event(kind: str, name: str = "e1", at: int = NOW, **data: Value) -> Event:
    sources = {"pago": Source.PAYMENT, TIMEOUT: Source.CLOCK, EXHAUSTED: Source.CLOCK}
    return Event(id=name, type=kind, source=sources.get(kind, Source.MESSAGE), at=at, data=data)


def standing(flow: Flow, where: str = "A", previous: str | None = None, rung: int = 0, **context: Value) -> Snapshot:
    first = opening(flow, NOW - HOUR, "opening")
    return dataclasses.replace(
        first,
        state=where,
        previous=previous,
        rung=rung,
        context={**first.context, **context},
        last_inbound_at=NOW - HOUR,
    )


def go(flow: Flow, snapshot: Snapshot, kind: str, contact: Mapping[str, Value] | None = None, **data: Value) -> Step:
    return step(flow, snapshot, event(kind, **data), NOW, contact or {})


def test_a_conversation_opens_in_the_initial_state_with_defaults_and_a_deadline() -> None:
    fields = [number("toques", default=2), Field(name="plano", type=FieldType.TEXT, optional=True)]
    flow = a_flow([state("A", DAY, 2 * DAY), state("B")], context=fields)

    first = opening(flow, NOW, "e1")

    assert (first.state, first.previous, first.rung, first.last_inbound_at) == ("A", None, 0, 0)
    assert first.context == {"toques": 2}
    assert first.deadline_at == NOW + DAY
    assert first.entered_at == NOW


def test_r1_two_enabled_arrows_move_nothing_and_are_named() -> None:
    flow = a_flow(
        [state("A", DAY), state("B")],
        [Arrow("t1", "A", "msg", "B", "toques < 3"), Arrow("t2", "A", "msg", "A", "toques < 5", do=("oi",))],
        context=[number("toques")],
    )
    before = standing(flow)

    decided = go(flow, before, "msg")

    assert decided.outcome is Outcome.AMBIGUOUS
    assert decided.candidates == ("t1", "t2")
    assert decided.snapshot is before
    assert decided.actions == ()


def test_r2_globals_come_first_then_own_arrows_then_the_fallback() -> None:
    arrows = [
        Arrow("own", "A", "preco", "B", "toques < 2"),
        Arrow("fallback", "A", "msg", "C"),
        Arrow("global", None, "preco", "D", "toques < 1"),
    ]
    flow = a_flow([state(name) for name in "ABCD"], arrows, events=[PRECO], context=[number("toques")])

    taken = [go(flow, standing(flow, toques=toques), "preco") for toques in (0, 1, 2)]

    assert [t.taken.id for t in taken if t.taken] == ["global", "own", "fallback"]
    assert [t.event_type for t in taken] == ["preco", "preco", "msg"]


def test_r2_what_nothing_takes_is_recorded_as_such_or_as_ignored_on_purpose() -> None:
    flow = a_flow([state("A"), state("B")], [Arrow("t1", "A", "pago", "B")], events=[PRECO], ignored=[("B", "msg")])

    lost, on_purpose = go(flow, standing(flow), "preco"), go(flow, standing(flow, "B"), "preco")

    assert (lost.outcome, lost.event_type) == (Outcome.NO_TRANSITION, "preco")
    assert on_purpose.outcome is Outcome.IGNORED
    assert lost.snapshot == standing(flow)


def test_r3_otherwise_is_taken_when_no_other_guard_is_true() -> None:
    flow = a_flow(
        [state("A"), state("B"), state("C")],
        [Arrow("t1", "A", "msg", "B", "contact.name.startsWith('a')"), Arrow("t2", "A", "msg", "C", "otherwise")],
    )

    named = go(flow, standing(flow), "msg", {"name": "ana"})
    other = go(flow, standing(flow), "msg", {"name": "bia"})
    unknown = go(flow, standing(flow), "msg")

    assert (named.snapshot.state, other.snapshot.state, unknown.snapshot.state) == ("B", "C", "C")
    assert (named.undefined, other.undefined, unknown.undefined) == ((), (), ("t1",))


def test_r3_a_guard_without_a_value_is_not_taken_and_is_reported() -> None:
    flow = a_flow([state("A"), state("B")], [Arrow("t1", "A", "msg", "B", "contact.name.startsWith('a')")])

    decided = go(flow, standing(flow), "msg")

    assert decided.outcome is Outcome.NO_TRANSITION
    assert decided.undefined == ("t1",)


def test_r4_an_exempt_state_does_not_take_the_global_arrow() -> None:
    flow = a_flow([state("A"), state("B"), state("C")], [Arrow("g", None, "pago", "C", excepting=frozenset({"B"}))])

    assert go(flow, standing(flow, "A"), "pago").snapshot.state == "C"
    assert go(flow, standing(flow, "B"), "pago").outcome is Outcome.NO_TRANSITION


def test_r5_previous_is_the_state_that_this_one_was_entered_from() -> None:
    flow = a_flow(
        [state("A"), state("B"), state("F")],
        [
            Arrow("t1", "A", "msg", "B"),
            Arrow("t2", "B", "msg", "F"),
            Arrow("t3", "F", "msg", "F"),
            Arrow("t4", "F", "pago", "@previous"),
            Arrow("t5", "A", "pago", "@previous"),
        ],
    )
    snapshot = standing(flow)
    for kind in ("msg", "msg", "msg"):
        snapshot = go(flow, snapshot, kind).snapshot

    back = go(flow, snapshot, "pago").snapshot

    assert (snapshot.state, snapshot.previous) == ("F", "B")
    assert (back.state, back.previous) == ("B", "F")
    assert go(flow, standing(flow, "A"), "pago").snapshot.state == "A"


def test_r6_assignments_see_the_old_context_all_at_once_and_saturate() -> None:
    flow = a_flow(
        [state("A")],
        [
            Arrow("t1", "A", "msg", "A", set={"a": "b", "b": "a + 9"}),
            Arrow("t2", "A", "pago", "A", set={"a": "a - 9", "espera": "0s - 1h"}),
        ],
        context=[
            number("a", 0, 5, default=1),
            number("b", 0, 5, default=2),
            Field(name="espera", type=FieldType.DURATION, default=0, min=0),
        ],
    )

    swapped, lowered = go(flow, standing(flow), "msg"), go(flow, standing(flow), "pago")

    assert swapped.changed == {"a": 2, "b": 5}
    assert swapped.snapshot.context == {"a": 2, "b": 5, "espera": 0}
    assert lowered.changed == {"a": 0, "espera": 0}


def test_r6_an_assignment_without_a_value_keeps_the_field_and_is_reported() -> None:
    fields = [
        number("n", default=1),
        Field(name="m", type=FieldType.INT, optional=True),
        Field(name="nome", type=FieldType.TEXT, optional=True, default="x"),
        Field(name="vip", type=FieldType.BOOL, default=False),
    ]
    flow = a_flow(
        [state("A")],
        [Arrow("t1", "A", "msg", "A", set={"n": "m + 1", "nome": "contact.name", "vip": "has(m)"})],
        context=fields,
    )

    unset = go(flow, standing(flow), "msg")
    given = go(flow, standing(flow, m=4), "msg", {"name": "Ana"})

    assert unset.undefined == ("n", "nome")
    assert unset.snapshot.context == {"n": 1, "vip": False}
    assert given.snapshot.context == {"n": 5, "m": 4, "nome": "Ana", "vip": True}


def test_r7_entering_an_optout_state_opts_out() -> None:
    flow = a_flow(
        [state("A"), state("SAIU", kind=StateKind.OPTOUT)], [Arrow("g", None, "msg", "SAIU", do=("confirmar",))]
    )

    decided = go(flow, standing(flow), "msg")

    assert decided.opts_out
    assert decided.actions == ("confirmar",)


def test_r10_every_arrow_rewrites_the_deadline_unless_it_keeps_it() -> None:
    flow = a_flow(
        [state("A", DAY), state("B", 2 * DAY), state("C")],
        [
            Arrow("t1", "A", "msg", "A"),
            Arrow("t2", "A", "pago", "A", keep_deadline=True),
            Arrow("t3", "A", "preco", "B"),
            Arrow("t4", "B", "msg", "C"),
        ],
        events=[message("preco", priority=5)],
    )
    before = standing(flow)

    assert go(flow, before, "msg").snapshot.deadline_at == NOW + DAY
    assert go(flow, before, "pago").snapshot.deadline_at == before.deadline_at
    assert go(flow, before, "preco").snapshot.deadline_at == NOW + 2 * DAY
    assert go(flow, standing(flow, "B"), "msg").snapshot.deadline_at is None


def silences(flow: Flow, snapshot: Snapshot, events: int) -> list[tuple[str, int | None]]:
    """What the sweeper emits one deadline after the other, with the wait that it arms."""
    told = []
    for _ in range(events):
        kind = EXHAUSTED if snapshot.rung == len(flow.states[snapshot.state].deadline) else TIMEOUT
        now = snapshot.deadline_at or 0
        after = step(flow, snapshot, event(kind, at=now), now, {}).snapshot
        told.append((kind, None if after.deadline_at is None else after.deadline_at - now))
        snapshot = after
        if snapshot.deadline_at is None:
            break
    return told


def test_r11_a_ladder_of_three_gives_three_timeouts_and_then_exhausted() -> None:
    flow = a_flow(
        [state("A", 20 * HOUR, DAY, DAY), state("PERDIDO")],
        [Arrow("t1", "A", TIMEOUT, "A", do=("toque",)), Arrow("t2", "A", EXHAUSTED, "PERDIDO")],
    )

    told = silences(flow, opening(flow, NOW, "e"), 9)

    assert opening(flow, NOW, "e").deadline_at == NOW + 20 * HOUR
    assert told == [(TIMEOUT, DAY), (TIMEOUT, DAY), (TIMEOUT, DAY), (EXHAUSTED, None)]


def test_r11_exhausted_without_a_row_falls_back_to_timeout_with_the_last_duration() -> None:
    flow = a_flow([state("A", HOUR, DAY)], [Arrow("t1", "A", TIMEOUT, "A")])

    told = silences(flow, opening(flow, NOW, "e"), 5)

    assert told == [(TIMEOUT, DAY), (TIMEOUT, DAY), (EXHAUSTED, DAY), (EXHAUSTED, DAY), (EXHAUSTED, DAY)]


def test_r11_any_other_arrow_starts_the_ladder_again() -> None:
    flow = a_flow(
        [state("A", HOUR, DAY), state("B", HOUR, 2 * DAY)],
        [Arrow("t1", "A", "msg", "A"), Arrow("t2", "A", TIMEOUT, "B")],
    )
    climbed = standing(flow, rung=1)

    replied, left = go(flow, climbed, "msg").snapshot, go(flow, climbed, TIMEOUT).snapshot

    assert (replied.rung, replied.deadline_at) == (0, NOW + HOUR)
    assert (left.state, left.rung, left.deadline_at) == ("B", 0, NOW + HOUR)


def test_r10_the_age_of_a_state_counts_from_entering_it() -> None:
    flow = a_flow([state("A"), state("B")], [Arrow("t1", "A", "msg", "A"), Arrow("t2", "A", "pago", "B")])
    before = standing(flow)

    assert go(flow, before, "msg").snapshot.entered_at == before.entered_at
    assert go(flow, before, "pago").snapshot.entered_at == NOW


def test_guards_read_context_event_contact_and_the_clock() -> None:
    flow = a_flow([state("A")], context=[number("toques", default=3)])

    values = environment(standing(flow), event("pago", valor=5), NOW, {"name": "Ana"})

    assert values == {
        "toques": 3,
        "event.valor": 5,
        "contact.name": "Ana",
        "state_age": HOUR,
        "last_inbound": NOW - HOUR,
    }


def test_r14_jitter_is_a_function_of_the_event_and_stays_inside_its_bound() -> None:
    spreads = {spread(f"e{n}", "A", HOUR) for n in range(200)}

    assert all(0 <= s <= HOUR for s in spreads)
    assert len(spreads) > 190
    assert spread("e1", "A", HOUR) == spread("e1", "A", HOUR)
    assert spread("e1", "A", 0) == 0


def walk(flow: Flow, rng: Random, steps: int) -> list[tuple[Snapshot, Event, int, dict[str, Any], Step]]:
    """A random run: messages, payments and the clock, with time that only goes on."""
    now, walked = NOW, []
    snapshot = opening(flow, now, "opening")
    for number_ in range(steps):
        now += rng.choice((0, HOUR, DAY, 2 * DAY))
        kind = rng.choice(("msg", "preco", "pago", TIMEOUT, EXHAUSTED))
        contact = rng.choice(({}, {"name": "ana"}, {"name": "bia", "tags": ()}))
        happened = event(kind, f"e{number_}", at=now)
        decided = step(flow, snapshot, happened, now, contact)
        walked.append((snapshot, happened, now, contact, decided))
        snapshot = decided.snapshot
        if kind in ("msg", "preco"):
            snapshot = dataclasses.replace(snapshot, last_inbound_at=now)
    return walked


def test_r1_what_was_proved_deterministic_is_never_ambiguous() -> None:
    """And what was not is found ambiguous often enough for this test to mean something."""
    proved = ambiguous = 0
    for seed in range(150):
        rng = Random(seed)
        flow = random_flow(rng)
        outcomes = {decided.outcome for *_, decided in walk(flow, rng, 25)}
        if any(f.code in ("G1", "G6") for f in check(flow)):
            ambiguous += Outcome.AMBIGUOUS in outcomes
        else:
            proved += 1
            assert Outcome.AMBIGUOUS not in outcomes, seed

    assert proved > 30
    assert ambiguous > 12


def test_r2_what_was_proved_complete_always_fires_where_a_row_exists() -> None:
    complete = 0
    for seed in range(150):
        rng = Random(seed)
        flow = random_flow(rng)
        if any(f.code in ("G1", "G2", "G6") for f in check(flow)):
            continue
        for snapshot, happened, _, _, decided in walk(flow, rng, 25):
            rows = flow.own_group(snapshot.state, happened.type) or flow.global_group(snapshot.state, happened.type)
            complete += bool(rows)
            assert not rows or decided.outcome is Outcome.MOVED, seed

    assert complete > 60


@pytest.mark.parametrize("block", range(4))
def test_every_step_is_repeatable_and_stays_inside_its_flow(block: int) -> None:
    """Same input, same step (R14); never a state, a rung, a field or a value that the flow does not know."""
    for seed in range(block * 30, block * 30 + 30):
        rng = Random(seed)
        flow = random_flow(rng)
        for snapshot, happened, now, contact, decided in walk(flow, rng, 20):
            after = decided.snapshot
            assert step(flow, snapshot, happened, now, contact) == decided
            assert after.state in flow.states
            assert after.previous is None or after.previous in flow.states
            assert after.context.keys() <= flow.context.keys()
            assert 0 <= after.context["toques"] <= 5
            assert 0 <= after.context["peso"] <= 2
            if decided.outcome is Outcome.MOVED:
                assert decided.taken is not None
                assert decided.candidates == (decided.taken.id,)
                assert decided.opts_out is (flow.states[after.state].kind is StateKind.OPTOUT)
                if not decided.taken.keep_deadline:
                    assert (after.deadline_at is not None) is bool(flow.states[after.state].deadline)
                    assert after.rung <= len(flow.states[after.state].deadline)
            else:
                assert after is snapshot
                assert decided.actions == ()


def test_an_event_that_the_flow_does_not_know_moves_nothing() -> None:
    flow = a_flow([state("A")], [Arrow("t1", "A", "msg", "A")], events=[clock("regua")])

    assert go(flow, standing(flow), "desconhecido").outcome is Outcome.NO_TRANSITION
