"""What the prover says of guards that people write, and of the corners of each theory."""

from itertools import permutations, product

import pytest

from engine.core.guards import prove
from engine.core.guards.evaluate import UNDEFINED, evaluate
from engine.core.guards.kinds import Declared, Kind
from engine.core.guards.language import parse_guard
from engine.core.guards.prove import NOT_TRUE, Answer, Prover, Sat, Unknown, Unsat
from tests.strategies import SCOPE

MONEY = Declared(Kind.INT, min=0)
WIDE = {
    **SCOPE,
    "budget": MONEY,
    "cost": MONEY,
    "a": Declared(Kind.TEXT),
    "b": Declared(Kind.TEXT),
    "c": Declared(Kind.TEXT),
}


def both(first: str, second: str) -> Answer:
    return prove.disjoint(parse_guard(first, WIDE), parse_guard(second, WIDE), WIDE)


def none(*guards: str) -> Answer:
    return prove.exhaustive([parse_guard(guard, WIDE) for guard in guards], WIDE)


def true(guard: str) -> Answer:
    return prove.can_be_true(parse_guard(guard, WIDE), WIDE)


def test_a_gap_is_shown_by_the_value_in_it() -> None:
    answer = none("toques < 3", "toques > 3")

    assert isinstance(answer, Sat)
    assert answer.witness == {"toques": 3}


def test_an_overlap_is_shown_by_the_smallest_values_in_it() -> None:
    answer = both("budget >= cost", "budget <= cost")

    assert isinstance(answer, Sat)
    assert answer.witness == {"budget": 0, "cost": 0}


def test_a_window_over_an_optional_instant_is_only_covered_with_has() -> None:
    fresh, old = "now() - visto < 24h", "now() - visto >= 24h"

    assert isinstance(both(fresh, old), Unsat)
    assert none(fresh, old) == Sat({}, none(fresh, old).now)  # type: ignore[union-attr]  # it is a Sat
    assert isinstance(none(f"has(visto) && {fresh}", f"has(visto) && {old}", "!has(visto)"), Unsat)
    assert isinstance(none("now() - last_inbound < 24h", "now() - last_inbound >= 24h"), Unsat)


def test_a_guard_inside_others_is_shadowed() -> None:
    guard, others = parse_guard("toques < 3", WIDE), [parse_guard(g, WIDE) for g in ("n < 10", "n >= 10")]

    assert isinstance(prove.shadowed(guard, others, WIDE), Unsat)
    assert isinstance(prove.shadowed(guard, others[:1], WIDE), Sat)


