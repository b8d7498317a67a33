"""Do two arrows write the same values? As questions for the prover, each of which is a way in which they may not."""

from collections.abc import Iterator, Mapping

from engine.core.checks.lookups import Lookups
from engine.core.differing.cases import Effect
from engine.core.errors import GuardError
from engine.core.flow import Field, FieldType
from engine.core.guards.evaluate import UNDEFINED
from engine.core.guards.kinds import Kind
from engine.core.guards.language import Expr, parse_guard, to_text
from engine.core.guards.printing import literal_text
from engine.core.guards.prove import Claim
from engine.core.guards.syntax import Literal

__all__ = ["written_apart"]

_BOUNDED = {
    FieldType.INT: Kind.INT,
    FieldType.MONEY: Kind.INT,
    FieldType.DURATION: Kind.DURATION,
    FieldType.DOUBLE: Kind.DOUBLE,
}


def written_apart(joint: Lookups, event: str, old: Effect, new: Effect) -> Iterator[tuple[Claim, ...] | None]:
    """Claims under which a field ends with two values; if none of them can hold, both write the same. None is a doubt:
    a way that cannot be put as a question.
    """
    one, other = _by_field(old), _by_field(new)
    for name in sorted({*one, *other}):
        left, right = one.get(name), other.get(name)
        if left == right:
            continue
        texts = [to_text(side[0]) if side is not None else name for side in (left, right)]
        declared = [side[1] for side in (left, right) if side is not None]
        alike = all(_manners(each) == _manners(declared[0]) for each in declared)
        try:
            if alike:
                yield from _values(joint, event, texts, declared[0])
            elif left is not None and right is not None and left[0] == right[0] and _only_bounds(left[1], right[1]):
                yield from _bounds(joint, event, texts[0], left[1], right[1])
            else:
                yield ()
                yield None
        except GuardError:
            yield ()  # past what can be asked: whatever runs may show it
            yield None


def _by_field(effect: Effect) -> Mapping[str, tuple[Expr, Field]]:
    return {name: (value, declared) for name, value, declared in effect.sets}


def _manners(declared: Field) -> object:
    return declared.type, declared.optional, declared.min, declared.max


def _only_bounds(one: Field, other: Field) -> bool:
    return (one.type, one.optional) == (other.type, other.optional)


def _values(joint: Lookups, event: str, texts: list[str], declared: Field) -> Iterator[tuple[Claim, ...]]:
    """Both have a value and not the same one; or only one has a value."""
    left, right = texts
    scope = joint.scope(event)
    first, second = parse_guard(f"({left}) == ({left})", scope), parse_guard(f"({right}) == ({right})", scope)
    apart: list[Claim] = [(parse_guard(f"({left}) != ({right})", scope), True)]
    kind = _BOUNDED.get(declared.type)
    for bound, sign in ((declared.max, ">="), (declared.min, "<=")):
        if kind is not None and bound is not None:
            # Beyond a bound both are kept at it.
            limit = literal_text(Literal(bound, kind))
            apart.append((parse_guard(f"({left}) {sign} {limit} && ({right}) {sign} {limit}", scope), False))
    yield tuple(apart)
    yield (first, UNDEFINED), (second, True)
    yield (first, True), (second, UNDEFINED)


def _bounds(joint: Lookups, event: str, text: str, one: Field, other: Field) -> Iterator[tuple[Claim, ...]]:
    """The same value, past a bound that only one of the versions has there."""
    kind = _BOUNDED.get(one.type)
    if kind is None:
        return  # nothing keeps such a value within bounds
    for bounds, sign, nearer in (((one.max, other.max), ">", min), ((one.min, other.min), "<", max)):
        known = [bound for bound in bounds if bound is not None]
        if known and bounds[0] != bounds[1]:
            limit = literal_text(Literal(nearer(known), kind))
            yield ((parse_guard(f"({text}) {sign} {limit}", joint.scope(event)), True),)
