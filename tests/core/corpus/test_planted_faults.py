"""Every planted fault is found where it is, its repaired twin is clean, and what a finding claims is true."""

import re
from collections import Counter
from functools import cache
from random import Random

import pytest

from engine.core import edits
from engine.core.checks.findings import SEVERITIES, Finding
from engine.core.checks.run import blocks, check, proved
from engine.core.checks.sentences import sentence
from engine.core.document import read
from engine.core.events import Outcome
from engine.core.flow import Flow
from engine.core.splits import split_of
from tests.core.corpus.monitors import breaking, broken_at
from tests.core.corpus.planted import Planted, corpus
from tests.core.corpus.replaying import replayed, stepped
from tests.core.corpus.runs import Runner

OF_ONE_FLOW = set(SEVERITIES) - {"V1"}
"""V1 compares two versions."""
WITH_WITNESS = ("G1", "G2", "G5")
MOVED_ON = ("R8",)
"""A message may go unheard in several states: a fix mends the one that the path goes through, the next run another."""

each = pytest.mark.parametrize("entry", corpus(), ids=lambda entry: f"{entry.code} {entry.name}")


@cache
def _found(name: str) -> tuple[Flow, tuple[Finding, ...]]:
    flow = read(next(entry for entry in corpus() if entry.name == name).faulty)
    return flow, check(flow)


def of(entry: Planted) -> list[Finding]:
    """The findings that the fault is known by."""
    return [f for f in _found(entry.name)[1] if f.code == entry.code and _is_at(f, entry)]


def _is_at(found: Finding, entry: Planted) -> bool:
    seen = {
        "state": found.where.state,
        "event": found.where.event,
        "transitions": list(found.where.transitions),
        "rule": found.facts.get("rule"),
        "last": (found.path or ({},))[-1].get("transition"),
    }
    always = found.witness is not None and not found.witness
    variant = "always" if always else found.facts.get("variant")
    return {part: seen[part] for part in entry.at} == dict(entry.at) and entry.variant in (None, variant)


def test_the_corpus_has_every_code_and_the_important_ones_in_several_ways() -> None:
    ways = Counter(entry.code for entry in corpus())

    assert set(ways) == OF_ONE_FLOW
    assert min(ways.values()) >= 2
    assert {code for code, count in ways.items() if count >= 5} >= {"G1", "G2", "G3", "G5", "S1", "S7"}
    assert len({entry.name for entry in corpus()}) == len(corpus()) >= 60


@each
def test_the_fault_is_found_at_its_place(entry: Planted) -> None:
    assert of(entry), [(f.code, f.where, dict(f.facts)) for f in _found(entry.name)[1]]


@each
def test_its_english_sentence_is_english(entry: Planted) -> None:
    told = [sentence(found, "en") for found in of(entry)]

    assert told and not [said for said in told if re.search(r"\b(dia|dias|não|seta|depois|com|e)\b", said)]


@each
def test_one_fault_is_not_told_as_another(entry: Planted) -> None:
    assert {f.code for f in _found(entry.name)[1]} <= {entry.code, *entry.also}


@each
def test_the_repaired_twin_is_clean(entry: Planted) -> None:
    left = check(read(entry.repaired))

    assert not blocks(left), [f.message for f in left]
    assert [f for f in left if f.code in (entry.code, *entry.also)] == []


@pytest.mark.parametrize("entry", [e for e in corpus() if e.code in WITH_WITNESS], ids=lambda e: f"{e.code} {e.name}")
def test_a_witness_is_true_on_the_interpreter(entry: Planted) -> None:
    flow, _ = _found(entry.name)
    for found in of(entry):
        event = found.where.event or ""
        for state in [found.where.state] if found.where.state else _states_with(flow, event, found.where.transitions):
            came = stepped(flow, found, state)
            if found.code == "G1":
                assert came.outcome is Outcome.AMBIGUOUS
                told, met = (
                    {split_of(flow.arrows[name]) for name in names}
                    for names in (found.where.transitions, came.candidates)
                )
                assert told <= met
            elif found.code == "G2":
                assert came.outcome is Outcome.NO_TRANSITION
            else:
                assert set(found.where.transitions) <= set(came.undefined)


def _states_with(flow: Flow, event: str, arrows: tuple[str, ...]) -> list[str]:
    """The states that take all of the global arrows."""
    return [s for s in flow.states if set(arrows) <= {t.id for t in flow.global_group(s, event)}]


@each
def test_a_path_can_be_gone_on_the_interpreter(entry: Planted) -> None:
    flow, findings = _found(entry.name)
    for found in findings:
        if found.path is not None:
            assert replayed(flow, found.path) is not None


@pytest.mark.parametrize("entry", [e for e in corpus() if e.code[0] == "R"], ids=lambda e: f"{e.code} {e.name}")
def test_a_path_breaks_its_rule_with_its_last_step(entry: Planted) -> None:
    flow, _ = _found(entry.name)
    for found in of(entry):
        assert found.path is not None
        breaks = breaking(flow, flow.rules[int(str(found.facts["rule"]))], len(found.path) - 1)
        assert replayed(flow, found.path, breaks) is not None


@pytest.mark.parametrize("entry", [e for e in corpus() if e.code[0] == "R"], ids=lambda e: f"{e.code} {e.name}")
def test_the_rule_of_a_repaired_twin_is_proved_and_no_run_breaks_it(entry: Planted) -> None:
    flow = read(entry.repaired)
    runner = Runner(flow)

    assert proved(flow) == tuple(range(len(flow.rules)))
    for seed in range(10):
        run = list(runner.run(Random(seed), 40))
        assert [broken_at(flow, rule, run) for rule in flow.rules] == [None] * len(flow.rules)


def offered() -> list[object]:
    return [
        pytest.param(entry, number, index, id=f"{found.code} {entry.name} {fix.label_code}")
        for entry in corpus()
        for number, found in enumerate(_found(entry.name)[1])
        for index, fix in enumerate(found.fixes)
    ]


@pytest.mark.parametrize(("entry", "number", "index"), offered())
def test_a_fix_is_an_edit_that_ends_its_finding(entry: Planted, number: int, index: int) -> None:
    found = _found(entry.name)[1][number]

    mended = read(edits.apply(entry.faulty, found.fixes[index].edit))

    left = [f for f in check(mended) if (f.code, f.where) == (found.code, found.where)]
    assert left == [] or (found.code in MOVED_ON and all(f.path != found.path for f in left))
