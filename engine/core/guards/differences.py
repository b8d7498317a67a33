"""Difference constraints: bounds per variable, and Bellman-Ford where two variables meet.

Exact for `x - y <= c` over whole numbers and over reals; where the two meet it forgets that whole numbers are whole,
which can only miss a contradiction, never invent one.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from engine.core.guards.atoms import ZERO, Edge, Number, Variable, Vocabulary, Weight


@dataclass(slots=True)
class Numbers:
    """What is known of the variables: bounds of those spoken of, and the differences between two."""

    words: Vocabulary
    low: dict[int, Weight] = field(default_factory=dict)
    high: dict[int, Weight] = field(default_factory=dict)
    differences: list[Edge] = field(default_factory=list)

    def low_of(self, variable: int) -> Weight:
        return self.low.get(variable) or (self.words.variables[variable].low, 0)

    def high_of(self, variable: int) -> Weight:
        return self.high.get(variable) or (self.words.variables[variable].high, 0)

    def learn(self, edges: Iterable[Edge]) -> bool:
        """Takes constraints in; False when a variable has no value left."""
        for left, right, weight in edges:
            if right == ZERO:
                if weight < self.high_of(left):
                    self.high[left] = weight
                    if self.low_of(left) > weight:
                        return False
            elif left == ZERO:
                least = (-weight[0], -weight[1])
                if least > self.low_of(right):
                    self.low[right] = least
                    if self.high_of(right) < least:
                        return False
            else:
                self.differences.append((left, right, weight))
        return True

    def solution(self) -> Mapping[int, Weight] | None:
        """Values for all variables that meet another one; None when there are none."""
        if not self.differences:
            return {}
        members = {v for left, right, _ in self.differences for v in (left, right)}
        edges = list(self.differences)
        for variable in members:
            edges.append((variable, ZERO, self.high_of(variable)))
            low, epsilon = self.low_of(variable)
            edges.append((ZERO, variable, (-low, -epsilon)))
        distance: dict[int, Weight] = {v: (usual(self.words.variables[v]), 0) for v in members}
        distance[ZERO] = (0, 0)
        for _ in range(len(distance)):
            changed = False
            for left, right, (value, epsilon) in edges:
                base = distance[right]
                reached = (base[0] + value, base[1] + epsilon)
                if reached < distance[left]:
                    distance[left] = reached
                    changed = True
            if not changed:
                zero, tiny = distance[ZERO]
                return {v: (d[0] - zero, d[1] - tiny) for v, d in distance.items()}
        return None

    def value(self, variable: int, solved: Mapping[int, Weight], epsilon: Fraction) -> Number:
        """One value for a variable, near its usual one."""
        if variable in solved:
            whole, part = solved[variable]
            return whole + part * epsilon if part else whole
        low, high = self.low_of(variable), self.high_of(variable)
        wanted = (usual(self.words.variables[variable]), 0)
        if low <= wanted <= high:
            return wanted[0]
        near, far = (low, high) if wanted < low else (high, low)
        if near[1] == 0:
            return near[0]
        step = 1 if near is low else -1
        beyond = near[0] + step
        return beyond if low < (beyond, 0) < high else Fraction(near[0] + far[0]) / 2

    def decides(self, edge: Edge) -> bool | None:
        """Whether the bounds alone make a bound true or false."""
        left, right, weight = edge
        if right != ZERO:
            return None
        if self.high_of(left) <= weight:
            return True
        return False if self.low_of(left) > weight else None


def usual(variable: Variable) -> Number:
    """The value that reads best in a witness, within the variable's range."""
    return min(max(variable.usual, variable.low), variable.high)
