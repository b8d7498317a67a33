"""W3 without a platform (R28): sends after a silence that can come when only templates are taken."""

import pytest

from engine.core.checks.findings import Finding, Severity
from engine.core.checks.run import check
from engine.core.checks.sentences import sentence
from engine.core.flow import MINUTE, Flow, Send, Template
from tests.factories import DAY, HOUR, Arrow, a_flow, final, notify, number, say, state


def flow(*ladder: int, jitter: int = 0, when: str | None = None, action=None, extra: tuple[Arrow, ...] = ()) -> Flow:
    nudge = action or say("lembrete")
    asked = [Arrow("s1", "B", "timeout", "C", when, do=(nudge.id,))]
    if when is not None:
        asked.append(Arrow("s2", "B", "timeout", "C", "otherwise"))
    return a_flow(
        [state("A", HOUR), state("B", *ladder, jitter=jitter), final("C")],
        [
            Arrow("t1", "A", "msg", "B"),
            Arrow("t2", "B", "msg", "B"),
            Arrow("t3", "A", "timeout", "C"),
            *asked,
            *extra,
        ],
        actions=[nudge],
        context=[number("toques", 0, 2)],
        ignored=[("C", "msg")],
    )


def late(flow: Flow) -> list[Finding]:
    return [f for f in check(flow) if f.code == "W3"]


def test_a_send_after_a_day_of_silence_needs_a_template() -> None:
    (warning,) = late(flow(DAY))

    assert warning.severity is Severity.WARNING
    assert (warning.where.state, warning.where.event, warning.where.transitions) == ("B", "timeout", ("s1",))
    assert warning.message == ("lembrete sai por silêncio em B, quando as 24 h já podem ter passado, e não tem modelo")
    assert sentence(warning, "en") == "lembrete is sent on silence in B, when the 24 h may be over, and has no template"


@pytest.mark.parametrize(
    "fine",
    [
        flow(23 * HOUR),
        flow(DAY, action=Send(id="x", template=Template("x", "pt_BR"))),
        flow(DAY, action=notify("x")),
        flow(DAY, when="now() - last_inbound < 23h"),
    ],
)
def test_what_leaves_within_the_day_or_as_a_template_is_fine(fine: Flow) -> None:
    assert late(fine) == []


def test_the_spread_and_the_wait_for_a_burst_count() -> None:
    assert late(flow(23 * HOUR + 58 * MINUTE)) == []
    assert len(late(flow(23 * HOUR + 58 * MINUTE, jitter=5 * MINUTE))) == 1
    assert len(late(flow(23 * HOUR + 58 * MINUTE + 45_000))) == 1


def test_a_condition_that_the_window_is_closed_or_may_be_needs_one() -> None:
    assert len(late(flow(DAY, when="now() - last_inbound >= 23h"))) == 1
    assert len(late(flow(DAY, when="toques < 2"))) == 1


def test_silences_add_up_along_states_and_rungs() -> None:
    def through(*ladder: int) -> Flow:
        return a_flow(
            [state("A", HOUR), state("B", *ladder), final("C")],
            [
                Arrow("t1", "A", "msg", "A"),
                Arrow("t2", "A", "timeout", "B"),
                Arrow("s1", "B", "timeout", "B", do=("lembrete",)),
                Arrow("s3", "B", "exhausted", "C"),
            ],
        )

    assert late(through(10 * HOUR, 10 * HOUR)) == []
    assert [f.where.event for f in late(through(10 * HOUR, 14 * HOUR))] == ["timeout"]


def test_a_circle_of_silences_has_no_end_unless_a_counter_ends_it() -> None:
    def turning(when: str | None, **set_: str) -> Flow:
        turn = Arrow("s1", "B", "timeout", "B", when, set_, ("lembrete",))
        rest = [Arrow("s2", "B", "timeout", "C", "otherwise")] if when else []
        return a_flow(
            [state("A", HOUR), state("B", 2 * HOUR), final("C")],
            [Arrow("t1", "A", "msg", "B"), Arrow("t3", "A", "timeout", "C"), turn, *rest],
            actions=[say("lembrete")],
            context=[number("toques", 0, 5)],
        )

    assert len(late(turning(None))) == 1
    assert late(turning("toques < 3", toques="toques + 1")) == []


def test_who_only_paid_never_wrote() -> None:
    paid = a_flow(
        [state("A", HOUR), state("B", HOUR), final("C")],
        [Arrow("t1", "A", "pago", "B"), Arrow("t2", "A", "timeout", "C"), Arrow("t3", "B", "timeout", "C", do=("oi",))],
        actions=[say("oi")],
    )

    assert [f.where.state for f in late(paid)] == ["B"]


def test_a_payment_in_the_middle_of_a_silence_does_not_make_the_message_younger() -> None:
    def paid(*, first: int) -> Flow:
        return a_flow(
            [state("A", HOUR), state("B", first), state("C", 10 * HOUR), final("D")],
            [
                Arrow("t1", "A", "msg", "B"),
                Arrow("t2", "A", "timeout", "D"),
                Arrow("t3", "B", "pago", "C"),
                Arrow("t4", "B", "timeout", "D"),
                Arrow("t5", "C", "timeout", "D", do=("oi",)),
            ],
            actions=[say("oi")],
        )

    assert late(paid(first=13 * HOUR)) == []
    assert [f.where.state for f in late(paid(first=15 * HOUR))] == ["C"]
