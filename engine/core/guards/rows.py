"""A condition as rows of field, sign and value that all have to hold, and back. What is no such list has no rows.

This is what people write who write no conditions: `toques >= 2 && has(desconto)` is two rows.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from engine.core.guards.kinds import Kind, Scope
from engine.core.guards.language import Expr
from engine.core.guards.printing import node_text
from engine.core.guards.syntax import Compare, Has, ListLiteral, Literal, Logic, Member, Name, Node, Not, TextTest

__all__ = ["SIGNS", "WITHOUT_VALUE", "Row", "Value", "condition", "rows"]

Value: TypeAlias = bool | int | float | str | tuple[str, ...] | None

SET, UNSET, YES, NO = "set", "unset", "yes", "no"
ONE_OF, INCLUDES, EXCLUDES = "one_of", "includes", "excludes"
WITHOUT_VALUE = frozenset({SET, UNSET, YES, NO})
_ORDERED = ("==", "!=", "<", "<=", ">", ">=", SET, UNSET)
SIGNS: Mapping[Kind, tuple[str, ...]] = {
    Kind.INT: _ORDERED,
    Kind.DOUBLE: _ORDERED,
    Kind.DURATION: _ORDERED,
    Kind.TEXT: ("==", "!=", "contains", "startsWith", "endsWith", ONE_OF, SET, UNSET),
    Kind.BOOL: (YES, NO, SET, UNSET),
    Kind.LIST: (INCLUDES, EXCLUDES),
}
"""What may be said of a field of each kind, the usual first. Instants are no rows: nobody types one."""
_TESTS = frozenset({"contains", "startsWith", "endsWith"})


@dataclass(frozen=True, slots=True)
class Row:
    """One thing that has to hold. `value` is of the field's kind (durations in ms), a tuple for `one_of`, else None."""

    field: str
    sign: str
    value: Value = None


def rows(expression: Expr) -> tuple[Row, ...] | None:
    """The rows of a condition, None when it is more than a list of them."""
    root = expression.root
    found = [_row(node) for node in (root.operands if isinstance(root, Logic) and root.op == "&&" else (root,))]
    whole = tuple(row for row in found if row is not None)
    return whole if len(whole) == len(found) else None


def condition(wanted: Iterable[Row], scope: Scope) -> str:
    """The condition in which every row holds, in its canonical spelling. Fields and signs must fit the scope."""
    nodes = tuple(_node(row, scope[row.field].kind) for row in wanted)
    return node_text(nodes[0] if len(nodes) == 1 else Logic("&&", nodes))


def _row(node: Node) -> Row | None:
    match node:
        case Compare(op=op, left=Name(name=name), right=Literal(value=None)):
            return Row(name, SET if op == "!=" else UNSET)
        case Compare(op="==", left=Name(name=name), right=Literal(value=bool() as value)):
            return Row(name, YES if value else NO)
        case Compare(op=op, left=Name(name=name, kind=kind), right=Literal(value=value)) if op in SIGNS.get(kind, ()):
            return Row(name, op, value)
        case Has(name=name, of=kind) if SET in SIGNS.get(kind, ()):
            return Row(name, SET)
        case Not(operand=Has(name=name, of=kind)) if UNSET in SIGNS.get(kind, ()):
            return Row(name, UNSET)
        case Name(name=name):
            return Row(name, YES)
        case Not(operand=Name(name=name)):
            return Row(name, NO)
        case TextTest(test=test, subject=Name(name=name), argument=Literal(value=value)):
            return Row(name, test, value)
        case Member(needle=Name(name=name), haystack=ListLiteral(items=items)):
            return Row(name, ONE_OF, tuple(str(item.value) for item in items))
        case Member(needle=Literal(value=value), haystack=Name(name=name)):
            return Row(name, INCLUDES, value)
        case Not(operand=Member(needle=Literal(value=value), haystack=Name(name=name))):
            return Row(name, EXCLUDES, value)
    return None


def _node(row: Row, kind: Kind) -> Node:
    field = Name(row.field, kind)
    match row.sign:
        case "set":
            return Has(row.field, kind)
        case "unset":
            return Not(Has(row.field, kind))
        case "yes":
            return field
        case "no":
            return Not(field)
        case "one_of":
            items = row.value if isinstance(row.value, tuple) else ()
            return Member(field, ListLiteral(tuple(Literal(item, Kind.TEXT) for item in items)))
        case "includes" | "excludes":
            inside = Member(_text(row.value), field)
            return inside if row.sign == INCLUDES else Not(inside)
        case sign if sign in _TESTS:
            return TextTest(sign, field, _text(row.value))
    return Compare(row.sign, field, Literal(None if isinstance(row.value, tuple) else row.value, kind))


def _text(value: Value) -> Literal:
    return Literal(str(value), Kind.TEXT)
