"""The nodes of a guard, as frozen data. Every node knows its kind; nothing here computes."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from engine.core.guards.kinds import Kind


@dataclass(frozen=True, slots=True)
class Literal:
    """A constant; instants and durations are milliseconds, `null` is None."""

    value: bool | int | float | str | None
    kind: Kind


@dataclass(frozen=True, slots=True)
class ListLiteral:
    """A list of constants of one kind."""

    items: tuple[Literal, ...]
    kind: ClassVar[Kind] = Kind.LIST


@dataclass(frozen=True, slots=True)
class Name:
    """A declared name."""

    name: str
    kind: Kind


@dataclass(frozen=True, slots=True)
class Now:
    """The instant of the decision, the same in the whole guard."""

    kind: ClassVar[Kind] = Kind.TIMESTAMP


@dataclass(frozen=True, slots=True)
class Has:
    """Whether a name is set; never undefined."""

    name: str
    of: Kind
    kind: ClassVar[Kind] = Kind.BOOL


@dataclass(frozen=True, slots=True)
class Size:
    """Characters of a text or items of a list."""

    operand: "Node"
    kind: ClassVar[Kind] = Kind.INT


@dataclass(frozen=True, slots=True)
class TextTest:
    """`test` is startsWith, endsWith or contains."""

    test: str
    subject: "Node"
    argument: "Node"
    kind: ClassVar[Kind] = Kind.BOOL


@dataclass(frozen=True, slots=True)
class Member:
    """`needle in haystack`."""

    needle: "Node"
    haystack: "Node"
    kind: ClassVar[Kind] = Kind.BOOL


@dataclass(frozen=True, slots=True)
class Arith:
    """`op` is + - or *."""

    op: str
    left: "Node"
    right: "Node"
    kind: Kind


@dataclass(frozen=True, slots=True)
class Compare:
    """`op` is == != < <= > or >=."""

    op: str
    left: "Node"
    right: "Node"
    kind: ClassVar[Kind] = Kind.BOOL


@dataclass(frozen=True, slots=True)
class Not:
    operand: "Node"
    kind: ClassVar[Kind] = Kind.BOOL


@dataclass(frozen=True, slots=True)
class Logic:
    """A flat chain of && or ||, two operands or more."""

    op: str
    operands: tuple["Node", ...]
    kind: ClassVar[Kind] = Kind.BOOL


Node: TypeAlias = Literal | ListLiteral | Name | Now | Has | Size | TextTest | Member | Arith | Compare | Not | Logic


def children(node: Node) -> tuple[Node, ...]:
    """The nodes directly below."""
    match node:
        case ListLiteral():
            return node.items
        case Size() | Not():
            return (node.operand,)
        case TextTest():
            return (node.subject, node.argument)
        case Member():
            return (node.needle, node.haystack)
        case Arith() | Compare():
            return (node.left, node.right)
        case Logic():
            return node.operands
        case _:
            return ()


def walk(node: Node) -> Iterator[tuple[Node, int]]:
    """Every node with its depth, the root at 1."""
    waiting = [(node, 1)]
    while waiting:
        current, depth = waiting.pop()
        yield current, depth
        waiting.extend((child, depth + 1) for child in children(current))
