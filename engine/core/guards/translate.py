"""A guard as two formulas: when it is true and when it is false. Undefined is neither.

Everything here over-approximates at worst: what the atoms cannot express is an atom or a variable of its own, free to
take any value. So "cannot be satisfied" is a proof, and "can" is only a hint that the evaluator must confirm.
"""

from fractions import Fraction

from engine.core.guards.atoms import GREATEST_DOUBLE, Equals, Flag, Listed, Same, Tested, Variable, Vocabulary
from engine.core.guards.formula import Formula, deny, every, some
from engine.core.guards.kinds import RESULT_RANGE, Kind
from engine.core.guards.linear import Sum, at_most_zero, bounds, equal
from engine.core.guards.printing import node_text
from engine.core.guards.syntax import (
    Arith,
    Compare,
    Has,
    ListLiteral,
    Literal,
    Logic,
    Member,
    Name,
    Node,
    Not,
    Now,
    Size,
    TextTest,
)
from engine.core.guards.three_valued import UNDEFINED, reckon, text_test


class Translator:
    """Translates guards over one vocabulary."""

    def __init__(self, words: Vocabulary) -> None:
        self._words = words

    def cases(self, node: Node) -> tuple[Formula, Formula]:
        """(true, false) of a node that is a condition."""
        match node:
            case Literal():
                return node.value is True, node.value is False
            case Name():
                value = self._words.atom(Flag("value", node.name))
                return every(self._has(node.name), value), every(self._has(node.name), -value)
            case Has():
                known = self._has(node.name)
                return known, deny(known)
            case Not():
                true, false = self.cases(node.operand)
                return false, true
            case Logic():
                pairs = [self.cases(operand) for operand in node.operands]
                yes, no = [p[0] for p in pairs], [p[1] for p in pairs]
                return (every(*yes), some(*no)) if node.op == "&&" else (some(*yes), every(*no))
            case Compare():
                return self._equality(node) if node.op in ("==", "!=") else self._ordering(node)
            case Member():
                return self._within(self._member(node), node.needle, node.haystack)
            case TextTest():
                return self._within(self._test(node), node.subject, node.argument)
            case _:  # pragma: no cover - the parser lets no other node be a condition
                raise AssertionError(node)

    def _has(self, name: str) -> Formula:
        return self._words.atom(Flag("has", name)) if self._words.scope[name].optional else True

    def _within(self, truth: Formula, *operands: Node) -> tuple[Formula, Formula]:
        known = every(*(self._defined(operand) for operand in operands))
        return every(known, truth), every(known, deny(truth))

    def _defined(self, node: Node) -> Formula:
        """When a node has a value: set, and no step of its arithmetic leaves the range."""
        match node:
            case Literal():
                return node.kind is not Kind.NULL
            case Name():
                return self._has(node.name)
            case Size():
                return self._defined(node.operand)
            case Arith():
                return every(self._defined(node.left), self._defined(node.right), self._fits(node))
            case ListLiteral() | Now():
                return True
            case _:
                return some(*self.cases(node))

    def _fits(self, node: Arith) -> Formula:
        total = self._number(node)
        if node.kind is Kind.DOUBLE:
            if _constant(node.left) is not None and _constant(node.right) is not None:
                return _constant(node) is not None
            low, high = bounds(self._words, total)
            bounded = low > -GREATEST_DOUBLE and high < GREATEST_DOUBLE
            return True if bounded else self._words.atom(Flag("finite", "", node))
        least, most = RESULT_RANGE[node.kind]
        return every(
            at_most_zero(self._words, total.plus(Sum((), -most))),
            at_most_zero(self._words, Sum((), least).plus(total, -1)),
        )

    def _ordering(self, node: Compare) -> tuple[Formula, Formula]:
        left, right = self._number(node.left), self._number(node.right)
        low, high = (left, right) if node.op in ("<", "<=") else (right, left)
        truth = at_most_zero(self._words, low.plus(high, -1), strict=node.op in ("<", ">"))
        return self._within(truth, node.left, node.right)

    def _equality(self, node: Compare) -> tuple[Formula, Formula]:
        left_there, right_there = self._defined(node.left), self._defined(node.right)
        left_unset, right_unset = self._unset(node.left), self._unset(node.right)
        both = every(left_there, right_there)
        same, other = (False, False) if both is False else self._compared(node.left, node.right, both)
        equals = some(same, every(left_unset, right_unset))
        differs = some(other, every(left_unset, right_there), every(left_there, right_unset))
        return (equals, differs) if node.op == "==" else (differs, equals)

    def _unset(self, node: Node) -> Formula:
        if isinstance(node, Name):
            return deny(self._has(node.name))
        return isinstance(node, Literal) and node.kind is Kind.NULL

    def _compared(self, left: Node, right: Node, both: Formula) -> tuple[Formula, Formula]:
        """(equal, different) of two values that are `both` there."""
        if left.kind is not Kind.BOOL:
            truth = self._equal(left, right)
            return every(both, truth), every(both, deny(truth))
        (left_true, left_false), (right_true, right_false) = self.cases(left), self.cases(right)
        return (
            some(every(left_true, right_true), every(left_false, right_false)),
            some(every(left_true, right_false), every(left_false, right_true)),
        )

    def _equal(self, left: Node, right: Node) -> Formula:
        """Equality of two values that are there and no conditions."""
        if left.kind is not Kind.TEXT:
            return equal(self._words, self._number(left).plus(self._number(right), -1))
        match left, right:
            case Name(), Name():
                first, second = sorted((left.name, right.name))
                return True if first == second else self._words.atom(Same(first, second))
            case Name(), Literal():
                return self._is(left.name, str(right.value))
            case Literal(), Name():
                return self._is(right.name, str(left.value))
            case _:
                return left == right

    def _is(self, name: str, text: str) -> Formula:
        values = self._words.scope[name].values
        return False if values and text not in values else self._words.atom(Equals(name, text))

    def _member(self, node: Member) -> Formula:
        needle, haystack = node.needle, node.haystack
        if isinstance(haystack, ListLiteral):
            return some(*(self._equal(needle, item) for item in haystack.items))
        if isinstance(haystack, Name) and isinstance(needle, Literal):
            return self._words.atom(Listed(haystack.name, str(needle.value)))
        return self._words.atom(Flag("truth", "", node))

    def _test(self, node: TextTest) -> Formula:
        match node.subject, node.argument:
            case Literal() as subject, Literal() as argument:
                return text_test(node.test, str(subject.value), str(argument.value))
            case Name() as subject, Literal() as argument:
                text, values = str(argument.value), self._words.scope[subject.name].values
                if values:
                    return some(*(self._is(subject.name, v) for v in values if text_test(node.test, v, text)))
                return True if text == "" else self._words.atom(Tested(subject.name, node.test, text))
            case _:
                return self._words.atom(Flag("truth", "", node))

    def _number(self, node: Node) -> Sum:
        match node:
            case Literal(value=int() | float() as value):
                return Sum((), Fraction(value) if isinstance(value, float) else value)
            case Name():
                return Sum(((self._words.of_name(node.name), 1),))
            case Now():
                return Sum(((self._words.now(), 1),))
            case Size(operand=Name() as operand):
                return Sum(((self._words.of_size(operand.name), 1),))
            case Size(operand=Literal() as operand):
                return Sum((), len(str(operand.value)))
            case Size(operand=ListLiteral() as operand):
                return Sum((), len(operand.items))
            case Arith():
                return self._double(node) if node.kind is Kind.DOUBLE else self._whole(node)
            case _:  # pragma: no cover - the parser lets no other node be a number
                raise AssertionError(node)

    def _whole(self, node: Arith) -> Sum:
        left, right = self._number(node.left), self._number(node.right)
        if node.op in "+-":
            return left.plus(right, 1 if node.op == "+" else -1)
        if not left.terms or not right.terms:
            factor, scaled = (left, right) if not left.terms else (right, left)
            return scaled.times(int(factor.constant))
        (low, high), (least, most) = bounds(self._words, left), bounds(self._words, right)
        ends = (low * least, low * most, high * least, high * most)
        return self._opaque(node, min(ends), max(ends), integral=True)

    def _double(self, node: Arith) -> Sum:
        """Rounding makes double arithmetic no sum: a constant is computed, anything else is an unknown of its own."""
        constant = _constant(node)
        if constant is not None:
            return Sum((), Fraction(constant))
        left, right = bounds(self._words, self._number(node.left)), bounds(self._words, self._number(node.right))
        if node.op == "*":
            ends = [left[0] * right[0], left[0] * right[1], left[1] * right[0], left[1] * right[1]]
        elif node.op == "+":
            ends = [left[0] + right[0], left[1] + right[1]]
        else:
            ends = [left[0] - right[1], left[1] - right[0]]
        # Rounding is monotone, and the margin is far more than one rounding can add.
        margin = Fraction(1, 2**40)
        low, high = Fraction(min(ends)), Fraction(max(ends))
        low, high = low - abs(low) * margin - margin, high + abs(high) * margin + margin
        return self._opaque(node, max(low, -GREATEST_DOUBLE), min(high, GREATEST_DOUBLE), integral=False)

    def _opaque(self, node: Arith, low: int | Fraction, high: int | Fraction, *, integral: bool) -> Sum:
        return Sum(((self._words.variable(Variable("node", node_text(node), integral, low, high)), 1),))


def _constant(node: Node) -> float | None:
    """The value of double arithmetic on constants alone, None if there is none."""
    if isinstance(node, Literal) and isinstance(node.value, float):
        return node.value
    if not isinstance(node, Arith):
        return None
    left, right = _constant(node.left), _constant(node.right)
    result = UNDEFINED if left is None or right is None else reckon(node, left, right)
    return None if result is UNDEFINED else float(result)
