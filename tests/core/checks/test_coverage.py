"""The matrix of coverage says what the interpreter does, in every context that was tried."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.checks.coverage import Cover, coverage
from engine.core.checks.run import check
from engine.core.events import Event, Outcome, Snapshot
from engine.core.flow import Source
from engine.core.interpreter import step
from tests.factories import DAY, Arrow, a_flow, final, message, number, state
from tests.strategies import NOW, flows, random_context

PRICE = message("preco", falls_back_to="msg", priority=5)
ALONE = message("parar", priority=9)


def cover(arrows, event="msg", at="A", *, events=(), ignored=(), states=None):
    flow = a_flow(
        states or [state("A", DAY), final("B")],
        arrows,
        events=events,
        ignored=ignored,
        context=[number("toques", 0, 5)],
    )
    return coverage(flow)[at, event]


@pytest.mark.parametrize(
    ("arrows", "more", "verdict"),
    [
        ([Arrow("t1", "A", "msg", "B")], {}, Cover.HANDLED),
        ([Arrow("g", None, "msg", "B")], {}, Cover.HANDLED),
        ([Arrow("t1", "A", "msg", "B")], {"event": "preco", "events": [PRICE]}, Cover.FALLS_BACK),
        ([Arrow("t1", "A", "msg", "B", "toques < 3")], {}, Cover.PARTLY),
        ([Arrow("t1", "A", "msg", "B", "toques < 3")], {"ignored": [("A", "msg")]}, Cover.HANDLED),
        ([Arrow("t1", "A", "msg", "B", "toques < 3"), Arrow("t2", "A", "msg", "A", "toques >= 3")], {}, Cover.HANDLED),
        ([], {"ignored": [("A", "msg")]}, Cover.IGNORED),
        ([], {"event": "preco", "events": [PRICE], "ignored": [("A", "msg")]}, Cover.IGNORED),
        ([], {}, Cover.LOST),
        ([Arrow("t1", "A", "msg", "B", "toques > 9")], {}, Cover.LOST),
        ([Arrow("t1", "A", "msg", "B")], {"event": "parar", "events": [ALONE]}, Cover.LOST),
        ([], {"event": "pago"}, Cover.NOTHING),
        ([], {"event": "timeout"}, Cover.NOTHING),
        ([Arrow("t1", "A", "msg", "A")], {"at": "B"}, Cover.NOTHING),
    ],
)
def test_each_verdict_on_a_flow_that_fits_on_a_line(arrows, more, verdict):
    assert cover(arrows, **more) is verdict


def test_a_dead_arrow_of_its_own_does_not_hide_that_a_message_falls_back():
    arrows = [Arrow("t1", "A", "preco", "B", "toques > 9"), Arrow("t2", "A", "msg", "B")]

    assert cover(arrows, "preco", events=[PRICE]) is Cover.FALLS_BACK


def _outcome(flow, at, event, rng):
    context = {field.name: rng.randint(field.min, field.max) for field in flow.context.values()}
    names = random_context(rng)
    then = Snapshot(
        state=at, previous=rng.choice((None, "A", "B")), context=context, deadline_at=None, rung=0,
        entered_at=NOW - rng.choice((0, 1, DAY)), last_inbound_at=NOW - rng.choice((0, 23, 24, 25)) * DAY // 24,
    )  # fmt: skip
    happened = Event(id=f"e{rng.random()}", type=event, source=flow.events[event].source, at=NOW)
    contact = {"name": names["contact.name"]} if "contact.name" in names else {}
    return step(flow, then, happened, NOW, contact).outcome


@given(flows(), st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_the_interpreter_agrees_with_every_verdict(flow, seed):
    rng = Random(seed)

    for (at, event), verdict in coverage(flow).items():
        seen = {_outcome(flow, at, event, rng) for _ in range(12)}
        if verdict in (Cover.LOST, Cover.NOTHING):
            assert seen == {Outcome.NO_TRANSITION}, (at, event)
        elif verdict is Cover.IGNORED:
            assert seen == {Outcome.IGNORED}, (at, event)
        elif verdict is not Cover.PARTLY:
            assert Outcome.NO_TRANSITION not in seen, (at, event, verdict)


@given(flows())
@settings(max_examples=60, deadline=None)
def test_what_is_lost_without_any_arrow_is_what_s4_tells_and_what_is_partly_covered_is_a_gap(flow):
    found = check(flow)
    unanswered = {(f.where.state, f.where.event) for f in found if f.code == "S4"}
    covers = coverage(flow, {f.where.state for f in found if f.code == "S1"})
    lost = {place for place, verdict in covers.items() if verdict is Cover.LOST}
    gaps = {f.where.event for f in found if f.code in ("G2", "G6")}

    assert unanswered <= lost
    assert {
        at for at in lost if not flow.own_group(*at) and not flow.global_group(*at) and at[1] == "msg"
    } <= unanswered
    messages = {e.name for e in flow.events.values() if e.source is Source.MESSAGE}
    for (_, event), verdict in covers.items():
        if verdict is Cover.PARTLY and event in messages:
            assert gaps & set(flow.fallbacks(event)), event
