"""What guards are worth: the three-valued table, and that speed never changes it (R3)."""

from math import inf, nan
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.guards.evaluate import UNDEFINED, evaluate, reference
from engine.core.guards.kinds import Kind
from engine.core.guards.language import parse
from tests.strategies import NOW, SCOPE, contexts, guard_texts, wild_contexts

DAY = 86_400_000


def worth(source: str, **values: Any) -> Any:
    """Names are written with _ for the dot of `event.` and `contact.`."""
    named = {
        "contact." + name.removeprefix("contact_")
        if name.startswith("contact_")
        else "event." + name.removeprefix("event_")
        if name.startswith("event_")
        else name: value
        for name, value in values.items()
    }
    expression = parse(source, SCOPE)
    fast, slow = evaluate(expression, named, NOW), reference(expression, named, NOW)
    assert fast is slow or fast == slow
    return fast


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("m == 3", False),
        ("m != 3", True),
        ("m == null", True),
        ("m != null", False),
        ("null == null", True),
        ("m == event.valor", True),
        ("has(m)", False),
        ("m < 3", UNDEFINED),
        ("m + 1 == 3", UNDEFINED),
        ("m in [1]", UNDEFINED),
        ("size(contact.name) == 3", UNDEFINED),
        ("contact.name.startsWith('a')", UNDEFINED),
        ("'a' in marcas", UNDEFINED),
        ("contact.name in ['a']", UNDEFINED),
        ("novo", UNDEFINED),
        ("!novo", UNDEFINED),
        ("novo == true", False),
        ("novo != true", True),
        ("(m < 3) == (m < 3)", UNDEFINED),
        ("m", UNDEFINED),
        ("null", None),
    ],
)
def test_only_equality_and_has_have_a_value_on_what_is_not_set(source: str, expected: object) -> None:
    assert worth(source) is expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("m < 3 && false", False),
        ("false && m < 3", False),
        ("m < 3 && true", UNDEFINED),
        ("true && m < 3", UNDEFINED),
        ("m < 3 || true", True),
        ("true || m < 3", True),
        ("m < 3 || false", UNDEFINED),
        ("m < 3 || m > 3 || true", True),
        ("m < 3 && true && false", False),
        ("true && true && m < 3", UNDEFINED),
        ("false || false || true", True),
        ("true && true && true", True),
    ],
)
def test_and_and_or_absorb_errors_in_both_orders(source: str, expected: object) -> None:
    assert worth(source) is expected


def test_arithmetic_outside_64_bits_is_undefined() -> None:
    assert worth("n + 1 > 0", n=2**63 - 1) is UNDEFINED
    assert worth("n - 1 < 0", n=-(2**63)) is UNDEFINED
    assert worth("n * n > 0", n=5_000_000_000) is UNDEFINED
    assert worth("n + 1", n=2) == 3
    assert worth("n + 1 > 0 || true", n=2**63 - 1) is True


def test_doubles_that_are_not_finite_have_no_value() -> None:
    assert worth("peso + peso > 1", peso=1.7e308) is UNDEFINED
    assert worth("peso > 1", peso=inf) is UNDEFINED
    assert worth("peso == peso", peso=nan) is True  # both count as not set
    assert worth("peso * 2 == 0.5", peso=0.25) is True
    assert worth("peso - 0.5 < 0", peso=0.25) is True
    assert worth("peso > 1", peso=10**400) is UNDEFINED
    assert worth("peso > 1", peso=2) is True  # JSON writes whole doubles without a point
    assert worth("peso == n", peso=2.0, n=2) is True
    assert worth("n < 2.5", n=2) is True


def test_instants_and_durations_stay_in_their_ranges() -> None:
    assert worth("now() - visto < 24h", visto=NOW - DAY + 1) is True
    assert worth("now() - visto < 24h", visto=NOW - DAY) is False
    assert worth("visto + 1d > now()", visto=NOW) is True
    assert worth("visto > now()", visto=10**15) is UNDEFINED
    assert worth("espera > 1h", espera=10**15) is UNDEFINED
    assert worth("timestamp('2199-01-01T00:00:00Z') + duration('36500d') > now()") is UNDEFINED


@pytest.mark.parametrize(
    ("source", "values"),
    [
        ("n < 3", {"n": "2"}),
        ("n < 3", {"n": True}),
        ("n < 3", {"n": 2**70}),
        ("vip", {"vip": 1}),
        ("cidade.contains('a')", {"cidade": 3}),
        ("'a' in marcas", {"marcas": (1, 2)}),
        ("'a' in marcas", {"marcas": "a"}),
        ("nota < 3", {"nota": True}),
    ],
)
def test_a_value_of_another_type_counts_as_not_set(source: str, values: dict[str, Any]) -> None:
    assert worth(source, **values) is UNDEFINED


def test_lists_texts_and_sizes() -> None:
    assert worth("'a' in marcas", marcas=["a", "b"]) is True
    assert worth("cidade in marcas", marcas=("a",), cidade="b") is False
    assert worth("cidade in marcas", cidade="b") is UNDEFINED
    assert worth("size(marcas) == 2", marcas=("a", "b")) is True
    assert worth("size(cidade) == 4", cidade="açaí") is True
    assert worth("cidade.contains('ça') && cidade.endsWith('í')", cidade="açaí") is True
    assert worth("cidade.contains('ca')", cidade="açaí") is False
    assert worth("n in [1, 2]", n=2) is True
    assert worth("['a', 'b']") == ("a", "b")
    assert worth("size(['a', 'b'])") == 2


def test_undefined_never_passes_for_a_yes() -> None:
    assert not UNDEFINED


@settings(max_examples=400, derandomize=True, deadline=None)
@given(guard_texts(exact=False), st.one_of(contexts(), wild_contexts()))
def test_the_fast_and_the_reference_evaluator_always_agree(source: str, values: dict[str, Any]) -> None:
    """Over allowed contexts and over junk; none of the two ever raises."""
    guard = parse(source, SCOPE)

    fast, slow = evaluate(guard, values, NOW), reference(guard, values, NOW)

    assert fast is slow
    assert guard.kind is Kind.BOOL
