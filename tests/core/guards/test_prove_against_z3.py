"""Three judges on random questions: the prover, z3, and the evaluator on sampled contexts. Nobody may contradict.

The short version runs with all tests, the long one with `make proof`, which tells how many questions there were.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from itertools import combinations
from random import Random
from typing import Any

import pytest
import z3

from engine.core.guards.evaluate import UNDEFINED, evaluate, reference
from engine.core.guards.kinds import Kind
from engine.core.guards.language import Expr, parse_guard
from engine.core.guards.prove import NOT_TRUE, Claim, Prover, Sat, Unknown, Unsat
from tests.core.guards.oracle import Oracle
from tests.strategies import NOW, SCOPE, random_context, random_guard

Tell = Callable[[str], None]
LONG = 3_000


def came_out(guard: Expr, wanted: Any, values: Mapping[str, Any], now: int) -> bool:
    found = reference(guard, values, now)
    return found is not True if wanted is NOT_TRUE else found is wanted


def questions(guards: list[Expr]) -> list[tuple[str, list[Claim]]]:
    """What the checks ask of a group: overlap, gap, shadowed by the others, dead, always, undefined."""
    first, rest = guards[0], guards[1:]
    pairs = combinations(guards, 2)
    return [
        *(("overlap", [(one, True), (other, True)]) for one, other in pairs),
        ("gap", [(guard, NOT_TRUE) for guard in guards]),
        *([("shadowed", [(first, True), *((other, NOT_TRUE) for other in rest)])] if rest else []),
        ("dead", [(first, True)]),
        ("always", [(first, False)]),
        ("undefined", [(first, UNDEFINED)]),
    ]


def kinds(guards: list[Expr]) -> set[str]:
    """The kinds of fields that are spoken of; an enum and an optional field count as kinds of their own."""
    names = [SCOPE[name] for guard in guards for name in guard.names]
    found = {"enum" if declared.values else declared.kind.value for declared in names}
    return found | {"optional" for declared in names if declared.optional}


@pytest.fixture
def tell(capsys: pytest.CaptureFixture[str]) -> Tell:
    """Print past the capture: `make proof` is run for its totals."""

    def said(line: str) -> None:
        with capsys.disabled():
            print(line)

    return said


def judged(seeds: range, *, exact: bool) -> Counter[str]:
    """Ask everybody about the groups of all seeds. Raises AssertionError, with the seed, where two contradict."""
    tally: Counter[str] = Counter()
    for seed in seeds:
        rng = Random(seed)
        size = rng.choice((2, 3) if exact else (1, 2))
        guards = [parse_guard(random_guard(rng, exact=exact), SCOPE) for _ in range(size)]
        samples = [random_context(rng) for _ in range(15 if exact else 25)]
        prover = Prover(SCOPE)
        for name, claims in questions(guards):
            own = prover.satisfiable(claims)
            verdict = type(own).__name__
            tally.update((verdict, f"{name} {verdict}"))
            tally.update(f"{kind} {verdict}" for kind in kinds([guard for guard, _ in claims]))
            if exact:
                theirs = Oracle().answer(claims)
                tally[f"z3 {theirs}"] += 1
                assert (verdict, theirs) not in (("Sat", z3.unsat), ("Unsat", z3.sat)), seed
            if isinstance(own, Sat):
                assert all(came_out(guard, wanted, own.witness, own.now) for guard, wanted in claims), seed
            if isinstance(own, Unsat):
                assert not any(all(came_out(g, w, values, NOW) for g, w in claims) for values in samples), seed
    return tally


def totals(tally: Counter[str]) -> str:
    asked = sum(tally[verdict] for verdict in ("Sat", "Unsat", "Unknown"))
    z3_unknown = f", z3 undecided {tally['z3 unknown']}" if any(key.startswith("z3") for key in tally) else ""
    return (
        f"{asked} questions: {tally['Sat']} possible, {tally['Unsat']} proved impossible, "
        f"{tally['Unknown']} unknown{z3_unknown}; 0 contradictions"
    )


def test_prover_z3_and_evaluator_never_contradict_each_other() -> None:
    tally = judged(range(100), exact=True)

    # A comparison that nobody decides would pass and say nothing.
    assert tally["Sat"] > 200
    assert tally["Unsat"] > 60
    assert tally["Unknown"] <= 10
    assert tally["z3 unknown"] <= 10
    for name in ("overlap", "gap", "shadowed", "dead", "always", "undefined"):
        assert tally[f"{name} Sat"] and tally[f"{name} Unsat"], name
    for kind in ({kind.value for kind in Kind} - {"null"}) | {"enum", "optional"}:
        assert tally[f"{kind} Sat"] and tally[f"{kind} Unsat"], kind


@pytest.mark.slow
def test_prover_z3_and_evaluator_do_not_contradict_each_other_for_long(tell: Tell) -> None:
    tally = judged(range(100, 100 + LONG), exact=True)

    tell(f"\nguards, prover against z3 against evaluator: {totals(tally)}")
    assert tally["Unknown"] <= 0.01 * tally.total()


def test_outside_what_z3_can_judge_no_sample_refutes_a_proof() -> None:
    """Double arithmetic, products and sums of two fields: Unknown is allowed, a wrong proof is not."""
    tally = judged(range(200), exact=False)

    assert tally["Unsat"] > 100
    assert 0 < tally["Unknown"] <= 0.05 * (tally["Sat"] + tally["Unsat"] + tally["Unknown"])


@pytest.mark.slow
def test_no_sample_refutes_a_proof_for_long(tell: Tell) -> None:
    tally = judged(range(200, 200 + 5 * LONG), exact=False)

    tell(f"\nguards with calculations, prover against evaluator: {totals(tally)}")
    assert tally["Unsat"] > LONG


def test_doubles_are_not_reals() -> None:
    """On reals 0.1 + 0.2 > 0.3 is never true; the evaluator says that it is."""
    scope = {"total": SCOPE["nota"], "fee": SCOPE["nota"]}
    guard = parse_guard("total == 0.1 && fee == 0.2 && total + fee > 0.3", scope)

    answer = Prover(scope).can_be_true(guard)

    assert evaluate(guard, {"total": 0.1, "fee": 0.2}, NOW) is True
    assert isinstance(answer, Sat | Unknown)
