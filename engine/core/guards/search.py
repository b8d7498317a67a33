"""Looks for an assignment of atoms that satisfies clauses and makes sense: DPLL with bounds that decide atoms.

Every assignment that the theories accept is handed to `accept`, which builds a witness and runs it. Only what was run
counts as found; an assignment that could not be run leaves the question open.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from engine.core.guards.atoms import ZERO, Edge, Equals, Listed, Same, Tested, Vocabulary, Weight
from engine.core.guards.differences import Numbers
from engine.core.guards.formula import Clause
from engine.core.guards.texts import Texts

BUDGET = 20_000
"""Nodes of the search before it gives up."""
_REFUSALS = 12
"""Assignments without a working witness before it gives up."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """Atoms decided so that nothing contradicts, with what the theories know of them."""

    decided: Mapping[int, bool]
    numbers: Numbers
    solved: Mapping[int, Weight]
    texts: Texts


class _Stop(Exception):
    """Found, or given up."""


class Search:
    """One search. `found` is set by `accept` answering True; `open` says that it proves nothing."""

    def __init__(self, words: Vocabulary, names: Iterable[str], accept: Callable[[Assignment], bool]) -> None:
        self._words = words
        self._accept = accept
        self._values = {name: d.values for name, d in words.scope.items() if d.values}
        self._measured = [name for name in names if name in self._values and words.size_of(name) is not None]
        self._nodes = 0
        self._refused = 0
        self.found = False
        self.open = False

    def run(self, clauses: Iterable[Clause]) -> None:
        try:
            self._solve(list(clauses), {}, None)
        except _Stop:
            return

    def _solve(self, clauses: list[Clause], decided: dict[int, bool], numbers: Numbers | None) -> None:
        self._nodes += 1
        if self._nodes > BUDGET:
            self.open = True
            raise _Stop
        while True:
            left = self._propagated(clauses, decided, numbers)
            if left is None:
                return
            known = self._consistent(decided)
            if known is None:
                return
            if not left:
                self._offer(known)
                return
            tightened = numbers is None or known.numbers.low != numbers.low or known.numbers.high != numbers.high
            clauses, numbers = left, known.numbers
            if not tightened:
                break
        choice = min(clauses, key=len)[0]
        for value in (choice > 0, choice < 0):
            self._solve(clauses, {**decided, abs(choice): value}, numbers)

    def _propagated(
        self, clauses: list[Clause], decided: dict[int, bool], numbers: Numbers | None
    ) -> list[Clause] | None:
        """The clauses still open, units put into `decided`; None on a contradiction."""
        while True:
            left: list[Clause] = []
            unit = False
            for clause in clauses:
                open_literals = []
                for literal in clause:
                    truth = self._truth(literal, decided, numbers)
                    if truth is True:
                        break
                    if truth is None:
                        open_literals.append(literal)
                else:
                    if not open_literals:
                        return None
                    if len(open_literals) == 1:
                        decided[abs(open_literals[0])] = open_literals[0] > 0
                        unit = True
                    else:
                        left.append(tuple(open_literals))
            clauses = left
            if not unit:
                return left

    def _truth(self, literal: int, decided: Mapping[int, bool], numbers: Numbers | None) -> bool | None:
        atom = abs(literal)
        truth = decided.get(atom)
        if truth is None and numbers is not None and (edges := self._words.edges[atom]) is not None:
            truth = numbers.decides(edges[0])
        return truth if truth is None or literal > 0 else not truth

    def _consistent(self, decided: Mapping[int, bool]) -> Assignment | None:
        edges: list[Edge] = []
        facts: list[tuple[Equals | Same | Tested, bool]] = []
        members: dict[str, int] = {}
        for number, yes in decided.items():
            pair = self._words.edges[number]
            if pair is not None:
                edges.append(pair[0] if yes else pair[1])
                continue
            atom = self._words.atoms[number]
            if isinstance(atom, Listed):
                members[atom.name] = members.get(atom.name, 0) + yes
            elif isinstance(atom, Equals | Same | Tested):
                facts.append((atom, yes))
        numbers = Numbers(self._words)
        if not numbers.learn(edges) or not numbers.learn(self._list_sizes(members)):
            return None
        texts = Texts(facts, self._values, self._measured)
        if texts.groups:
            lengths = texts.consistent(numbers)
            if lengths is None or not numbers.learn(lengths):
                return None
        solved = numbers.solution()
        return None if solved is None else Assignment(decided, numbers, solved, texts)

    def _list_sizes(self, members: Mapping[str, int]) -> Iterable[Edge]:
        for name, count in members.items():
            size = self._words.size_of(name)
            if size is not None:
                yield (ZERO, size, (-count, 0))

    def _offer(self, known: Assignment) -> None:
        if self._accept(known):
            self.found = True
            raise _Stop
        self.open = True
        self._refused += 1
        if self._refused >= _REFUSALS:
            raise _Stop
