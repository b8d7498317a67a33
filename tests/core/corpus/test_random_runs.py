"""Random flows with random rules: no run breaks what is proved, every violation can be gone, nothing is left to faith.

The short version runs with all tests, the long one with `make proof`, which tells how many there were of each.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from engine import samples
from engine.core.actions import Template
from engine.core.checks.run import check, proved
from engine.core.document import read
from engine.core.flow import Flow, Rule, Transition
from tests.core.corpus.monitors import breaking, broken_at
from tests.core.corpus.replaying import replayed
from tests.core.corpus.runs import Runner
from tests.factories import say
from tests.strategies import random_flow

Tell = Callable[[str], None]
ACTIONS = ("oi", "aviso")
UNDECIDED = 0.1
"""The part of the rules that may be left open: how long ago a message was is not followed from step to step."""
CLEAN = ("G1", "G5", "G6")
"""Two arrows at once move nothing, which is a finding of its own: rules are judged on flows without them."""


def random_rule(rng: Random, flow: Flow) -> Rule:
    """A rule about two actions, in any of the eight forms."""
    do, other = rng.sample(ACTIONS, 2)
    state, event = rng.choice(tuple(flow.states)), rng.choice(("msg", "preco", "pago"))
    what: dict[str, str] = rng.choice(({"state": state}, {"event": event}, {"do": other}))
    forms: tuple[tuple[str, dict[str, Any]], ...] = (
        ("never", {"never": {"do": do}, "after": what}),
        ("never", {"never": {"do": do}, "after": what, "unless": [other]}),
        ("always", {"always": event, "leads_to": rng.sample(tuple(flow.states), 2)}),
        ("sends_without_reply", {"at_most": rng.randint(1, 4), "sends_without_reply": True}),
        ("window", {"window": rng.choice(("1h", "24h", "25h", "3d"))}),
        ("at_most", {"at_most": rng.randint(0, 2), "do": do}),
        ("only_after", {"only_after": what, "do": do}),
        ("echo", {"echo": rng.randint(1, 3)}),
        ("no_nudge_unanswered", {"no_nudge_unanswered": True}),
    )
    return Rule(*rng.choice(forms))


def ruled_flow(rng: Random) -> Flow:
    """A random flow with two actions, one of them with a template, that few arrows do, and with four rules."""
    flow = random_flow(rng)

    def doing(arrow: Transition) -> Transition:
        return replace(arrow, do=tuple(rng.sample(ACTIONS, rng.choice((0, 0, 0, 1, 1, 2)))))

    actions = {"oi": say("oi"), "aviso": replace(say("aviso"), template=Template(name="aviso", language="pt_BR"))}
    changed = replace(
        flow,
        actions=actions,
        transitions=tuple(map(doing, flow.transitions)),
        globals=tuple(map(doing, flow.globals)),
    )
    return replace(changed, rules=tuple(random_rule(rng, changed) for _ in range(4)))


def judged(seeds: range, *, runs: int, length: int) -> Counter[str]:
    """Every rule of every flow held against runs. Raises AssertionError, with the seed, where a verdict is wrong."""
    tally: Counter[str] = Counter()
    for seed in seeds:
        rng = Random(seed)
        flow = ruled_flow(rng)
        findings = check(flow)
        if any(f.code in CLEAN for f in findings):
            continue
        tally["flows"] += 1
        holding = proved(flow)
        told = {int(str(f.facts["rule"])): f for f in findings if "rule" in f.facts}
        assert set(holding) | set(told) == set(range(len(flow.rules))), seed
        assert not set(holding) & set(told), seed
        runner = Runner(flow)
        for _ in range(runs):
            run = list(runner.run(rng, length))
            tally["steps"] += len(run)
            broken = [n for n, rule in enumerate(flow.rules) if broken_at(flow, rule, run) is not None]
            assert not set(broken) & set(holding), (seed, broken)
        for number, found in told.items():
            if found.facts["verdict"] == "violated":
                assert found.path is not None, seed
                breaks = breaking(flow, flow.rules[number], len(found.path) - 1)
                assert replayed(flow, found.path, breaks) is not None, (seed, number)
            tally[str(found.facts["verdict"])] += 1
            tally[f"{flow.rules[number].kind} told"] += 1
        tally["proved"] += len(holding)
        tally.update(f"{flow.rules[number].kind} proved" for number in holding)
    return tally


@pytest.fixture
def tell(capsys: pytest.CaptureFixture[str]) -> Tell:
    """Print past the capture: `make proof` is run for its totals."""

    def said(line: str) -> None:
        with capsys.disabled():
            print(line)

    return said


def test_no_run_breaks_what_is_proved_and_every_violation_can_be_gone() -> None:
    tally = judged(range(120), runs=10, length=30)

    # A judge that never decides would pass and say nothing.
    assert tally["proved"] > 50
    assert tally["violated"] > 50
    assert tally["unknown"] < UNDECIDED * (tally["proved"] + tally["violated"] + tally["unknown"])
    for kind in ("never", "always", "sends_without_reply", "window", "at_most", "only_after", "echo"):
        assert tally[f"{kind} proved"] and tally[f"{kind} told"], kind


@pytest.mark.slow
def test_no_run_breaks_what_is_proved_for_long(tell: Tell) -> None:
    tally = judged(range(120, 1_500), runs=40, length=50)

    tell(
        f"\nrules on {tally['flows']} random flows: {tally['proved']} proved, {tally['violated']} violated and replayed, "
        f"{tally['unknown']} unknown; {tally['steps']} random steps, 0 proved rules broken"
    )
    assert tally["unknown"] < UNDECIDED * (tally["proved"] + tally["violated"] + tally["unknown"])


@pytest.mark.parametrize("slug", samples.names())
@pytest.mark.parametrize("runs", [20, pytest.param(4_000, marks=pytest.mark.slow)])
def test_no_run_of_a_sample_breaks_what_is_proved_of_it(slug: str, runs: int, tell: Tell) -> None:
    flow = read(samples.tree(slug))
    holding, runner, steps = proved(flow), Runner(flow), 0
    found: Counter[int] = Counter()

    for seed in range(runs):
        run = list(runner.run(Random(seed), 60))
        steps += len(run)
        found.update(number for number, rule in enumerate(flow.rules) if broken_at(flow, rule, run) is not None)

    assert not set(found) & set(holding)
    if runs > 1_000:
        broken = sum(count > 0 for count in found.values())
        tell(f"\n{slug}: {steps} random steps, 0 of {len(holding)} proved rules broken, {broken} of the others")
