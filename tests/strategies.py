"""Random guards, contexts and flows, drawn from few constants so that conditions meet.

The generators take a `Random`; the hypothesis strategies are those generators over a seed, which is many times faster
than drawing every choice and prints as one number.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, TypeVar

from hypothesis import strategies as st

from engine.core.flow import Flow, StateKind
from engine.core.guards.kinds import FIELD_DURATION_MAX, Declared, Kind, Scope
from tests.factories import DAY, HOUR, Arrow, a_flow, message, number, state

T = TypeVar("T")
NOW = 1_780_000_000_000

SCOPE: Scope = {
    "toques": Declared(Kind.INT, min=0, max=5),
    "n": Declared(Kind.INT),
    "m": Declared(Kind.INT, optional=True),
    "event.valor": Declared(Kind.INT, optional=True, min=0, max=1_000_000),
    "vip": Declared(Kind.BOOL),
    "novo": Declared(Kind.BOOL, optional=True),
    "plano": Declared(Kind.TEXT, optional=True, values=("basico", "pro", "ouro")),
    "fase": Declared(Kind.TEXT, values=("a", "b")),
    "contact.name": Declared(Kind.TEXT, optional=True),
    "cidade": Declared(Kind.TEXT),
    "nota": Declared(Kind.DOUBLE, min=0, max=10),
    "peso": Declared(Kind.DOUBLE, optional=True),
    "visto": Declared(Kind.TIMESTAMP, optional=True),
    "espera": Declared(Kind.DURATION, optional=True),
    "contact.tags": Declared(Kind.LIST),
    "marcas": Declared(Kind.LIST, optional=True),
    "state_age": Declared(Kind.DURATION, min=0, max=FIELD_DURATION_MAX),
    "last_inbound": Declared(Kind.TIMESTAMP, min=0, past=True),
}
WORDS = ("a", "b", "ab", "basico", "pro", "")

# In a template {i} is a whole field, {c} a constant, {w} whole arithmetic, {t} a text, {q} a quoted word, {l} a list,
# {s} an instant, {d} a duration, {g} a field of a duration, {o} an ordering or equality, {e} an equality.
_POOLS: dict[str, Sequence[str]] = {
    "i": ("toques", "n", "m", "event.valor"),
    "c": tuple(map(str, range(-1, 7))),
    "w": ("{i}", "{c}", "{i} + {c}", "{i} - {i}", "2 * {i}", "size({t})", "size({l})", "{i} - ({i} - {c})"),
    "t": ("plano", "fase", "contact.name", "cidade"),
    "q": tuple(f"'{word}'" for word in WORDS),
    "l": ("contact.tags", "marcas"),
    "s": ("visto", "last_inbound"),
    "d": ("0s", "1h", "24h", "2d"),
    "g": ("state_age", "espera"),
    "o": ("==", "!=", "<", "<=", ">", ">="),
    "e": ("==", "!="),
    "h": ("m", "novo", "plano", "contact.name", "peso", "visto", "marcas", "vip"),
    "f": ("startsWith", "endsWith", "contains"),
}
_EXACT = (
    *("{i} {o} {c}",) * 4,
    *("{w} {o} {w}",) * 3,
    "{i} in [{c}, {c}]",
    *("vip", "novo", "vip == novo", "vip != true", "novo == false", "true"),
    "has({h})",
    "{h} {e} null",
    *("{t} {e} {q}",) * 2,
    "{t} {e} {t}",
    "{t} in [{q}, {q}]",
    *("{t}.{f}({q})",) * 2,
    *("{q} in {l}",) * 2,
    "size({l}) {o} {c}",
    "size({t}) {o} {c}",
    *("now() - {s} {o} {d}",) * 2,
    "{s} + {d} {o} now()",
    "{s} {o} {s}",
    "{g} {o} {d}",
    "{g} {o} {g}",
    *("nota {o} 2.5", "peso {o} nota", "peso {o} 0.1", "nota {o} 3", "nota {o} {i}"),
)
_INEXACT = (
    *_EXACT,
    *("{i} + {i} {o} {c}", "{i} * {i} {o} {c}", "nota + peso {o} 0.3", "nota * 0.5 - nota {o} 0.2") * 2,
    *("{t} in {l}", "{t}.contains({t})") * 2,
)
_SHAPES = ("{x} && {x}", "{x} || {x}", "!{x}", "{x} || {x} && {x}", "({x}) == {x}", "{x} && !{x}")


def filled(rng: Random, template: str) -> str:
    """The template with every {letter} replaced from its pool."""
    while "{" in template:
        start = template.index("{")
        template = template[:start] + rng.choice(_POOLS[template[start + 1]]) + template[start + 3 :]
    return template


def random_guard(rng: Random, *, exact: bool = True, depth: int = 2) -> str:
    """A condition as text. Without `exact` also sums of two fields, products, double arithmetic, text in text."""
    if depth == 0 or rng.random() < 0.35:
        return filled(rng, rng.choice(_EXACT if exact else _INEXACT))
    shape = rng.choice(_SHAPES)
    while "{x}" in shape:
        shape = shape.replace("{x}", f"({random_guard(rng, exact=exact, depth=depth - 1)})", 1)
    return shape


_VALUES: dict[Kind, Sequence[Any]] = {
    Kind.INT: (*range(-1, 7), *range(5), 10**6, 2**63 - 1, -(2**63)),
    Kind.BOOL: (True, False),
    Kind.DOUBLE: (0.0, 0.1, 0.2, 2.5, 3.0, 10.0, 1.7e308),
    Kind.TIMESTAMP: (0, NOW - 2 * DAY, NOW - DAY, NOW - HOUR, NOW, NOW + HOUR),
    Kind.DURATION: (0, 1, HOUR, DAY, 2 * DAY),
    Kind.LIST: ((), ("a",), ("b", "pro"), ("a", "b", "ab"), ("a", "a")),
    Kind.TEXT: (*WORDS, "abba", "x"),
}
_JUNK = (None, True, 2**70, -(2**64), 0.5, float("nan"), float("inf"), 1e300, 3, "a", "\ud800", ["a"], {"a": 1}, (1, 2))


def _allowed(declared: Declared, value: Any) -> bool:
    if declared.values:
        return value in declared.values
    low = declared.min is None or value >= declared.min
    return low and (declared.max is None or value <= declared.max) and not (declared.past and value > NOW)


def random_context(rng: Random, scope: Scope = SCOPE) -> dict[str, Any]:
    """Values for all names, each allowed by its declaration; optional ones are often left out."""
    return {
        name: rng.choice([v for v in declared.values or _VALUES[declared.kind] if _allowed(declared, v)])
        for name, declared in scope.items()
        if not declared.optional or rng.random() < 0.7
    }


def wild_context(rng: Random, scope: Scope = SCOPE) -> dict[str, Any]:
    """Anything under the scope's names: other types, NaN, huge numbers, nothing."""
    return {
        name: rng.choice(_JUNK) if rng.random() < 0.3 else rng.choice(_VALUES[declared.kind])
        for name, declared in scope.items()
        if rng.random() < 0.9
    }


