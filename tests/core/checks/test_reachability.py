"""S1 to S6: states in reach, arrows in use, events with a source, messages with an answer, an end, a deadline."""

import pytest

from engine.core.checks.findings import Finding, Severity
from engine.core.checks.graph import graph_of, sourceless
from engine.core.checks.lookups import Lookups
from engine.core.checks.run import check
from engine.core.checks.sentences import sentence
from engine.core.flow import (
    Button,
    Call,
    EventType,
    Flow,
    ListMenu,
    ListRow,
    PhraseRule,
    Send,
    Source,
    StateKind,
)
from tests.factories import DAY, Arrow, a_flow, clock, final, message, number, state, text

TOQUES = [number("toques", 0, 5)]


def found(flow: Flow, code: str) -> list[Finding]:
    return [f for f in check(flow) if f.code == code]


def test_s1_a_state_without_a_way_in_is_told() -> None:
    flow = a_flow(
        [state("A", DAY), final("B"), state("C", DAY)], [Arrow("t1", "A", "msg", "B"), Arrow("t2", "C", "msg", "C")]
    )

    (unreached,) = found(flow, "S1")

    assert unreached.severity is Severity.ERROR
    assert unreached.message == "Ninguém chega em C. Crie uma seta até ele ou exclua."
    assert unreached.fixes[0].edit == {"op": "delete_state", "id": "C"}


def test_s1_a_way_in_that_no_context_can_take_is_none() -> None:
    never = [Arrow("t1", "A", "msg", "B", "toques > 9"), Arrow("t2", "A", "msg", "A", "otherwise")]
    own = Arrow("t1", "A", "pago", "B")
    behind_one = [own, Arrow("g", None, "pago", "A")]
    behind_two = [own, Arrow("g1", None, "pago", "A", "toques < 3"), Arrow("g2", None, "pago", "A", "toques >= 3")]
    behind_rest = [own, Arrow("g1", None, "pago", "A", "toques < 3"), Arrow("g2", None, "pago", "A", "otherwise")]

    for arrows in (never, behind_one, behind_two, behind_rest):
        flow = a_flow([state("A", DAY), final("B")], arrows, context=TOQUES)
        assert [f.where.state for f in found(flow, "S1")] == ["B"]


def test_s1_a_later_group_is_reached_where_the_first_lets_go() -> None:
    """R2: own arrows and fallbacks take what a conditional global arrow leaves."""
    flow = a_flow(
        [state("A", DAY), final("B"), final("C")],
        [Arrow("g", None, "preco", "B", "toques < 3"), Arrow("t1", "A", "msg", "C")],
        events=[message("preco", falls_back_to="msg", priority=5)],
        context=TOQUES,
    )

    assert graph_of(Lookups(flow)).reachable == ("A", "C", "B")


def test_s1_the_clock_opens_no_way_without_a_deadline() -> None:
    silent = a_flow([state("A"), final("B")], [Arrow("t1", "A", "timeout", "B")])
    kept = a_flow(
        [state("A", DAY), state("C"), final("B")],
        [Arrow("t1", "A", "msg", "C", keep_deadline=True), Arrow("t2", "C", "timeout", "B")],
    )

    assert [f.where.state for f in found(silent, "S1")] == ["B"]
    assert [f.where.transitions for f in found(silent, "S2")] == [("t1",)]
    assert found(kept, "S1") == []


def test_previous_leads_back_to_where_a_state_was_entered_from() -> None:
    """R5."""
    flow = a_flow(
        [state("A", DAY), state("B", DAY), state("F", DAY), final("Z")],
        [
            Arrow("t1", "A", "msg", "B"),
            Arrow("t2", "B", "pago", "F"),
            Arrow("t3", "A", "pago", "F"),
            Arrow("t4", "F", "msg", "@previous"),
            Arrow("t5", "A", "preco", "@previous"),
        ],
        events=[message("preco", priority=5)],
    )

    graph = graph_of(Lookups(flow))

    assert graph.following["F"] == {"A", "B"}
    assert graph.following["A"] >= {"A", "B", "F"}
    assert graph.reachable == ("A", "B", "F")


def test_s2_a_live_arrow_that_no_event_gets_to_is_a_warning() -> None:
    """A fallback's arrow is never reached by an event whose own arrow takes everything."""
    flow = a_flow([state("A", DAY), final("B")], [Arrow("t1", "A", "msg", "B"), Arrow("t2", "B", "timeout", "B")])

    (unused,) = found(flow, "S2")

    assert unused.severity is Severity.WARNING
    assert unused.where.transitions == ("t2",)
    assert sentence(unused, "en") == "The arrow t2 is never taken: timeout does not get to it"


def test_s3_events_that_nothing_emits() -> None:
    flow = a_flow(
        [state("A", DAY)],
        [Arrow("t1", "A", "nunca", "A"), Arrow("t2", "A", "msg", "A", do=("chamar",))],
        events=[
            message("preco", priority=5),
            message("nunca", priority=5),
            clock("regua"),
            EventType(name="entregue", source=Source.EFFECT),
            EventType(name="perdido", source=Source.EFFECT),
            EventType(name="aprovado", source=Source.HUMAN),
            EventType(name="pedido", source=Source.API),
        ],
        actions=[Call(id="chamar", url="https://exemplo.test", on_ok="entregue")],
        understanding=[PhraseRule("preco", ("preço",))],
    )

    findings = found(flow, "S3")

    assert sourceless(flow) == ("nunca", "regua", "perdido")
    assert {f.where.event: f.where.transitions for f in findings} == {"nunca": ("t1",), "regua": (), "perdido": ()}
    assert all(f.severity is Severity.ERROR for f in findings)
    assert {f.where.event: len(f.fixes) for f in findings} == {"nunca": 0, "regua": 1, "perdido": 1}


