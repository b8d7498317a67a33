"""Reading guards: what is accepted, what is refused and why, and that printing reads back."""

import pytest
from hypothesis import given, settings

from engine.core.errors import GuardError
from engine.core.guards.kinds import Declared, Kind
from engine.core.guards.language import parse, parse_guard, to_text
from tests.strategies import SCOPE, guard_texts

HOUR = 3_600_000


@pytest.mark.parametrize(
    ("source", "canonical"),
    [
        ("toques<3", "toques < 3"),
        ("(toques < 3)", "toques < 3"),
        ("now() - last_inbound < 24h", "now() - last_inbound < 1d"),
        ("contact.tags.contains('vip')", "'vip' in contact.tags"),
        ("contains(contact.tags, 'vip')", "'vip' in contact.tags"),
        ('cidade == "São Paulo"', "cidade == 'São Paulo'"),
        ("startsWith(cidade, 'a')", "cidade.startsWith('a')"),
        ("contact.name.startsWith('a')", "contact.name.startsWith('a')"),
        ("cidade.size() > 2", "size(cidade) > 2"),
        ("'ana'.endsWith('a')", "'ana'.endsWith('a')"),
        ("vip && (novo && true)", "vip && novo && true"),
        ("vip && novo || true", "vip && novo || true"),
        ("vip && (novo || true)", "vip && (novo || true)"),
        ("!(vip && novo)", "!(vip && novo)"),
        ("!!vip", "!!vip"),
        ("toques - (n - 1) < 2 * (n + 1)", "toques - (n - 1) < 2 * (n + 1)"),
        ("-n < 0", "0 - n < 0"),
        ("-nota < 0.5", "0.0 - nota < 0.5"),
        ("-espera < -5m", "0s - espera < -5m"),
        ("n - -3 == -(-3)", "n - -3 == 0 - -3"),
        ("nota * 2 > 1e16", "nota * 2.0 > 1e+16"),
        ("state_age > 1500ms", "state_age > 1500ms"),
        ("state_age > 90m && state_age < 0s", "state_age > 90m && state_age < 0s"),
        ("state_age == duration('1.5h')", "state_age == 90m"),
        ("state_age > duration('-1m30s')", "state_age > -90s"),
        ("visto < timestamp('2026-01-02T03:04:05Z')", "visto < timestamp('2026-01-02T03:04:05Z')"),
        ("visto < timestamp('2026-01-02T03:04:05.120-03:00')", "visto < timestamp('2026-01-02T06:04:05.120Z')"),
        ("visto == null", "visto == null"),
        (r"cidade == 'a\'b\\\n\x01é'", r"cidade == 'a\'b\\\n\x01é'"),
        ("(toques < 3) == (n < 3)", "(toques < 3) == (n < 3)"),
        ("toques in [1, 2] == true", "(toques in [1, 2]) == true"),
        ("size(['a', 'b']) == 2", "size(['a', 'b']) == 2"),
        ("'x' in []", "'x' in []"),
    ],
)
def test_a_guard_has_one_canonical_spelling_that_reads_back(source: str, canonical: str) -> None:
    guard = parse_guard(source, SCOPE)

    assert to_text(guard) == canonical
    assert parse_guard(canonical, SCOPE) == guard


@settings(max_examples=300, derandomize=True, deadline=None)
@given(guard_texts(exact=False))
def test_every_guard_reads_back_from_its_canonical_spelling(source: str) -> None:
    guard = parse_guard(source, SCOPE)

    again = parse_guard(to_text(guard), SCOPE)

    assert again == guard
    assert hash(again) == hash(guard)
    assert to_text(again) == to_text(guard)


def test_two_spellings_are_one_guard_and_two_guards_are_not() -> None:
    assert parse("toques<3", SCOPE) == parse("( toques  < 3 )", SCOPE)
    assert len({parse("toques < 3", SCOPE), parse("toques<3", SCOPE), parse("toques < 4", SCOPE)}) == 2


def test_an_expression_tells_its_kind_and_the_names_that_it_reads() -> None:
    assert parse("toques + 1", SCOPE).kind is Kind.INT
    assert parse("now() + 1d", SCOPE).kind is Kind.TIMESTAMP
    assert parse("now() - last_inbound", SCOPE).kind is Kind.DURATION
    assert parse("1d + visto", SCOPE).kind is Kind.TIMESTAMP
    assert parse("1d + 1h - 30s", SCOPE).kind is Kind.DURATION
    assert parse("nota + 1", SCOPE).kind is Kind.DOUBLE
    assert parse("'a'", SCOPE).kind is Kind.TEXT
    assert parse("['a']", SCOPE).kind is Kind.LIST
    assert parse("null", SCOPE).kind is Kind.NULL
    assert parse("has(m) || n < event.valor", SCOPE).names == {"m", "n", "event.valor"}