_STATES = ("A", "B", "C")
_GROUPS: tuple[tuple[str | None, ...], ...] = (
    (None,),
    ("toques < 3", "otherwise"),
    ("toques < 3", "toques >= 3"),
    ("toques < 3", "toques <= 3"),
    ("peso > 0 && toques < 2", "peso == 0", "otherwise"),
    ("toques == peso", "toques > peso", "toques < peso"),
    ("has(contact.name)", "!has(contact.name) && state_age < 1h", "otherwise"),
    ("now() - last_inbound < 24h", "now() - last_inbound >= 24h"),
    ("contact.name.startsWith('a')", "otherwise"),
    ("toques + peso > 3",),
)
_CHANGES: tuple[dict[str, str], ...] = (
    {},
    {"toques": "toques + 1"},
    {"toques": "peso", "peso": "toques"},
    {"peso": "peso + 2"},
)


def random_flow(rng: Random) -> Flow:
    """Three states over two counters and two message events: most are deterministic, some are not. Some arrows are split in two."""
    arrows: list[Arrow] = []

    def group(frm: str | None, on: str) -> None:
        exempt = frozenset(rng.sample(_STATES, rng.choice((0, 0, 1)))) if frm is None else frozenset()
        for when in rng.choice(_GROUPS):
            to, keep = rng.choice((*_STATES, "@previous")), frm is not None and rng.random() < 0.2
            do = ("oi",) if rng.random() < 0.5 else ()
            name = f"t{len(arrows) + 1}"
            share = rng.choice((None,) * 5 + (1, 50, 99))
            arrows.append(Arrow(name, frm, on, to, when, rng.choice(_CHANGES), do, exempt, keep, share))
            if share is not None:
                twin = rng.choice((*_STATES, "@previous"))
                arrows.append(Arrow(f"{name}b", frm, on, twin, when, {}, ("oi",), exempt, keep, 100 - share))

    for frm in _STATES:
        for on in rng.sample(("msg", "preco", "pago", "timeout", "exhausted"), rng.randrange(5)):
            group(frm, on)
    for on in rng.sample(("preco", "pago"), rng.choice((0, 1))):
        group(None, on)
    kinds = (StateKind.NORMAL, StateKind.NORMAL, StateKind.OPTOUT)
    return a_flow(
        [
            state(
                name,
                *(rng.choice((HOUR, DAY)) for _ in range(rng.randrange(4))),
                kind=rng.choice(kinds),
                jitter=rng.choice((0, HOUR)),
            )
            for name in _STATES
        ],
        arrows,
        events=[message("preco", falls_back_to="msg", priority=20)],
        context=[number("toques", 0, 5), number("peso", 0, 2)],
    )


def seeded(generate: Callable[[Random], T]) -> st.SearchStrategy[T]:
    """A generator as a strategy."""
    return st.integers(0, 2**40).map(lambda seed: generate(Random(seed)))


def guard_texts(*, exact: bool = True) -> st.SearchStrategy[str]:
    return seeded(lambda rng: random_guard(rng, exact=exact))


def contexts(scope: Scope = SCOPE) -> st.SearchStrategy[dict[str, Any]]:
    return seeded(lambda rng: random_context(rng, scope))


def wild_contexts(scope: Scope = SCOPE) -> st.SearchStrategy[dict[str, Any]]:
    return seeded(lambda rng: wild_context(rng, scope))


def flows() -> st.SearchStrategy[Flow]:
    return seeded(random_flow)
