"""Which context fields the model follows from step to step: those that arrows write and conditions read, if few values.

A field that arrows write but that can hold too many values is not followed: it may have any value at each event. A
field that no arrow writes may have any value too, but the same one in the whole run (`refine`).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from engine.core.flow import Field, FieldType, Flow, Value
from engine.core.guards.language import Expr
from engine.core.guards.syntax import Arith, Compare, Literal, Name, Node, walk

MOST_VALUES = 64
"""Values that a followed number may have; flags and texts have fewer."""
MOST_WORDS = 12


@dataclass(frozen=True, slots=True)
class Tracked:
    """A followed field. `values` is all that it may hold, None among them where it may be unset.

    `ceiling` is set for a number without a `max`: it stands for itself and for everything above, which no condition of
    the flow tells apart.
    """

    name: str
    start: Value
    values: tuple[Value, ...]
    optional: bool
    ceiling: int | None = None


def tracked(flow: Flow) -> tuple[Tracked, ...]:
    """The followed fields in the order of the document."""
    written = written_fields(flow)
    wanted = {name for guard in guards(flow) for name in guard.names} & written.keys()
    while more := {name for field in wanted for value in written[field] for name in value.names & written.keys()}:
        if more <= wanted:
            break
        wanted |= more
    made = (_tracked(flow, field, written[field.name]) for field in flow.context.values() if field.name in wanted)
    return tuple(found for found in made if found is not None)


def written_fields(flow: Flow) -> Mapping[str, list[Expr]]:
    """What arrows write, by field."""
    written: dict[str, list[Expr]] = {}
    for arrow in flow.arrows.values():
        for assignment in arrow.set:
            written.setdefault(assignment.field, []).append(assignment.value)
    return written


def guards(flow: Flow) -> Iterable[Expr]:
    """Every condition."""
    return (arrow.when for arrow in flow.arrows.values() if arrow.when is not None)


def _tracked(flow: Flow, field: Field, written: list[Expr]) -> Tracked | None:
    unset: tuple[Value, ...] = (None,) if field.optional or field.default is None else ()
    match field.type:
        case FieldType.BOOL:
            return Tracked(field.name, field.default, (*unset, False, True), field.optional)
        case FieldType.ENUM if len(field.values) <= MOST_WORDS:
            return Tracked(field.name, field.default, (*unset, *field.values), field.optional)
        case FieldType.TEXT if all(isinstance(value.root, Literal) for value in written):
            words = [value.root.value for value in written if isinstance(value.root, Literal)]
            known = dict.fromkeys([*unset, field.default, *words])
            if len(known) <= MOST_WORDS:
                return Tracked(field.name, field.default, tuple(known), field.optional)
        case FieldType.INT | FieldType.MONEY:
            return _number(flow, field, unset, written)
    return None


def _number(flow: Flow, field: Field, unset: tuple[Value, ...], written: list[Expr]) -> Tracked | None:
    if field.min is not None and field.max is not None:
        low, high = int(field.min), int(field.max)
        if high - low >= MOST_VALUES:
            return None
        inside = not isinstance(field.default, int) or low <= field.default <= high
        start = () if inside else (field.default,)
        return Tracked(field.name, field.default, (*unset, *start, *range(low, high + 1)), field.optional)
    compared = [_compared(node, field.name) for guard in guards(flow) for node, _ in walk(guard.root)]
    steps = [_growth(value.root, field.name) for value in written]
    # A literal beside the name is the only way in which conditions may speak of it.
    spoken = sum(node == Name(field.name, node.kind) for guard in guards(flow) for node, _ in walk(guard.root))
    limits = [limit for limit in compared if limit is not None]
    others = {
        name
        for other, values in written_fields(flow).items()
        if other != field.name
        for v in values
        for name in v.names
    }
    if None in steps or spoken > len(limits) or field.name in others or not isinstance(field.default, int):
        return None
    constants = [step.value for step in steps if isinstance(step, Literal)]
    least = min([field.default, *(c for c in constants if isinstance(c, int))])
    ceiling = max([field.default, *limits, *(c for c in constants if isinstance(c, int))]) + 1
    if ceiling - least >= MOST_VALUES or (field.max is not None and field.max < ceiling):
        return None
    return Tracked(field.name, field.default, (*unset, *range(least, ceiling + 1)), field.optional, ceiling)


def _compared(node: Node, name: str) -> int | None:
    """The constant that the field is compared with."""
    if not isinstance(node, Compare):
        return None
    for side, other in ((node.left, node.right), (node.right, node.left)):
        if isinstance(side, Name) and side.name == name and isinstance(other, Literal) and isinstance(other.value, int):
            return other.value
    return None


def _growth(node: Node, name: str) -> Node | None:
    """A constant, or the field plus a constant that is not negative: what never gets lower step by step."""
    if isinstance(node, Literal) and isinstance(node.value, int):
        return node
    if isinstance(node, Arith) and node.op == "+":
        for side, other in ((node.left, node.right), (node.right, node.left)):
            grows = isinstance(other, Literal) and isinstance(other.value, int) and other.value >= 0
            if grows and isinstance(side, Name) and side.name == name:
                return side
    return None
