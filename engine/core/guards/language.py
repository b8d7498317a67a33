"""Reads guards and expressions: a typed subset of the Common Expression Language, without loops or host calls.

`parse` and `parse_guard` need the scope's kinds only; ranges and enum values matter to the prover. The word
`otherwise` is no expression: the document deals with it.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from engine.core.errors import GuardError
from engine.core.guards import typed
from engine.core.guards.kinds import Declared, Kind, Scope
from engine.core.guards.printing import node_text
from engine.core.guards.syntax import Has, ListLiteral, Literal, Name, Node, Now, walk
from engine.core.guards.tokens import Shape, Token, tokens

__all__ = ["Declared", "Expr", "Kind", "Scope", "parse", "parse_guard", "to_text"]

MAX_CHARACTERS = 2_000
MAX_NODES = 200
MAX_DEPTH = 24
_WORDS = {"true": Literal(True, Kind.BOOL), "false": Literal(False, Kind.BOOL), "null": Literal(None, Kind.NULL)}
_RELATIONS = ("==", "!=", "<", "<=", ">", ">=")


@dataclass(frozen=True, slots=True)
class Expr:
    """An expression that was read and typed. Two are equal when they mean the same, however they are spaced.

    `names` are the declared names that it reads.
    """

    source: str = field(compare=False)
    kind: Kind
    root: Node
    names: frozenset[str]
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # A guard is hashed at every decision and the tree never changes, so it is hashed once.
        object.__setattr__(self, "_hash", hash(self.root))

    def __hash__(self) -> int:
        return self._hash


def parse(source: str, scope: Scope) -> Expr:
    """The expression, of any kind. GuardError says what is wrong and at which character."""
    if len(source) > MAX_CHARACTERS:
        raise GuardError(
            f"longer than {MAX_CHARACTERS} characters", MAX_CHARACTERS, code="too_long", facts={"limit": MAX_CHARACTERS}
        )
    root = _Parser(source, scope).whole()
    if isinstance(root, ListLiteral) and any(item.kind is not Kind.TEXT for item in root.items):
        raise GuardError("a list holds texts", 0, code="mixed_list")
    nodes = list(walk(root))
    if len(nodes) > MAX_NODES:
        raise GuardError(f"more than {MAX_NODES} parts", 0, code="too_many_parts", facts={"limit": MAX_NODES})
    if max(depth for _, depth in nodes) > MAX_DEPTH:
        raise _too_deep(0)
    return Expr(source, root.kind, root, frozenset(n.name for n, _ in nodes if isinstance(n, Name | Has)))


def parse_guard(source: str, scope: Scope) -> Expr:
    """The expression, which must be a condition."""
    expression = parse(source, scope)
    if expression.kind is not Kind.BOOL:
        raise GuardError(
            f"a condition is needed, this is {expression.kind}",
            0,
            code="not_a_condition",
            facts={"kind": expression.kind.value},
        )
    return expression


def to_text(expression: Expr) -> str:
    """The canonical spelling; reading it gives an equal expression."""
    return node_text(expression.root)


def _too_deep(at: int) -> GuardError:
    return GuardError(f"nested more than {MAX_DEPTH} deep", at, code="too_deep", facts={"limit": MAX_DEPTH})


class _Parser:
    """Recursive descent, one method a level of precedence, from || down to a single value."""

    def __init__(self, source: str, scope: Scope) -> None:
        self._tokens = list(tokens(source))
        self._at = 0
        self._nesting = 0
        self._scope = scope

    def whole(self) -> Node:
        node = self._any()
        if self._now.shape is not Shape.END:
            raise self._unexpected()
        return node

    @property
    def _now(self) -> Token:
        return self._tokens[self._at]

    def _take(self, *signs: str) -> Token | None:
        found = self._now
        if found.shape is not Shape.SIGN or found.value not in signs:
            return None
        self._at += 1
        return found

    def _expect(self, sign: str) -> None:
        if self._take(sign) is None:
            raise self._unexpected()

    def _unexpected(self) -> GuardError:
        found = self._now
        if found.shape is Shape.END:
            return GuardError("the text ends too early", found.position, code="ends_early")
        return GuardError(
            f"{found.value} is not expected here", found.position, code="unexpected", facts={"found": found.value}
        )

    def _nested(self, read: Callable[[], Node]) -> Node:
        self._nesting += 1
        if self._nesting > MAX_DEPTH:
            raise _too_deep(self._now.position)
        node = read()
        self._nesting -= 1
        return node

    def _any(self) -> Node:
        return self._nested(lambda: self._chain("||", lambda: self._chain("&&", self._relation)))

    def _chain(self, sign: str, operand: Callable[[], Node]) -> Node:
        start, operands = self._now.position, [operand()]
        while self._take(sign):
            operands.append(operand())
        return operands[0] if len(operands) == 1 else typed.logic(sign, operands, start)

    def _relation(self) -> Node:
        left = self._sum()
        while True:
            at = self._now.position
            if (sign := self._take(*_RELATIONS)) is not None:
                left = typed.compare(str(sign.value), left, self._sum(), at)
            elif self._now.shape is Shape.NAME and self._now.value == "in":
                self._at += 1
                left = typed.member(left, self._sum(), at)
            else:
                return left

    def _sum(self) -> Node:
        left = self._product()
        while (sign := self._take("+", "-")) is not None:
            left = typed.arith(str(sign.value), left, self._product(), sign.position)
        return left

    def _product(self) -> Node:
        left = self._signed()
        while (sign := self._take("*")) is not None:
            left = typed.arith("*", left, self._signed(), sign.position)
        return left

    def _signed(self) -> Node:
        if (sign := self._take("!")) is not None:
            return typed.negation(self._nested(self._signed), sign.position)
        if (sign := self._take("-")) is None:
            return self._value()
        if self._now.shape is Shape.INT:
            # Only with its sign is the smallest whole number in range.
            number = Literal(-int(self._now.value), Kind.INT)
            self._at += 1
            return self._methods(typed.in_range(number, sign.position))
        return typed.minus(self._nested(self._signed), sign.position)

    def _value(self) -> Node:
        found = self._now
        self._at += 1
        match found.shape:
            case Shape.INT | Shape.DOUBLE | Shape.DURATION | Shape.TEXT:
                literal = Literal(found.value, Kind[found.shape.name])
                return self._methods(typed.in_range(literal, found.position))
            case Shape.NAME if found.value != "in":
                return self._named(str(found.value), found.position)
            case Shape.SIGN if found.value == "(":
                inner = self._any()
                self._expect(")")
                return self._methods(inner)
            case Shape.SIGN if found.value == "[":
                return self._methods(typed.list_of(self._listed("]"), found.position))
        self._at -= 1
        raise self._unexpected()

    def _named(self, first: str, at: int) -> Node:
        if first in _WORDS:
            return _WORDS[first]
        if self._take("("):
            arguments = self._listed(")")
            return Now() if first == "now" and not arguments else self._methods(typed.call(first, arguments, at))
        path = [first]
        while self._take("."):
            if self._now.shape is not Shape.NAME:
                raise self._unexpected()
            path.append(str(self._now.value))
            self._at += 1
            if self._take("("):
                subject = self._declared(".".join(path[:-1]), at)
                return self._methods(typed.call(path[-1], (subject, *self._listed(")")), at))
        return self._declared(".".join(path), at)

    def _declared(self, name: str, at: int) -> Node:
        if name not in self._scope:
            raise GuardError(f"there is no {name} here", at, code="unknown_name", facts={"name": name})
        return Name(name, self._scope[name].kind)

    def _methods(self, subject: Node) -> Node:
        while self._take("."):
            found = self._now
            if found.shape is not Shape.NAME:
                raise self._unexpected()
            self._at += 1
            self._expect("(")
            subject = typed.call(str(found.value), (subject, *self._listed(")")), found.position)
        return subject

    def _listed(self, closing: str) -> tuple[Node, ...]:
        items: list[Node] = []
        while not self._take(closing):
            if items:
                self._expect(",")
            items.append(self._any())
        return tuple(items)
