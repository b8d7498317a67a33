"""The reference meaning of a guard: true, false or undefined, errors absorbed by && and || in both orders.

Slow and plain on purpose. `None` is "not set" here; only `==`, `!=` and `has` have a value on it.
"""

from collections.abc import Mapping
from enum import Enum
from math import isfinite
from typing import Any, Final, TypeAlias

from engine.core.guards.kinds import FIELD_RANGE, RESULT_RANGE, Kind
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

Held: TypeAlias = bool | int | float | str | tuple[str, ...] | None


class Undefined(Enum):
    """The type of UNDEFINED, so that `is UNDEFINED` narrows. It is false, so that it never passes for a yes."""

    UNDEFINED = "undefined"

    def __bool__(self) -> bool:
        return False


UNDEFINED: Final = Undefined.UNDEFINED


def conform(kind: Kind, value: object) -> Held:
    """The value as its kind, or None: what is of another type, out of range or not finite counts as not set."""
    match kind:
        case Kind.BOOL:
            return value if isinstance(value, bool) else None
        case Kind.TEXT:
            return value if isinstance(value, str) else None
        case Kind.LIST:
            return tuple(value) if isinstance(value, tuple | list) and all(isinstance(i, str) for i in value) else None
        case Kind.DOUBLE:
            return _double(value)
    low, high = FIELD_RANGE[kind]
    return value if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high else None


def _double(value: object) -> float | None:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if isfinite(number) else None


def settle(node: Node, values: Mapping[str, object], now: int) -> Held | Undefined:
    """The value of a node; None when it is a name that is not set."""
    match node:
        case Literal():
            return node.value
        case ListLiteral():
            return tuple(str(item.value) for item in node.items)
        case Name():
            return conform(node.kind, values.get(node.name))
        case Now():
            return now
        case Has():
            return conform(node.of, values.get(node.name)) is not None
        case Not():
            operand = _set(node.operand, values, now)
            return operand if operand is UNDEFINED else not operand
        case Logic():
            return _absorbing(node, values, now)
        case Compare():
            return _compared(node, values, now)
        case Arith():
            left, right = _set(node.left, values, now), _set(node.right, values, now)
            return UNDEFINED if left is UNDEFINED or right is UNDEFINED else reckon(node, left, right)
        case Size():
            operand = _set(node.operand, values, now)
            return len(operand) if isinstance(operand, str | tuple) else UNDEFINED
        case TextTest():
            subject, argument = _set(node.subject, values, now), _set(node.argument, values, now)
            if not isinstance(subject, str) or not isinstance(argument, str):
                return UNDEFINED
            return text_test(node.test, subject, argument)
        case _:
            return _found(node, values, now)


def reckon(node: Arith, left: Any, right: Any) -> int | float | Undefined:
    """Arithmetic on numbers within the kind's range; outside it, or not finite, is undefined."""
    result: int | float = left + right if node.op == "+" else left - right if node.op == "-" else left * right
    if node.kind is Kind.DOUBLE:
        return result if isfinite(result) else UNDEFINED
    low, high = RESULT_RANGE[node.kind]
    return result if low <= result <= high else UNDEFINED


def text_test(test: str, subject: str, argument: str) -> bool:
    """startsWith, endsWith or contains, by characters as they are: nothing is folded."""
    if test == "startsWith":
        return subject.startswith(argument)
    return subject.endswith(argument) if test == "endsWith" else argument in subject


def ordered(op: str, left: float, right: float) -> bool:
    """One of the four orderings, exact between whole numbers and doubles."""
    if op in ("<", ">="):
        return (left < right) is (op == "<")
    return (left <= right) is (op == "<=")


def _set(node: Node, values: Mapping[str, object], now: int) -> Held | Undefined:
    value = settle(node, values, now)
    return UNDEFINED if value is None else value


def _absorbing(node: Logic, values: Mapping[str, object], now: int) -> bool | Undefined:
    decisive = node.op == "||"
    verdict: bool | Undefined = not decisive
    for operand in node.operands:
        value = _set(operand, values, now)
        if value is decisive:
            return decisive
        if value is UNDEFINED:
            verdict = UNDEFINED
    return verdict


def _compared(node: Compare, values: Mapping[str, object], now: int) -> bool | Undefined:
    left, right = settle(node.left, values, now), settle(node.right, values, now)
    if left is UNDEFINED or right is UNDEFINED:
        return UNDEFINED
    if node.op in ("==", "!="):
        return (left == right) is (node.op == "==")
    if not isinstance(left, int | float) or not isinstance(right, int | float):
        return UNDEFINED
    return ordered(node.op, left, right)


def _found(node: Member, values: Mapping[str, object], now: int) -> bool | Undefined:
    needle = _set(node.needle, values, now)
    if isinstance(node.haystack, ListLiteral):
        return UNDEFINED if needle is UNDEFINED else any(item.value == needle for item in node.haystack.items)
    haystack = _set(node.haystack, values, now)
    if needle is UNDEFINED or not isinstance(haystack, tuple):
        return UNDEFINED
    return needle in haystack
