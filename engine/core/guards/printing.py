"""A guard back to text: the canonical spelling, with no more parentheses than reading it needs."""

from datetime import UTC, datetime, timedelta

from engine.core.guards.kinds import Kind
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
from engine.core.guards.tokens import UNITS

_BINDS = {"||": 1, "&&": 2, "+": 4, "-": 4, "*": 5}
_RELATION, _SIGNED, _VALUE = 3, 6, 7
_ESCAPED = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def node_text(node: Node) -> str:
    """The canonical spelling of a node."""
    match node:
        case Literal():
            return literal_text(node)
        case ListLiteral():
            return "[" + ", ".join(map(literal_text, node.items)) + "]"
        case Name():
            return node.name
        case Now():
            return "now()"
        case Has():
            return f"has({node.name})"
        case Size():
            return f"size({node_text(node.operand)})"
        case TextTest():
            return f"{_within(node.subject, _VALUE)}.{node.test}({node_text(node.argument)})"
        case Member():
            return f"{_within(node.needle, _RELATION + 1)} in {_within(node.haystack, _RELATION + 1)}"
        case Compare():
            return f"{_within(node.left, _RELATION + 1)} {node.op} {_within(node.right, _RELATION + 1)}"
        case Arith():
            binds = _BINDS[node.op]
            return f"{_within(node.left, binds)} {node.op} {_within(node.right, binds + 1)}"
        case Not():
            return f"!{_within(node.operand, _SIGNED)}"
        case _:
            return f" {node.op} ".join(_within(operand, _BINDS[node.op] + 1) for operand in node.operands)


def literal_text(literal: Literal) -> str:
    """A constant as it is written: `3`, `2.5`, `'vip'`, `true`, `24h`, `timestamp('…')`."""
    value = literal.value
    match literal.kind:
        case Kind.TEXT:
            return "'" + "".join(_ESCAPED.get(c, c if c >= " " else f"\\x{ord(c):02x}") for c in str(value)) + "'"
        case Kind.DURATION:
            return duration_text(int(value or 0))
        case Kind.TIMESTAMP:
            moment = _EPOCH + timedelta(milliseconds=int(value or 0))
            precision = "milliseconds" if moment.microsecond else "seconds"
            return f"timestamp('{moment.isoformat(timespec=precision).replace('+00:00', 'Z')}')"
        case Kind.BOOL:
            return "true" if value else "false"
        case Kind.NULL:
            return "null"
        case _:
            return repr(value)


def duration_text(milliseconds: int) -> str:
    """A duration in the largest unit that fits exactly: `90m`, `1d`."""
    if milliseconds == 0:
        return "0s"
    unit = max((name for name in UNITS if milliseconds % UNITS[name] == 0), key=lambda name: UNITS[name])
    return f"{milliseconds // UNITS[unit]}{unit}"


def _within(node: Node, binds: int) -> str:
    text = node_text(node)
    return text if _strength(node) >= binds else f"({text})"


def _strength(node: Node) -> int:
    match node:
        case Logic() | Arith():
            return _BINDS[node.op]
        case Compare() | Member():
            return _RELATION
        case Not():
            return _SIGNED
        case Literal() if isinstance(node.value, int | float) and str(node.value).startswith("-"):
            return _SIGNED
        case _:
            return _VALUE