def test_only_unset_names_and_overflow_make_a_guard_undefined() -> None:
    def undefined(guard: str) -> Answer:
        return prove.can_be_undefined(parse_guard(guard, WIDE), WIDE)

    assert undefined("n + 1 < 5") == Sat({"n": 2**63 - 1}, undefined("n + 1 < 5").now)  # type: ignore[union-attr]  # a Sat
    assert isinstance(undefined("toques + 1 < 5"), Unsat)
    assert isinstance(undefined("m < 5"), Sat)
    assert isinstance(undefined("has(m) && m < 5"), Unsat)
    assert isinstance(undefined("m == 5 || contact.name != 'a'"), Unsat)
    assert isinstance(undefined("size(contact.name) == 3"), Sat)
    assert isinstance(undefined("now() - last_inbound < 24h && visto == null"), Unsat)
    assert isinstance(undefined("nota + nota > 0.3"), Unsat)
    assert isinstance(undefined("peso * 2 > 0.3"), Sat)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("toques < 3", "toques >= 3"),
        ("toques < 3 && vip", "toques < 3 && !vip"),
        ("n < m", "m < n"),
        ("n < m && m < budget", "budget <= n"),
        ("n - m > 2", "n - m < 2"),
        ("2 * n == 5", "true"),
        ("n + 1 < 3", "n >= 2"),
        ("toques in [1, 2]", "toques in [3, 4]"),
        ("toques > 5", "true"),
        ("nota < 0.1", "nota >= 0.1"),
        ("nota < peso && peso < 0.1", "nota >= 0.1"),
        ("n < 2.5", "n > 2"),
        ("nota == 0.1 + 0.2", "nota == 0.3"),
        ("last_inbound > now()", "true"),
        ("state_age < 1h", "state_age > 90m"),
        ("plano == 'pro'", "plano == 'basico'"),
        ("plano == 'outro'", "true"),
        ("plano.startsWith('z')", "true"),
        ("has(plano) && plano != 'pro' && plano != 'basico'", "plano != 'ouro'"),
        ("fase != 'a' && fase != 'b'", "true"),
        ("size(fase) == 2", "true"),
        ("a == b && b == c", "a == 'x' && c == 'y'"),
        ("a == b", "a != b"),
        ("a == b && b == c", "a != c"),
        ("a.startsWith('x')", "a.startsWith('y')"),
        ("a.startsWith('xy')", "!a.startsWith('x')"),
        ("a.endsWith('xy')", "a.endsWith('z')"),
        ("a.contains('xyz')", "!a.contains('y')"),
        ("a.startsWith('xyz')", "size(a) < 3"),
        ("a == 'xyz'", "size(a) != 3"),
        ("size(a) == 0", "a != ''"),
        ("size(a) == 0", "a.contains('x')"),
        ("a == b && size(a) == 1", "size(b) == 2"),
        ("a == 'x' && b == 'x'", "a != b"),
        ("!a.contains('')", "true"),
        ("'vip' in contact.tags", "size(contact.tags) == 0"),
        ("'x' in contact.tags && 'y' in contact.tags", "size(contact.tags) < 2"),
        ("'x' in marcas", "!('x' in marcas)"),
        ("vip == novo", "vip != novo"),
        ("vip == novo && vip", "novo == false"),
        ("m == null", "m == 3"),
        ("null != null", "true"),
        ("'abc'.startsWith('b')", "true"),
        ("size('abc') == 2 || size(['a']) == 2", "true"),
        ("n + m > 3", "n + m < 2"),
        ("toques * n > 3", "toques * n <= 3"),
        ("toques * toques > 25", "true"),
        ("nota + nota > 21.0", "true"),
        ("a in marcas", "!(a in marcas)"),
        ("a.contains(b)", "!a.contains(b)"),
        ("9223372036854775807 + 1 > 0", "true"),
        ("1e308 + 1e308 > 0.0", "true"),
        ("'x' == a", "'y' == a"),
        ("'x' == 'y'", "true"),
        ("'x' in ['y', 'z']", "true"),
        ("a in ['y', 'z']", "a == 'x'"),
        ("nota - 11.0 > 0.0", "true"),
        ("size(contact.tags) in [1, 2]", "size(contact.tags) > 2"),
        ("true == false", "true"),
    ],
)
def test_proved_apart(first: str, second: str) -> None:
    assert isinstance(both(first, second), Unsat)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("toques <= 3", "toques >= 3"),
        ("n < m", "m < n + 2"),
        ("nota < peso", "peso < 0.1"),
        ("nota > 0.1", "nota < 0.2"),
        ("nota > 0.1", "nota < peso"),
        ("peso < 0.0", "peso > -0.5"),
        ("nota < peso && peso < nota + 1", "nota > 3"),
        ("a.startsWith('ab') && a.endsWith('ba')", "size(a) == 3"),
        ("a.startsWith('ab') && a.contains('q')", "!a.contains('x')"),
        ("a.startsWith('ab') && a.endsWith('yz')", "a.contains('m')"),
        ("a != b && b != c", "a != c"),
        ("a != 'x'", "size(a) == 1"),
        ("size(a) == 9", "a.endsWith('z')"),
        ("size(a) > 2", "n < size(a)"),
        ("plano != 'pro'", "plano != 'basico'"),
        ("fase != contact.name", "contact.name != null"),
        ("'vip' in contact.tags", "size(contact.tags) == 3"),
        ("size(marcas) == 2", "!('x0' in marcas)"),
        ("now() - visto < 24h", "now() - visto > 1h"),
        ("visto > timestamp('2030-01-01T00:00:00Z')", "visto > now()"),
        ("n + m > 3", "n < 2"),
        ("toques * n > 30", "toques < 5"),
        ("a in marcas", "size(marcas) > 1"),
        ("novo", "vip != novo"),
        ("novo == null", "vip"),
    ],
)
def test_shown_together_in_a_context_that_was_run(first: str, second: str) -> None:
    answer = both(first, second)

    assert isinstance(answer, Sat)
    for guard in (first, second):
        assert evaluate(parse_guard(guard, WIDE), answer.witness, answer.now) is True


