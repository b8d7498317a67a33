"""Proofs about guards: can they be true, together, at once; do they cover everything.

`Unsat` is a proof. `Sat` carries a context that was run on the evaluator and did what was asked. Anything else is
`Unknown`, which never passes for a proof: sums of two fields, double arithmetic, or more than the budget.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeAlias

from engine.core.guards.atoms import Vocabulary
from engine.core.guards.evaluate import UNDEFINED, Undefined, evaluate
from engine.core.guards.formula import Clause, Formula, clauses, deny, every
from engine.core.guards.kinds import Scope
from engine.core.guards.language import Expr
from engine.core.guards.search import Assignment, Search
from engine.core.guards.three_valued import Held
from engine.core.guards.translate import Translator
from engine.core.guards.witness import contexts


class NotTrue(Enum):
    """The type of NOT_TRUE."""

    NOT_TRUE = "not true"


NOT_TRUE: Final = NotTrue.NOT_TRUE
"""False or undefined: the guard is not taken."""

Wanted: TypeAlias = bool | Undefined | NotTrue
Claim: TypeAlias = tuple[Expr, Wanted]
"""A guard and what it should be."""


@dataclass(frozen=True, slots=True)
class Sat:
    """Possible, in this context: values of the names spoken of (absent is not set), and the instant."""

    witness: Mapping[str, Held]
    now: int


@dataclass(frozen=True, slots=True)
class Unsat:
    """Impossible in every allowed context."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """Neither proved nor shown."""


Answer: TypeAlias = Sat | Unsat | Unknown


class Prover:
    """Answers questions over one scope; translations and clauses are kept between questions."""

    def __init__(self, scope: Scope) -> None:
        self._words = Vocabulary(scope)
        self._translator = Translator(self._words)
        self._cases: dict[Expr, tuple[Formula, Formula]] = {}
        self._clauses: dict[Claim, tuple[Clause, ...]] = {}

    def satisfiable(self, claims: Iterable[Claim]) -> Answer:
        """Whether one context makes all claims come out as wanted."""
        claims = tuple(claims)
        wanted = [clause for claim in claims for clause in self._claim(claim)]
        if () in wanted:
            return Unsat()
        names = tuple(sorted({name for guard, _ in claims for name in guard.names}))
        shown: list[Sat] = []

        def accept(known: Assignment) -> bool:
            for values, now in contexts(self._words, names, known):
                if all(_came_out(evaluate(guard, values, now), as_wanted) for guard, as_wanted in claims):
                    shown.append(Sat(values, now))
                    return True
            return False

        search = Search(self._words, names, accept)
        search.run(wanted)
        if shown:
            return shown[0]
        return Unknown() if search.open else Unsat()

    def disjoint(self, first: Expr, second: Expr) -> Answer:
        """Unsat: never both true. Sat: both are, in this context."""
        return self.satisfiable(((first, True), (second, True)))

    def exhaustive(self, guards: Sequence[Expr]) -> Answer:
        """Unsat: some guard is always true. Sat: none is, in this context."""
        return self.satisfiable((guard, NOT_TRUE) for guard in guards)

    def can_be_true(self, guard: Expr) -> Answer:
        """Unsat: never true."""
        return self.satisfiable(((guard, True),))

    def can_be_undefined(self, guard: Expr) -> Answer:
        """Unsat: always true or false."""
        return self.satisfiable(((guard, UNDEFINED),))

    def shadowed(self, guard: Expr, by: Sequence[Expr]) -> Answer:
        """Unsat: whenever the guard is true one of the others is too. Sat: it is true alone, in this context."""
        return self.satisfiable(((guard, True), *((other, NOT_TRUE) for other in by)))

    def _claim(self, claim: Claim) -> tuple[Clause, ...]:
        found = self._clauses.get(claim)
        if found is None:
            guard, wanted = claim
            if guard not in self._cases:
                self._cases[guard] = self._translator.cases(guard.root)
            true, false = self._cases[guard]
            formula = every(_asked(true, false, wanted), *self._past(guard))
            found = self._clauses[claim] = clauses(formula, self._words.fresh)
        return found

    def _past(self, guard: Expr) -> Iterable[Formula]:
        """Instants that are never later than now."""
        for name in sorted(guard.names):
            if self._words.scope[name].past:
                yield self._words.at_most(self._words.of_name(name), self._words.now(), (0, 0))


def _asked(true: Formula, false: Formula, wanted: Wanted) -> Formula:
    if wanted is True:
        return true
    if wanted is False:
        return false
    return deny(true) if wanted is NOT_TRUE else every(deny(true), deny(false))


def _came_out(value: object, wanted: Wanted) -> bool:
    return value is not True if wanted is NOT_TRUE else value is wanted


def satisfiable(claims: Iterable[Claim], scope: Scope) -> Answer:
    """`Prover.satisfiable` for a single question."""
    return Prover(scope).satisfiable(claims)


def disjoint(first: Expr, second: Expr, scope: Scope) -> Answer:
    """Unsat: never both true."""
    return Prover(scope).disjoint(first, second)


def exhaustive(guards: Sequence[Expr], scope: Scope) -> Answer:
    """Unsat: some guard is always true."""
    return Prover(scope).exhaustive(guards)


def can_be_true(guard: Expr, scope: Scope) -> Answer:
    """Unsat: never true."""
    return Prover(scope).can_be_true(guard)


def can_be_undefined(guard: Expr, scope: Scope) -> Answer:
    """Unsat: always true or false."""
    return Prover(scope).can_be_undefined(guard)


def shadowed(guard: Expr, by: Sequence[Expr], scope: Scope) -> Answer:
    """Unsat: never true alone."""
    return Prover(scope).shadowed(guard, by)
