"""S7: a silence that goes round for ever, and what ends one."""

from engine.core.checks.run import blocks, check
from engine.core.flow import Flow
from tests.core.checks.model.twins import silence
from tests.factories import DAY, HOUR, Arrow, a_flow, final, number, state


def endless(flow: Flow):
    return [finding for finding in check(flow) if finding.code == "S7"]


def test_a_touch_that_stays_goes_on_for_ever() -> None:
    """R11: `exhausted` falls back to the arrow that stays, with the last wait armed again."""
    (finding,) = endless(silence(DAY))

    assert (finding.where.state, finding.where.event, finding.where.transitions) == ("B", "timeout", ("t2",))
    assert finding.message == "O silêncio em B nunca acaba: t2 se repete para sempre"
    assert [step["event"] for step in finding.path] == ["msg", "timeout", "exhausted"]
    assert finding.fixes[0].edit == {"op": "add_transition", "fields": {"from": "B", "on": "exhausted", "to": "Z"}}
    assert blocks([finding])


def test_a_ladder_that_runs_out_ends_it() -> None:
    assert endless(silence(HOUR, DAY, exhausted="Z")) == []


def test_a_bounded_counter_ends_it() -> None:
    assert endless(silence(DAY, counted=True)) == []


def test_two_states_that_hand_silence_to_each_other_are_one_silence() -> None:
    flow = a_flow(
        [state("A", DAY), state("B", DAY), final("Z")],
        [Arrow("t1", "A", "timeout", "B"), Arrow("t2", "B", "timeout", "A"), Arrow("t3", "B", "msg", "Z")],
    )

    (finding,) = endless(flow)

    assert finding.facts["states"] == ("A", "B")
    assert finding.where.transitions == ("t1", "t2")


def test_an_arrow_that_keeps_the_spent_deadline_ends_it() -> None:
    """R10: nothing is armed after a deadline that fired and is kept."""
    flow = a_flow([state("A", DAY), final("Z")], [Arrow("t1", "A", "timeout", "A", keep_deadline=True)])

    assert endless(flow) == []


def test_time_ends_a_silence_whose_condition_asks_for_something_young() -> None:
    """In a silence the last message and the stay in the state only grow older."""
    for condition in ("state_age < 9d", "now() - last_inbound < 9d"):
        arrows = [Arrow("t1", "A", "timeout", "A", condition), Arrow("t2", "A", "timeout", "Z", "otherwise")]
        assert endless(a_flow([state("A", DAY), final("Z")], arrows)) == []


def test_a_stay_that_begins_anew_in_every_round_ends_nothing() -> None:
    states = [state("A", DAY), state("B", DAY), final("Z")]

    def hand_over(condition: str) -> Flow:
        to_b, back = Arrow("t1", "A", "timeout", "B", condition), Arrow("t2", "B", "timeout", "A")
        return a_flow(states, [to_b, back, Arrow("t3", "A", "timeout", "Z", "otherwise")])

    assert len(endless(hand_over("state_age < 9d"))) == 1
    assert endless(hand_over("now() - last_inbound < 9d")) == []


def test_what_may_end_by_a_large_counter_is_undecided_and_blocks() -> None:
    arrows = [
        Arrow("t1", "A", "timeout", "A", "n < 900", {"n": "n + 1"}),
        Arrow("t2", "A", "timeout", "Z", "otherwise"),
    ]

    (finding,) = endless(a_flow([state("A", DAY), final("Z")], arrows, context=[number("n", 0, 1_000)]))

    assert (finding.facts["verdict"], finding.path) == ("unknown", None)
    assert blocks([finding])
