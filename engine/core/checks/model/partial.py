"""A condition with the followed values put in: what they settle is gone, what is left is asked of the prover.

Values that leave the same rest give the same question, which is asked once.
"""

from collections.abc import Mapping
from functools import lru_cache

from engine.core.flow import Value
from engine.core.guards.evaluate import evaluate
from engine.core.guards.kinds import Kind
from engine.core.guards.language import Expr
from engine.core.guards.printing import node_text
from engine.core.guards.syntax import Compare, Has, Literal, Logic, Member, Name, Node, Not, Now, TextTest, walk


def settled(guard: Expr, held: Mapping[str, Value]) -> Expr | bool:
    """Whether the condition holds, where the values say so (without a value it does not), or what is left of it."""
    known = guard.names & held.keys()
    if guard.names and not known:
        return guard
    return _settled(guard, tuple((name, held[name]) for name in sorted(known)))


@lru_cache(maxsize=65_536)
def _settled(guard: Expr, known: tuple[tuple[str, Value], ...]) -> Expr | bool:
    held = dict(known)
    if not guard.names - held.keys() and not _reads_clock(guard.root):
        return evaluate(guard, held, 0) is True
    root = _reduced(guard.root, held)
    if isinstance(root, Literal):
        return root.value is True
    return guard if root is guard.root else Expr(node_text(root), Kind.BOOL, root, _names(root))


def _reduced(node: Node, held: Mapping[str, Value]) -> Node:
    """The same truth in fewer words. A part without a value stays, because && and || may still absorb it."""
    match node:
        case Not(operand):
            inner = _reduced(operand, held)
            if isinstance(inner, Literal):
                return Literal(not inner.value, Kind.BOOL)
            return node if inner is operand else Not(inner)
        case Logic(op, operands):
            decisive = op == "||"
            parts = [_reduced(operand, held) for operand in operands]
            left = [part for part in parts if not (isinstance(part, Literal) and part.value is not decisive)]
            if any(isinstance(part, Literal) for part in left):
                return Literal(decisive, Kind.BOOL)
            if len(left) < 2:
                return left[0] if left else Literal(not decisive, Kind.BOOL)
            return Logic(op, tuple(left))
        case Compare() | Has() | Member() | TextTest() | Name():
            names = _names(node)
            if names and names <= held.keys() and not _reads_clock(node):
                verdict = evaluate(Expr(node_text(node), Kind.BOOL, node, names), held, 0)
                if isinstance(verdict, bool):
                    return Literal(verdict, Kind.BOOL)
    return node


def _names(node: Node) -> frozenset[str]:
    return frozenset(n.name for n, _ in walk(node) if isinstance(n, Name | Has))


def _reads_clock(node: Node) -> bool:
    return any(isinstance(n, Now) for n, _ in walk(node))
