"""R1 to R8: every kind of rule tells a flow that breaks it from its twin that keeps it."""

from dataclasses import replace

import pytest

from engine.core.checks.findings import Severity
from engine.core.checks.lookups import Lookups
from engine.core.checks.model import building, verdicts, walks
from engine.core.checks.run import blocks, check, proved
from engine.core.checks.sentences import sentence
from engine.core.flow import Field, FieldType, Flow, Rule
from tests.core.checks.model.twins import NUDGE, TWINS, flow
from tests.factories import DAY, Arrow, a_flow, final, message, number, state

NAMES = sorted(TWINS)


def told(flow: Flow, code: str):
    return [finding for finding in check(flow) if finding.code == code]


@pytest.mark.parametrize("name", NAMES)
def test_a_rule_that_is_broken_is_told_with_the_shortest_run_that_breaks_it(name: str) -> None:
    twins = TWINS[name]

    (finding,) = told(twins.broken(), twins.code)

    assert finding.severity is Severity.ERROR
    assert (finding.facts["rule"], finding.facts["verdict"]) == (0, "violated")
    assert finding.path is not None
    assert len(finding.path) == twins.steps
    assert finding.path[-1]["transition"] == twins.ends
    assert finding.path[0]["from"] == "A"
    assert {"event", "from", "to", "transition", "do", "values"} == set(finding.path[0])
    assert "1" in finding.message
    assert sentence(finding, "en") != finding.message
    assert blocks([finding])
    assert proved(twins.broken()) == ()


@pytest.mark.parametrize("name", NAMES)
def test_its_twin_is_proved_and_says_nothing(name: str) -> None:
    twins = TWINS[name]

    assert proved(twins.kept()) == (0,)
    assert told(twins.kept(), twins.code) == []


def test_r1_an_action_of_the_step_that_reaches_the_state_is_not_after_it() -> None:
    rule = Rule("never", {"never": {"do": "oferta"}, "after": {"state": "Z"}})

    assert proved(flow(Arrow("t1", "A", "pago", "Z", do=("oferta",)), rule=rule)()) == (0,)


def test_r2_an_event_that_moves_nothing_holds_in_the_state_itself() -> None:
    rule = Rule("always", {"always": "pago", "leads_to": ["A", "Z"]})

    assert proved(flow(Arrow("t1", "A", "msg", "Z"), rule=rule)()) == (0,)


def test_r4_a_message_nobody_wrote_is_older_than_any_window() -> None:
    rule = Rule("window", {"window": "24h"})

    (finding,) = told(flow(Arrow("t1", "A", "pago", "Z", do=("oi",)), rule=rule)(), "R4")

    assert finding.message.endswith("pode sair sem a pessoa ter escrito, e não tem modelo aprovado")


def test_r4_a_condition_on_the_age_of_the_message_keeps_an_arrow_from_being_late() -> None:
    rule = Rule("window", {"window": "24h"})
    flows = [
        flow(
            Arrow("t1", "A", "timeout", "Z", f"now() - last_inbound < {age}", do=("oi",)),
            Arrow("t2", "A", "timeout", "Z", "otherwise"),
            rule=rule,
        )()
        for age in ("24h", "25h")
    ]

    assert [proved(each) for each in flows] == [(0,), ()]