def test_s3_a_button_or_a_row_of_that_name_is_where_a_message_event_comes_from() -> None:
    menu = ListMenu(text("Ver"), (ListRow("compra", text("Comprar")),))
    saying = [
        Send(id="oi", text=text("oi"), buttons=(Button("preco", text("Preço")),)),
        Send(id="ver", text=text("oi"), menu=menu),
    ]
    events = [message(name, falls_back_to="msg", priority=5) for name in ("preco", "compra", "nada")]
    flow = a_flow(
        [state("A", DAY), final("B")], [Arrow("t1", "A", "msg", "B")], actions=saying, events=events, understanding=()
    )

    assert sourceless(flow) == ("nada",)


def test_s4_a_message_without_a_row_is_ignored_unless_that_is_said() -> None:
    events = [message("preco", priority=5), message("compra", falls_back_to="msg", priority=6)]
    states, arrows = [state("A", DAY), final("B")], [Arrow("t1", "A", "msg", "B")]

    findings = found(a_flow(states, arrows, events=events), "S4")
    silent = found(a_flow(states, arrows, events=events, ignored=[("A", "preco"), ("B", "msg"), ("B", "preco")]), "S4")

    assert {(f.where.state, f.where.event) for f in findings} == {
        ("A", "preco"),
        ("B", "msg"),
        ("B", "preco"),
        ("B", "compra"),
    }
    assert all(f.severity is Severity.WARNING for f in findings)
    assert [dict(fix.edit) for fix in findings[0].fixes] == [
        {"op": "set_event", "id": "preco", "field": "falls_back_to", "value": "msg"},
        {"op": "ignore", "state": "A", "event": "preco"},
    ]
    assert silent == []


def test_s4_unreachable_states_and_impossible_messages_are_left_out() -> None:
    flow = a_flow(
        [state("A", DAY), state("C", DAY)],
        [Arrow("t1", "A", "msg", "A")],
        events=[message("x", priority=3)],
        understanding=[],
    )

    assert found(flow, "S4") == []


def test_s5_states_from_which_nothing_ends() -> None:
    flow = a_flow(
        [state("A", DAY), state("B", DAY), state("C", DAY), final("Z")],
        [
            Arrow("t1", "A", "msg", "B"),
            Arrow("t2", "B", "msg", "C"),
            Arrow("t3", "C", "msg", "B"),
            Arrow("t4", "A", "pago", "Z"),
        ],
    )

    (endless,) = found(flow, "S5")

    assert endless.severity is Severity.ERROR
    assert endless.message == ("De B e C a conversa nunca termina: nenhum estado final ou de descanso é alcançado")


@pytest.mark.parametrize("end", [final("Z"), state("Z", kind=StateKind.OPTOUT), state("Z", resting=True)])
def test_s5_final_optout_and_resting_states_are_ends(end) -> None:
    flow = a_flow([state("A", DAY), end], [Arrow("t1", "A", "msg", "A"), Arrow("t2", "A", "timeout", "Z")])

    assert found(flow, "S5") == []


def test_s6_a_state_that_waits_for_a_lead_needs_a_deadline() -> None:
    arrows = [Arrow("t1", "A", "msg", "B"), Arrow("t2", "B", "msg", "A")]

    (silent,) = found(a_flow([state("A"), final("B")], arrows), "S6")

    assert silent.severity is Severity.ERROR
    assert silent.message == "A fica parado para sempre se o cliente não responder. Dê um prazo de silêncio."
    assert [dict(fix.edit) for fix in silent.fixes] == [
        {"op": "set_state", "id": "A", "field": "deadline", "value": "1d"},
        {"op": "set_state", "id": "A", "field": "resting", "value": True},
    ]


@pytest.mark.parametrize(
    "waiting",
    [
        state("A", resting=True),
        final("A"),
        state("A", kind=StateKind.OPTOUT),
        state("A", kind=StateKind.EFFECT),
    ],
)
def test_s6_states_that_wait_for_nobody_or_for_an_action_need_none(waiting) -> None:
    assert found(a_flow([waiting], [Arrow("t1", "A", "msg", "A")]), "S6") == []


def test_s6_a_deadline_that_no_arrow_answers_to_is_a_warning() -> None:
    arrows = [Arrow("t1", "A", "msg", "B")]
    answered = [*arrows, Arrow("g", None, "timeout", "B")]

    (unanswered,) = found(a_flow([state("A", DAY), final("B")], arrows), "S6")

    assert unanswered.severity is Severity.WARNING
    assert unanswered.message == "A tem prazo de silêncio, mas nenhuma seta sai quando ele vence"
    assert found(a_flow([state("A", DAY), final("B")], answered), "S6") == []
    assert found(a_flow([state("A", DAY), final("B")], arrows, ignored=[("A", "timeout")]), "S6") == []


def test_s6_unreachable_states_are_told_by_s1_alone() -> None:
    flow = a_flow([state("A", DAY), state("C")], [Arrow("t1", "A", "msg", "A")])

    assert [f.where.state for f in found(flow, "S6") if f.severity is Severity.ERROR] == []
