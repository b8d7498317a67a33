"""Our prover and z3 on the same questions: every two guards of a (state, event), and whether one of them always holds."""

import time
from collections.abc import Callable
from itertools import combinations

from engine.core.guards.language import Expr, parse_guard
from engine.core.guards.prove import NOT_TRUE, Claim, Prover
from tests.core.guards.oracle import Oracle
from tests.strategies import SCOPE

SIZES = (5, 15, 45, 90)


async def measure() -> dict[str, object]:
    """Milliseconds of processor time for all questions about a group of so many guards, and how often longer z3 took."""
    figures: dict[str, object] = {}
    for kind, guards_of in (("disjoint", _disjoint), ("overlapping", _overlapping)):
        for size in SIZES:
            questions = _questions(guards_of(size))
            prover = Prover(SCOPE)
            own = _spent(lambda claims, prover=prover: prover.satisfiable(claims), questions)
            theirs = _spent(lambda claims: Oracle().answer(claims), questions)
            figures[f"{size} {kind} guards: ours ms, z3 ms, ratio"] = f"{own:.0f}, {theirs:.0f}, {theirs / own:.1f}"
    return figures


def _questions(guards: list[Expr]) -> list[list[Claim]]:
    pairs: list[list[Claim]] = [[(one, True), (other, True)] for one, other in combinations(guards, 2)]
    return [*pairs, [(guard, NOT_TRUE) for guard in guards]]


def _spent(ask: Callable[[list[Claim]], object], questions: list[list[Claim]]) -> float:
    begun = time.process_time()
    for claims in questions:
        ask(claims)
    return (time.process_time() - begun) * 1_000


def _disjoint(size: int) -> list[Expr]:
    """Bands of one number without a gap."""
    bands = [f"n >= {10 * at} && n < {10 * at + 10}" for at in range(1, size - 1)]
    return _read(["n < 10", *bands, f"n >= {10 * (size - 1)}"])


def _overlapping(size: int) -> list[Expr]:
    """Bands that reach into the next, each with a word or a flag beside them."""
    beside = ("vip", "plano == 'pro'", "has(m) && m > 3", "fase == 'a'")
    return _read([f"n >= {10 * at} && n < {10 * at + 12} && {beside[at % len(beside)]}" for at in range(size)])


def _read(texts: list[str]) -> list[Expr]:
    return [parse_guard(text, SCOPE) for text in texts]