@pytest.mark.parametrize("order", [*permutations(range(4))][::3])
def test_a_chain_of_differences_is_solved_in_whatever_order_it_is_written(order: tuple[int, ...]) -> None:
    scope = {name: Declared(Kind.INT, min=0, max=4) for name in "abcde"}
    links = ["a < b", "b < c", "c < d", "d < e"]
    chain = parse_guard(" && ".join(links[i] for i in order), scope)
    circle = parse_guard(" && ".join([*(links[i] for i in order), "e < a"]), scope)

    answer = prove.can_be_true(chain, scope)

    assert isinstance(answer, Sat)
    assert answer.witness == {"a": 0, "b": 1, "c": 2, "d": 3, "e": 4}
    assert isinstance(prove.can_be_true(circle, scope), Unsat)


def test_what_is_neither_proved_nor_shown_is_unknown_and_never_a_proof() -> None:
    assert isinstance(true("n + m == 4611686018427387904 && n * m == 35"), Unknown)
    assert isinstance(both("nota + peso == 0.3", "nota * peso == 0.1"), Unknown)


def test_a_text_longer_than_a_witness_may_be_is_not_invented() -> None:
    assert isinstance(true("size(a) > 1000000"), Unknown)


def test_more_than_the_budget_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.core.guards.search.BUDGET", 3)

    assert isinstance(none("n < 3 || m < 3", "n > 5 && vip", "novo || toques == 2", "n == 4"), Unknown)


def test_a_truth_table_of_six_flags_is_exhaustive_and_one_row_less_is_not() -> None:
    scope = {f"f{i}": Declared(Kind.BOOL) for i in range(6)}
    rows = [
        parse_guard(" && ".join(f"{'' if yes else '!'}f{i}" for i, yes in enumerate(row)), scope)
        for row in product((True, False), repeat=6)
    ]
    prover = Prover(scope)

    assert isinstance(prover.exhaustive(rows), Unsat)
    assert prover.exhaustive(rows[:-1]) == Sat(dict.fromkeys(scope, False), prover.exhaustive(rows[:-1]).now)  # type: ignore[union-attr]  # a Sat


def test_many_bands_of_silence_are_apart_and_complete() -> None:
    bands = [f"state_age >= {i}h && state_age < {i + 1}h" for i in range(40)]
    prover = Prover(WIDE)
    guards = [parse_guard(band, WIDE) for band in (*bands, "state_age >= 40h")]

    assert isinstance(prover.exhaustive(guards), Unsat)
    assert all(isinstance(prover.disjoint(a, b), Unsat) for i, a in enumerate(guards) for b in guards[:i])


def test_long_lists_of_constants_are_apart_or_share_one() -> None:
    def listed(low: int, high: int) -> str:
        return f"n in [{', '.join(map(str, range(low, high)))}]"

    assert isinstance(both(listed(0, 30), listed(30, 60)), Unsat)
    assert isinstance(both(listed(0, 30), listed(29, 60)), Sat)
    assert isinstance(none(listed(0, 60)), Sat)


def test_the_four_outcomes_of_a_claim() -> None:
    guard = parse_guard("m < 3", WIDE)

    answers = {wanted: prove.satisfiable([(guard, wanted)], WIDE) for wanted in (True, False, UNDEFINED, NOT_TRUE)}

    assert all(isinstance(answer, Sat) for answer in answers.values())
    assert isinstance(prove.satisfiable([(guard, True), (guard, NOT_TRUE)], WIDE), Unsat)
    assert isinstance(prove.satisfiable([(guard, True), (guard, UNDEFINED)], WIDE), Unsat)
    assert isinstance(prove.satisfiable([], WIDE), Sat)
