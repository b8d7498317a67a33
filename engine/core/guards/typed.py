"""Builds nodes of the right kinds: what may be compared, added, searched. GuardError where kinds do not fit."""

import re
from datetime import UTC, datetime, timedelta

from engine.core.errors import GuardError
from engine.core.guards.kinds import FIELD_RANGE, INT_MAX, INT_MIN, RESULT_RANGE, Kind
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
    Size,
    TextTest,
)
from engine.core.guards.tokens import UNITS

_NUMBERS = (Kind.INT, Kind.DOUBLE)
_ORDERED = (Kind.INT, Kind.DOUBLE, Kind.TIMESTAMP, Kind.DURATION)
_INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?(Z|[+-]\d\d:\d\d)", re.ASCII)
_LENGTH = re.compile(r"(?P<sign>-?)(?P<parts>(\d+(\.\d+)?(ms|s|m|h|d))+)", re.ASCII)
_PART = re.compile(r"(?P<whole>\d+)(\.(?P<rest>\d+))?(?P<unit>ms|s|m|h|d)", re.ASCII)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def arith(op: str, left: Node, right: Node, at: int) -> Node:
    """`left op right` for + - and *; a whole literal beside a double becomes one."""
    left, right = _as_double(left, right), _as_double(right, left)
    kinds = (left.kind, right.kind)
    match op, kinds:
        case (_, (Kind.INT, Kind.INT)) | (_, (Kind.DOUBLE, Kind.DOUBLE)) | ("+" | "-", (Kind.DURATION, Kind.DURATION)):
            return Arith(op, left, right, left.kind)
        case ("+" | "-", (Kind.TIMESTAMP, Kind.DURATION)) | ("+", (Kind.DURATION, Kind.TIMESTAMP)):
            return Arith(op, left, right, Kind.TIMESTAMP)
        case ("-", (Kind.TIMESTAMP, Kind.TIMESTAMP)):
            return Arith(op, left, right, Kind.DURATION)
    raise _misfit(op, left, right, at)


def minus(operand: Node, at: int) -> Node:
    """`-operand`: a constant changes its sign, anything else is taken from zero."""
    if isinstance(operand, Literal) and operand.kind in (Kind.DOUBLE, Kind.DURATION):
        return Literal(-_numeric(operand), operand.kind)
    if operand.kind is Kind.INT:
        return Arith("-", Literal(0, Kind.INT), operand, Kind.INT)
    if operand.kind is Kind.DOUBLE:
        return Arith("-", Literal(0.0, Kind.DOUBLE), operand, Kind.DOUBLE)
    if operand.kind is Kind.DURATION:
        return Arith("-", Literal(0, Kind.DURATION), operand, Kind.DURATION)
    raise _refuse("-", operand, at)


def compare(op: str, left: Node, right: Node, at: int) -> Node:
    """`left op right` for the six comparisons; `null` only with == and != beside a name or another `null`."""
    equality = op in ("==", "!=")
    if Kind.NULL in (left.kind, right.kind):
        if equality and all(side.kind is Kind.NULL or isinstance(side, Name) for side in (left, right)):
            return Compare(op, left, right)
        raise _misfit(op, left, right, at)
    same = left.kind is right.kind or (left.kind in _NUMBERS and right.kind in _NUMBERS)
    allowed = (*_ORDERED, Kind.TEXT, Kind.BOOL) if equality else _ORDERED
    if not same or left.kind not in allowed:
        raise _misfit(op, left, right, at)
    return Compare(op, left, right)


def member(needle: Node, haystack: Node, at: int) -> Node:
    """`needle in haystack`: a text or whole number in a list of constants, or a text in a list."""
    if isinstance(haystack, ListLiteral):
        if needle.kind in (Kind.TEXT, Kind.INT) and all(item.kind is needle.kind for item in haystack.items):
            return Member(needle, haystack)
    elif haystack.kind is Kind.LIST and needle.kind is Kind.TEXT:
        return Member(needle, haystack)
    raise _misfit("in", needle, haystack, at)


def list_of(items: tuple[Node, ...], at: int) -> ListLiteral:
    """A list of constants of one kind, texts or whole numbers."""
    constants = tuple(item for item in items if isinstance(item, Literal) and item.kind in (Kind.TEXT, Kind.INT))
    if len(constants) != len(items) or len({item.kind for item in constants}) > 1:
        raise GuardError("a list holds texts only or whole numbers only", at, code="mixed_list")
    return ListLiteral(constants)


