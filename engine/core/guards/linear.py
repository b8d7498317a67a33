"""Numeric expressions as sums of variables, and comparisons of two of them as literals."""

from dataclasses import dataclass
from fractions import Fraction
from math import floor, gcd

from engine.core.guards.atoms import ZERO, Number, Variable, Vocabulary
from engine.core.guards.formula import Formula, every


@dataclass(frozen=True, slots=True)
class Sum:
    """coefficient x variable, added up, plus a constant; at most one term a variable, none with 0."""

    terms: tuple[tuple[int, int], ...]
    constant: Number = 0

    def plus(self, other: "Sum", times: int = 1) -> "Sum":
        """The sum with `times` x other added."""
        total = dict(self.terms)
        for variable, coefficient in other.terms:
            total[variable] = total.get(variable, 0) + times * coefficient
        return Sum(tuple((v, c) for v, c in sorted(total.items()) if c), self.constant + times * other.constant)

    def times(self, factor: int) -> "Sum":
        return Sum((), 0).plus(self, factor)


def bounds(words: Vocabulary, total: Sum) -> tuple[Number, Number]:
    """The least and greatest value over the ranges of its variables."""
    low = high = total.constant
    for number, coefficient in total.terms:
        variable = words.variables[number]
        ends = (coefficient * variable.low, coefficient * variable.high)
        low, high = low + min(ends), high + max(ends)
    return low, high


def at_most_zero(words: Vocabulary, total: Sum, *, strict: bool = False) -> Formula:
    """A sum is <= 0, or < 0: a constant where the ranges decide it."""
    low, high = bounds(words, total)
    if high < 0 or (high == 0 and not strict):
        return True
    if low > 0 or (low == 0 and strict):
        return False
    left, right, limit = _difference(words, total)
    integral = words.variables[left].integral and words.variables[right].integral
    if integral:
        whole = floor(limit)
        return words.at_most(left, right, (whole - 1 if strict and whole == limit else whole, 0))
    return words.at_most(left, right, (limit, -1 if strict else 0))


def equal(words: Vocabulary, total: Sum) -> Formula:
    """A sum is 0."""
    return every(at_most_zero(words, total), at_most_zero(words, total.times(-1)))


def _difference(words: Vocabulary, total: Sum) -> tuple[int, int, Number]:
    """(left, right, limit) so that total <= 0 is left - right <= limit."""
    shared = gcd(*(coefficient for _, coefficient in total.terms))
    terms = [(variable, coefficient // shared) for variable, coefficient in total.terms]
    limit = -Fraction(total.constant) / shared
    match terms:
        case [(variable, 1)]:
            return variable, ZERO, limit
        case [(variable, -1)]:
            return ZERO, variable, limit
        case [(left, 1), (right, -1)] | [(right, -1), (left, 1)]:
            return left, right, limit
    # Anything else is one unknown of its own: exact where it comes back, without a link to its parts.
    sign = 1 if terms[0][1] > 0 else -1
    canonical = Sum(tuple((variable, sign * coefficient) for variable, coefficient in terms))
    low, high = bounds(words, canonical)
    integral = all(words.variables[variable].integral for variable, _ in terms)
    whole = words.variable(Variable("sum", repr(canonical.terms), integral, low, high))
    return (whole, ZERO, limit) if sign > 0 else (ZERO, whole, limit)