@pytest.mark.parametrize(
    ("source", "code", "position"),
    [
        ("", "ends_early", 0),
        ("toques <", "ends_early", 8),
        ("tuques < 3", "unknown_name", 0),
        ("vip && contact.nome == 'a'", "unknown_name", 7),
        ("otherwise", "unknown_name", 0),
        ("toques < 'a'", "wrong_kinds", 7),
        ("cidade < 'a'", "wrong_kinds", 7),
        ("vip < novo", "wrong_kinds", 4),
        ("toques == null + 1", "wrong_kinds", 15),
        ("toques + 1 == null", "wrong_kinds", 11),
        ("null < 3", "wrong_kinds", 5),
        ("contact.tags == marcas", "wrong_kinds", 13),
        ("visto + visto < now()", "wrong_kinds", 6),
        ("cidade + 'a' == 'b'", "wrong_kinds", 7),
        ("n * 1.5 > 2.0", "wrong_kinds", 2),
        ("toques in ['a']", "wrong_kinds", 7),
        ("toques in contact.tags", "wrong_kinds", 7),
        ("nota in [1]", "wrong_kinds", 5),
        ("[n, 1] == 2", "mixed_list", 0),
        ("[1, 2]", "mixed_list", 0),
        ("n in [1, 'a']", "mixed_list", 5),
        ("!n", "wrong_kind", 0),
        ("-vip", "wrong_kind", 0),
        ("n && vip", "wrong_kind", 0),
        ("toques + 1", "not_a_condition", 0),
        ("toques = 3", "bad_character", 7),
        ("toques / 2 == 1", "bad_character", 7),
        ("n == 5x", "bad_number", 5),
        ("n == 1.5h", "bad_number", 5),
        ("n == 9223372036854775808", "number_too_large", 5),
        ("nota < 1e999", "number_too_large", 7),
        ("state_age < 999999999d", "number_too_large", 12),
        ("cidade == 'a", "unfinished_text", 10),
        (r"cidade == '\q'", "bad_escape", 11),
        (r"cidade == '\u12'", "bad_escape", 11),
        (r"cidade == '\U00110000'", "bad_escape", 11),
        (r"cidade == '\ud800'", "bad_escape", 16),
        ("cidade.lower() == 'a'", "unknown_function", 0),
        ("f(1)", "unknown_function", 0),
        ("has(3)", "bad_arguments", 0),
        ("size(n) == 1", "bad_arguments", 0),
        ("cidade.startsWith(n)", "bad_arguments", 0),
        ("now(1) == now()", "unknown_function", 0),
        ("visto < timestamp('2026-13-01T00:00:00Z')", "bad_timestamp", 8),
        ("visto < timestamp('2026-01-01')", "bad_timestamp", 8),
        ("state_age < duration('1ns')", "bad_duration", 12),
        ("state_age < duration('0.0001s')", "bad_duration", 12),
        ("vip vip", "unexpected", 4),
        ("(vip", "ends_early", 4),
        ("in vip", "unexpected", 0),
        ("contact. == 1", "unexpected", 9),
        ("'a'.3", "unexpected", 4),
        ("'a'.startsWith 'a'", "unexpected", 15),
        ("n in [1 2]", "unexpected", 8),
        ("vip)", "unexpected", 3),
    ],
)
def test_what_cannot_be_read_is_refused_with_a_code_and_a_place(source: str, code: str, position: int) -> None:
    with pytest.raises(GuardError) as refused:
        parse_guard(source, SCOPE)

    assert (refused.value.code, refused.value.position) == (code, position)
    assert str(refused.value)


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("(" * 200_000, "too_long"),
        ("(" * 40 + "vip" + ")" * 40, "too_deep"),
        ("!" * 40 + "vip", "too_deep"),
        ("n" + " + 1" * 30 + " > 0", "too_deep"),
        (" || ".join(["vip"] * 250), "too_many_parts"),
    ],
)
def test_hostile_lengths_and_depths_are_refused(source: str, code: str) -> None:
    with pytest.raises(GuardError) as refused:
        parse_guard(source, SCOPE)

    assert refused.value.code == code


def test_a_long_flat_chain_is_no_depth() -> None:
    assert parse_guard(" || ".join(["vip"] * 150), SCOPE).names == {"vip"}


def test_the_smallest_whole_number_can_be_written() -> None:
    assert to_text(parse("-9223372036854775808", {})) == "-9223372036854775808"


def test_names_may_carry_accents() -> None:
    assert parse_guard("preço > 10", {"preço": Declared(Kind.INT)}).names == {"preço"}
