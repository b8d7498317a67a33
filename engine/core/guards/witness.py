"""From an assignment of atoms to a context that can be run, with a few tries where the assignment says too little."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import islice, product

from engine.core.guards.atoms import GREATEST_DOUBLE, USUAL_NOW, Flag, Listed, Number, Vocabulary
from engine.core.guards.kinds import FIELD_RANGE, Declared, Kind
from engine.core.guards.search import Assignment
from engine.core.guards.texts import LONGEST
from engine.core.guards.three_valued import Held

_EPSILONS = (Fraction(1), Fraction(1, 2**10), Fraction(1, 2**30), Fraction(1, 2**60))
_TRIES = 300


def contexts(words: Vocabulary, names: tuple[str, ...], known: Assignment) -> Iterator[tuple[dict[str, Held], int]]:
    """Contexts to try, the most likely first: (values of the names, now). A name that is not set is left out."""
    strict = any(epsilon for _, epsilon in known.solved.values())
    tried = [_context(words, names, known, epsilon) for epsilon in (_EPSILONS if strict else _EPSILONS[:1])]
    yield from tried
    yield from islice(_around(words, tried[0]), _TRIES)


def _context(
    words: Vocabulary, names: tuple[str, ...], known: Assignment, epsilon: Fraction
) -> tuple[dict[str, Held], int]:
    flags: dict[tuple[str, str], bool] = {}
    members: dict[str, dict[str, bool]] = {}
    for number, yes in known.decided.items():
        atom = words.atoms[number]
        if isinstance(atom, Flag):
            flags[atom.of, atom.name] = yes
        elif isinstance(atom, Listed):
            members.setdefault(atom.name, {})[atom.text] = yes
    numeric: dict[tuple[str, str], Number] = {
        (variable.of, variable.name): known.numbers.value(number, known.solved, epsilon)
        for number, variable in enumerate(words.variables)
        if variable.name in names or variable.of == "now"
    }
    lengths = {name: int(size) for (of, name), size in numeric.items() if of == "size" and size <= LONGEST}
    texts = known.texts.values(lengths)
    values: dict[str, Held] = {}
    for name in names:
        declared = words.scope[name]
        if declared.optional and not flags.get(("has", name), False):
            continue
        match declared.kind:
            case Kind.BOOL:
                values[name] = flags.get(("value", name), False)
            case Kind.TEXT:
                values[name] = texts.get(name) or _any_text(declared, lengths.get(name), name in texts)
            case Kind.LIST:
                values[name] = _list(members.get(name, {}), lengths.get(name, 0))
            case _:
                values[name] = _number(declared.kind, numeric.get(("name", name), 0))
    return values, int(numeric.get(("now", ""), USUAL_NOW))


def _any_text(declared: Declared, length: int | None, known: bool) -> str:
    if known:
        return ""
    return declared.values[0] if declared.values else "x" * (1 if length is None else length)


def _list(members: Mapping[str, bool], length: int) -> tuple[str, ...]:
    held = [text for text, yes in members.items() if yes]
    filler = next(c for c in (f"x{n}" for n in range(len(members) + 1)) if c not in members)
    return (*held, *[filler] * (length - len(held)))


def _number(kind: Kind, value: Number) -> int | float:
    return float(value) if kind is Kind.DOUBLE else round(value)


def _around(words: Vocabulary, first: tuple[dict[str, Held], int]) -> Iterator[tuple[dict[str, Held], int]]:
    """Ends of the ranges and neighbours, in all combinations: for arithmetic that the atoms do not express."""
    values, now = first
    texts = [*dict.fromkeys(value for value in values.values() if isinstance(value, str))]
    # The last names change fastest: texts and lists have the fewest choices.
    names = sorted(values, key=lambda name: words.scope[name].kind in (Kind.TEXT, Kind.LIST))
    pools = [_pool(words.scope[name], values[name], texts) for name in names]
    for chosen in product(*pools):
        yield {**values, **dict(zip(names, chosen, strict=True))}, now


def _pool(declared: Declared, value: Held, texts: list[str]) -> list[Held]:
    if isinstance(value, tuple):
        return [value, (*value, *texts), *((*value, text) for text in texts)]
    if isinstance(value, str):
        return [value, *(declared.values or ("", *texts))]
    if not isinstance(value, int | float) or isinstance(value, bool):
        return [value, not value]
    if declared.kind is Kind.DOUBLE:
        low = -float(GREATEST_DOUBLE) if declared.min is None else float(declared.min)
        high = float(GREATEST_DOUBLE) if declared.max is None else float(declared.max)
        near = [value, 1.0, -1.0, 0.5, low, high]
    else:
        least, most = FIELD_RANGE[declared.kind]
        low = least if declared.min is None else max(least, declared.min)
        high = most if declared.max is None else min(most, declared.max)
        near = [value, low, high, value + 1, value - 1, 10]
    return [n for n in dict.fromkeys(near) if low <= n <= high]
