"""What a guard or an assignment is worth in one context; never an exception.

Every expression is compiled once to nested closures that know only the plain case and give up on anything else (a
name that is not set, an overflow). Then the three-valued reference decides, so speed never changes the meaning.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from operator import add, eq, ge, gt, le, lt, mul, ne, sub
from typing import Any, TypeAlias

from engine.core.guards.kinds import FIELD_RANGE, RESULT_RANGE, Kind
from engine.core.guards.language import Expr
from engine.core.guards.syntax import (
    Arith,
    Compare,
    Has,
    ListLiteral,
    Literal,
    Logic,
    Name,
    Node,
    Not,
    Now,
    Size,
    TextTest,
)
from engine.core.guards.three_valued import UNDEFINED, Held, Undefined, conform, reckon, settle, text_test

__all__ = ["UNDEFINED", "Undefined", "evaluate"]

Compiled: TypeAlias = Callable[[Mapping[str, Any], int], Any]

_COMPARISONS: Mapping[str, Callable[[Any, Any], Any]] = {"==": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}
_ARITHMETIC: Mapping[str, Callable[[Any, Any], Any]] = {"+": add, "-": sub, "*": mul}
_EXACT: Mapping[Kind, type] = {Kind.BOOL: bool, Kind.TEXT: str}


class _GiveUp(Exception):
    """The plain case does not hold."""


def evaluate(expression: Expr, values: Mapping[str, Held], now: int) -> Held | Undefined:
    """The value, or UNDEFINED (R3). `values` maps flat names to values; absent or None is not set.

    Only the literal `null` is None; a name that is not set is UNDEFINED.
    """
    try:
        result: Held = _compiled(expression)(values, now)
    except _GiveUp:
        return reference(expression, values, now)
    return result


def reference(expression: Expr, values: Mapping[str, Held], now: int) -> Held | Undefined:
    """The same by the three-valued interpreter alone."""
    value = settle(expression.root, values, now)
    return UNDEFINED if value is None and expression.kind is not Kind.NULL else value


@lru_cache(maxsize=4096)
def _compiled(expression: Expr) -> Compiled:
    return _compile(expression.root)


def _compile(node: Node) -> Compiled:
    match node:
        case Literal():
            value = node.value
            return lambda _values, _now: value
        case ListLiteral():
            items = tuple(item.value for item in node.items)
            return lambda _values, _now: items
        case Name():
            return _name(node)
        case Now():
            return lambda _values, now: now
        case Has():
            name, kind = node.name, node.of
            return lambda values, _now: conform(kind, values.get(name)) is not None
        case Not():
            operand = _compile(node.operand)
            return lambda values, now: not operand(values, now)
        case Logic():
            return _logic(node)
        case Compare():
            return _pair(_COMPARISONS[node.op], _compile(node.left), _compile(node.right))
        case Arith():
            return _arith(node)
        case Size():
            return _size(_compile(node.operand))
        case TextTest():
            test = node.test
            return _pair(lambda s, a: text_test(test, s, a), _compile(node.subject), _compile(node.argument))
        case _:
            return _pair(lambda needle, hay: needle in hay, _compile(node.needle), _compile(node.haystack))


def _name(node: Name) -> Compiled:
    name, kind = node.name, node.kind
    if kind in _EXACT:
        exact = _EXACT[kind]

        def plain(values: Mapping[str, Any], _now: int) -> Any:
            value = values.get(name)
            return value if type(value) is exact else _conformed(kind, value)

        return plain
    if kind not in FIELD_RANGE:
        return lambda values, _now: _conformed(kind, values.get(name))
    low, high = FIELD_RANGE[kind]

    def whole(values: Mapping[str, Any], _now: int) -> Any:
        value = values.get(name)
        if type(value) is int and low <= value <= high:
            return value
        raise _GiveUp

    return whole


def _conformed(kind: Kind, value: object) -> Held:
    found = conform(kind, value)
    if found is None:
        raise _GiveUp
    return found


def _pair(combine: Callable[[Any, Any], Any], left: Compiled, right: Compiled) -> Compiled:
    def pair(values: Mapping[str, Any], now: int) -> Any:
        first, second = left(values, now), right(values, now)
        if first is None or second is None:
            raise _GiveUp
        return combine(first, second)

    return pair


def _size(operand: Compiled) -> Compiled:
    return lambda values, now: len(operand(values, now))


def _arith(node: Arith) -> Compiled:
    left, right, combine = _compile(node.left), _compile(node.right), _ARITHMETIC[node.op]
    if node.kind is Kind.DOUBLE:

        def double(values: Mapping[str, Any], now: int) -> Any:
            result = reckon(node, left(values, now), right(values, now))
            if result is UNDEFINED:
                raise _GiveUp
            return result

        return double
    low, high = RESULT_RANGE[node.kind]

    def whole(values: Mapping[str, Any], now: int) -> Any:
        result = combine(left(values, now), right(values, now))
        if low <= result <= high:
            return result
        raise _GiveUp

    return whole


def _logic(node: Logic) -> Compiled:
    operands = tuple(_compile(operand) for operand in node.operands)
    decisive = node.op == "||"
    if len(operands) == 2:
        first, second = operands
        if decisive:
            return lambda values, now: first(values, now) or second(values, now)
        return lambda values, now: first(values, now) and second(values, now)

    def chain(values: Mapping[str, Any], now: int) -> bool:
        return not decisive if all(o(values, now) is not decisive for o in operands) else decisive

    return chain