def negation(operand: Node, at: int) -> Node:
    if operand.kind is not Kind.BOOL:
        raise _refuse("!", operand, at)
    return Not(operand)


def logic(op: str, operands: list[Node], at: int) -> Node:
    """A chain of && or ||, nested chains of the same sign made flat."""
    flat: list[Node] = []
    for operand in operands:
        if operand.kind is not Kind.BOOL:
            raise _refuse(op, operand, at)
        flat.extend(operand.operands if isinstance(operand, Logic) and operand.op == op else [operand])
    return Logic(op, tuple(flat))


def call(name: str, arguments: tuple[Node, ...], at: int) -> Node:
    """A function, or a method with its subject as the first argument."""
    match name, arguments:
        case "has", (Name() as asked,):
            return Has(asked.name, asked.kind)
        case "size", (operand,) if operand.kind in (Kind.TEXT, Kind.LIST):
            return Size(operand)
        case "contains", (haystack, needle) if haystack.kind is Kind.LIST:
            return member(needle, haystack, at)
        case (("startsWith" | "endsWith" | "contains"), (subject, argument)) if (
            subject.kind is Kind.TEXT and argument.kind is Kind.TEXT
        ):
            return TextTest(name, subject, argument)
        case "timestamp", (Literal(str(written)),):
            return Literal(_instant(written, at), Kind.TIMESTAMP)
        case "duration", (Literal(str(written)),):
            return Literal(_length(written, at), Kind.DURATION)
    if name not in ("has", "size", "contains", "startsWith", "endsWith", "timestamp", "duration"):
        raise GuardError(f"there is no function {name}", at, code="unknown_function", facts={"name": name})
    raise GuardError(f"{name} cannot be used like this", at, code="bad_arguments", facts={"name": name})


def in_range(literal: Literal, at: int) -> Literal:
    """The literal itself, if a value of its kind may be that large."""
    low, high = RESULT_RANGE.get(literal.kind, (INT_MIN, INT_MAX))
    if literal.kind in RESULT_RANGE and not low <= _numeric(literal) <= high:
        raise GuardError("this number is too large", at, code="number_too_large", facts={"kind": literal.kind})
    return literal


def _as_double(node: Node, beside: Node) -> Node:
    if beside.kind is Kind.DOUBLE and isinstance(node, Literal) and node.kind is Kind.INT:
        return Literal(float(_numeric(node)), Kind.DOUBLE)
    return node


def _numeric(literal: Literal) -> int | float:
    return literal.value if isinstance(literal.value, int | float) else 0


def _instant(written: str, at: int) -> int:
    try:
        moment = datetime.fromisoformat(written) if _INSTANT.fullmatch(written) else None
        found = None if moment is None else (moment - _EPOCH) // timedelta(milliseconds=1)
    except (ValueError, OverflowError):
        found = None
    low, high = RESULT_RANGE[Kind.TIMESTAMP]
    if found is None or not low <= found <= high:
        raise GuardError(f"{written!r} is not an instant", at, code="bad_timestamp", facts={"written": written})
    return found


def _length(written: str, at: int) -> int:
    whole = _LENGTH.fullmatch(written)
    total, exact = 0, whole is not None
    for part in _PART.finditer(whole["parts"] if whole else ""):
        digits = part["rest"] or ""
        scaled = int(part["whole"] + digits) * UNITS[part["unit"]]
        total += scaled // 10 ** len(digits)
        exact = exact and scaled % 10 ** len(digits) == 0
    if whole is None or not exact or total > FIELD_RANGE[Kind.DURATION][1]:
        raise GuardError(f"{written!r} is not a duration", at, code="bad_duration", facts={"written": written})
    return -total if whole["sign"] else total


def _misfit(op: str, left: Node, right: Node, at: int) -> GuardError:
    return GuardError(
        f"{op} does not work between {left.kind} and {right.kind}",
        at,
        code="wrong_kinds",
        facts={"operator": op, "left": left.kind.value, "right": right.kind.value},
    )


def _refuse(op: str, operand: Node, at: int) -> GuardError:
    return GuardError(
        f"{op} does not work on {operand.kind}",
        at,
        code="wrong_kind",
        facts={"operator": op, "kind": operand.kind.value},
    )
