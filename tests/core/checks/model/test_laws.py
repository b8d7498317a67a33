"""Laws: no real run breaks what was proved, every run that is shown is real, and nothing depends on chance or memory."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.checks.lookups import Lookups, Memory
from engine.core.checks.model.rules import judge
from engine.core.checks.model.unending import check_silences
from engine.core.checks.model.verdicts import Proved, Violated, World
from engine.core.checks.run import check, proved
from engine.core.flow import Flow
from tests.core.checks.model.oracle import Past, holds, random_run, silence_ends
from tests.core.checks.model.strategy import ruled_flows


@settings(max_examples=60, deadline=None)
@given(ruled_flows(), st.integers(0, 2**40))
def test_no_run_of_the_interpreter_breaks_a_rule_that_was_proved(flow: Flow, seed: int) -> None:
    rng = Random(seed)
    kept = [flow.rules[number] for number in proved(flow)]

    for _ in range(60):
        run = random_run(flow, rng, 14)
        for rule in kept:
            assert holds(flow, rule, run), (rule, run)


@settings(max_examples=60, deadline=None)
@given(ruled_flows())
def test_a_run_that_is_shown_was_made_and_breaks_the_rule_only_at_its_end(flow: Flow) -> None:
    world = World(Lookups(flow))

    for rule in flow.rules:
        verdict = judge(world, rule)
        if isinstance(verdict, Violated):
            run = [
                Past(
                    r.event,
                    r.arrow.on if r.arrow else r.event,
                    r.source,
                    r.frm,
                    r.to,
                    r.arrow.do if r.arrow else (),
                    r.arrow is not None,
                    r.age,
                )
                for r in verdict.run
            ]
            assert not holds(flow, rule, run)
            assert holds(flow, rule, run[:-1])


@settings(max_examples=60, deadline=None)
@given(ruled_flows(), st.integers(0, 2**40))
def test_every_silence_ends_where_none_is_told_of(flow: Flow, seed: int) -> None:
    rng = Random(seed)
    told = list(check_silences(World(Lookups(flow))))

    assert told or all(silence_ends(flow, rng, steps=6, rounds=200) for _ in range(20))


@settings(max_examples=60, deadline=None)
@given(ruled_flows())
def test_the_same_flow_gives_the_same_findings_with_and_without_a_memory(flow: Flow) -> None:
    memory = Memory()
    first = check(flow, memory)

    assert check(flow, memory) == first == check(flow)


@settings(max_examples=40, deadline=None)
@given(ruled_flows())
def test_every_rule_is_proved_or_told_of_and_never_both(flow: Flow) -> None:
    kept = proved(flow)
    told = [finding.facts["rule"] for finding in check(flow) if finding.code.startswith("R")]

    assert sorted([*kept, *told]) == list(range(len(flow.rules)))
    assert all(isinstance(judge(World(Lookups(flow)), flow.rules[number]), Proved) for number in kept)