def test_r4_what_an_unhandled_message_leaves_of_the_wait_counts() -> None:
    """The old deadline goes on, so at most its wait has passed since that message."""
    rule = Rule("window", {"window": "24h"})
    arrows = [
        Arrow("t1", "A", "preco", "B"),
        Arrow("t2", "B", "timeout", "B", do=("oi",)),
        Arrow("t3", "B", "exhausted", "Z"),
    ]
    events = [message("preco", priority=5)]
    flows = [
        a_flow([state("A"), state("B", *ladder), final("Z")], arrows, rules=[rule], events=events)
        for ladder in ((23 * DAY // 24,), (DAY // 2, DAY // 2))
    ]

    assert [proved(each) for each in flows] == [(0,), ()]


def test_r8_an_event_that_is_ignored_on_purpose_is_unanswered_too() -> None:
    arrows = [Arrow("t1", "A", "timeout", "Z", do=("oi",))]
    told_off = a_flow([state("A", DAY), final("Z")], arrows, ignored=[("A", "msg")], rules=[NUDGE])

    assert proved(told_off) == ()


def test_values_that_a_step_needs_are_told() -> None:
    rule = Rule("at_most", {"at_most": 0, "do": "entregar"})
    arrow = Arrow("t1", "A", "pago", "Z", "has(contact.name) && toques >= 2", do=("entregar",))

    (finding,) = told(flow(arrow, rule=rule, context=[number("toques", 0, 5)])(), "R5")

    values = finding.path[0]["values"]
    assert values["toques"] >= 2
    assert values["contact.name"]


def test_a_field_that_never_changes_is_the_same_in_the_whole_run() -> None:
    """Only a run in which `vip` is first true and then false would break it."""
    rule = Rule("at_most", {"at_most": 1, "do": "entregar"})
    arrows = [
        Arrow("t1", "A", "pago", "B", "peso > 3", do=("entregar",)),
        Arrow("t2", "A", "pago", "B", "otherwise"),
        Arrow("t3", "B", "pago", "Z", "peso <= 3", do=("entregar",)),
        Arrow("t4", "B", "pago", "Z", "otherwise"),
    ]

    assert proved(flow(*arrows, rule=rule, context=[number("peso", 0, 9)])()) == (0,)


def test_a_counter_without_a_maximum_is_followed_as_far_as_conditions_tell() -> None:
    rule = Rule("at_most", {"at_most": 2, "do": "toque"})
    touch = Arrow("t1", "A", "pago", "A", "n < 2", {"n": "n + 1"}, ("toque",))

    assert proved(flow(touch, rule=rule, context=[number("n")])()) == (0,)
    assert proved(flow(replace(touch, when="n < 3"), rule=rule, context=[number("n")])()) == ()


def test_a_counter_that_is_past_what_conditions_tell_apart_never_comes_back() -> None:
    rule = Rule("at_most", {"at_most": 1, "do": "toque"})
    arrows = [
        Arrow("t1", "A", "pago", "A", "n == 2", {"n": "n + 1"}, ("toque",)),
        Arrow("t2", "A", "pago", "A", "n != 2", {"n": "n + 1"}),
    ]

    assert proved(flow(*arrows, rule=rule, context=[number("n")])()) == (0,)


def test_an_assignment_without_a_value_leaves_a_field_as_it_was() -> None:
    """R6 of the semantics: `m` is never set, so `m + 1` has no value."""
    rule = Rule("at_most", {"at_most": 0, "do": "toque"})
    arrows = [
        Arrow("t1", "A", "msg", "A", None, {"toques": "m + 1"}),
        Arrow("t2", "A", "timeout", "A", "has(m)", {"m": "null"}),
        Arrow("t3", "A", "pago", "A", "toques != 0", do=("toque",)),
    ]
    unset = Field(name="m", type=FieldType.INT, optional=True, min=0, max=3)

    assert proved(flow(*arrows, rule=rule, context=[number("toques", 0, 3), unset])()) == (0,)


def test_two_arrows_that_always_fire_together_move_nothing() -> None:
    """R1 of the semantics; that they do is a finding of its own."""
    rule = Rule("at_most", {"at_most": 0, "do": "toque"})
    arrows = [Arrow("t1", "A", "pago", "A", do=("toque",)), Arrow("t2", "A", "pago", "B")]

    assert proved(flow(*arrows, rule=rule)()) == (0,)


def test_a_ladder_that_ran_out_and_stays_out_is_not_climbed_again() -> None:
    """R11 of the semantics."""
    rule = Rule("at_most", {"at_most": 1, "do": "toque"})
    arrows = [Arrow("t1", "A", "timeout", "A", do=("toque",)), Arrow("t2", "A", "exhausted", "A")]

    assert proved(a_flow([state("A", DAY)], arrows, rules=[rule])) == (0,)


def test_r4_an_arrow_that_keeps_the_deadline_leaves_up_to_the_whole_wait() -> None:
    rule = Rule("window", {"window": "24h"})
    arrows = [
        Arrow("t1", "A", "preco", "B"),
        Arrow("t2", "B", "msg", "C", keep_deadline=True),
        Arrow("t3", "C", "timeout", "Z", do=("oi",)),
    ]
    states = [state("A"), state("B", DAY), state("C", DAY), final("Z")]
    flows = [
        a_flow(
            [each if each.name != "B" else state("B", wait) for each in states],
            arrows,
            rules=[rule],
            events=[
                message("preco", priority=5),
            ],
        )
        for wait in (DAY, DAY - 1)
    ]

    assert [proved(each) for each in flows] == [(), (0,)]


def test_what_cannot_be_decided_is_told_and_blocks() -> None:
    """The counter is too large to be followed, and no run of a few steps reaches its end."""
    rule = Rule("at_most", {"at_most": 0, "do": "entregar"})
    arrows = [
        Arrow("t1", "A", "msg", "A", None, {"n": "n + 1"}),
        Arrow("t2", "A", "pago", "Z", "n >= 900", do=("entregar",)),
    ]
    found = flow(*arrows, rule=rule, context=[number("n", 0, 1_000)])()

    (finding,) = told(found, "R5")

    assert (finding.facts["rule"], finding.facts["verdict"], finding.path) == (0, "unknown", None)
    assert finding.message.startswith("Não deu para provar a regra 1")
    assert blocks([finding])
    assert proved(found) == ()


@pytest.mark.parametrize(("where", "limit"), [(building, "MOST_NODES"), (walks, "MOST_VISITED")])
def test_a_budget_that_is_spent_proves_nothing(monkeypatch: pytest.MonkeyPatch, where: object, limit: str) -> None:
    monkeypatch.setattr(where, limit, 1)
    found = TWINS["R3"].kept()

    assert proved(found) == ()
    assert [f.facts["verdict"] for f in check(found) if f.code == "R3"] == ["unknown"]


def test_a_flow_too_large_to_build_has_no_silence_proved_even_without_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    found = a_flow([state("A", DAY), final("Z")], [Arrow("t1", "A", "msg", "Z"), Arrow("t2", "A", "timeout", "Z")])
    assert not [f for f in check(found) if f.code == "S7"]
    monkeypatch.setattr(building, "MOST_NODES", 1)

    (finding,) = [f for f in check(found) if f.code == "S7"]

    assert finding.facts["verdict"] == "unknown" and blocks([finding])
    assert finding.message == "O fluxo é grande demais para provar que todo silêncio acaba"


def test_following_less_is_still_a_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    """When the counters do not fit, the widest is let go, and what does not need it stays proved."""
    found = TWINS["R1"].kept()
    counted = [
        Arrow("t1", "A", "msg", "A", "toques < 60", {"toques": "toques + 1"}, ("oferta",)),
        Arrow("t2", "A", "pago", "Z"),
    ]
    wide = flow(*counted, rule=found.rules[0], context=[number("toques", 0, 60)])()
    monkeypatch.setattr(building, "MOST_NODES", 20)

    world = verdicts.World(Lookups(wide))

    assert world.whole.fields == ()
    assert proved(wide) == (0,)
