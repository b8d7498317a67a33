"""Conditions as rows: what is a list of tests comes back as it was, everything else is left as text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.guards.kinds import Declared, Kind
from engine.core.guards.language import parse_guard, to_text
from engine.core.guards.rows import SIGNS, WITHOUT_VALUE, Row, condition, rows

SCOPE = {
    "toques": Declared(Kind.INT),
    "nota": Declared(Kind.DOUBLE, optional=True),
    "idade": Declared(Kind.DURATION),
    "nome": Declared(Kind.TEXT, optional=True),
    "vip": Declared(Kind.BOOL, optional=True),
    "marcas": Declared(Kind.LIST),
    "visto": Declared(Kind.TIMESTAMP),
}
WORDS = st.text(min_size=1, max_size=12)
VALUES = {
    Kind.INT: st.integers(-(2**53), 2**53),
    Kind.DOUBLE: st.floats(-1e12, 1e12, allow_nan=False).map(lambda number: number + 0.0),
    Kind.DURATION: st.integers(0, 10**12),
    Kind.TEXT: WORDS,
    Kind.LIST: WORDS,
}


@st.composite
def a_row(draw):
    name = draw(st.sampled_from([name for name in SCOPE if name != "visto"]))
    kind = SCOPE[name].kind
    sign = draw(st.sampled_from(SIGNS[kind]))
    if sign in WITHOUT_VALUE:
        return Row(name, sign)
    if sign == "one_of":
        return Row(name, sign, tuple(draw(st.lists(WORDS, min_size=1, max_size=4))))
    return Row(name, sign, draw(VALUES[kind]))


@given(st.lists(a_row(), min_size=1, max_size=6))
def test_rows_written_as_a_condition_are_read_as_the_same_rows(wanted):
    written = parse_guard(condition(wanted, SCOPE), SCOPE)
    assert rows(written) == tuple(wanted)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("toques >= 2", (Row("toques", ">=", 2),)),
        ("toques >= 2 && vip", (Row("toques", ">=", 2), Row("vip", "yes"))),
        ("nome != null", (Row("nome", "set"),)),
        ("nome == null", (Row("nome", "unset"),)),
        ("vip == true", (Row("vip", "yes"),)),
        ("!vip && !has(nome)", (Row("vip", "no"), Row("nome", "unset"))),
        ("idade < 2h", (Row("idade", "<", 7_200_000),)),
        ("nome in ['a', 'b']", (Row("nome", "one_of", ("a", "b")),)),
        ("!('quente' in marcas)", (Row("marcas", "excludes", "quente"),)),
        ("nome.contains('x')", (Row("nome", "contains", "x"),)),
    ],
)
def test_a_list_of_tests_is_rows(text, read):
    assert rows(parse_guard(text, SCOPE)) == read


@pytest.mark.parametrize(
    "text",
    [
        "toques >= 2 || vip", "toques + 1 > 2", "size(nome) > 3", "2 <= toques", "visto < now()", "!(toques > 2 && vip)",
        "visto == timestamp('2026-01-01T00:00:00Z')", "true",
    ],
)  # fmt: skip
def test_what_is_more_than_a_list_of_tests_has_no_rows(text):
    assert rows(parse_guard(text, SCOPE)) is None


@given(st.lists(a_row(), min_size=1, max_size=4))
def test_the_spelling_is_the_canonical_one(wanted):
    text = condition(wanted, SCOPE)
    assert to_text(parse_guard(text, SCOPE)) == text
