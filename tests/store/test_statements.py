"""SQL written once for both drivers."""

import pytest

from engine.store.statements import prepare, prepare_many


def test_names_become_numbers_and_what_only_looks_like_a_name_stays():
    sql = "SELECT 'a:b', \"c:d\", x::text, 7 % 2, 'a%' FROM t WHERE a = :a -- :no\n AND b = :b_1 AND c = :a"
    expected = "SELECT 'a:b', \"c:d\", x::text, 7 % 2, 'a%' FROM t WHERE a = {0}1 -- :no\n AND b = {0}2 AND c = {0}1"
    assert prepare(sql, {"b_1": 2, "a": 1, "unused": 3}, "sqlite") == (expected.format("?"), [1, 2])
    assert prepare(sql, {"b_1": 2, "a": 1, "unused": 3}, "postgresql") == (expected.format("$"), [1, 2])


def test_a_value_that_is_missing_is_named():
    with pytest.raises(KeyError, match="a"):
        prepare("x = :a", {"b": 1}, "sqlite")


def test_a_list_becomes_as_many_parameters_filled_up_to_a_power_of_two():
    text, values = prepare("x IN :ids AND y = :y AND z IN :ids", {"y": 9, "ids": [1, 2, 3]}, "sqlite")
    assert text == "x IN (?1, ?2, ?3, ?4) AND y = ?5 AND z IN (?1, ?2, ?3, ?4)"
    assert values == [1, 2, 3, 3, 9]
    assert prepare("x IN :ids", {"ids": (5,)}, "postgresql") == ("x IN ($1)", [5])


def test_an_empty_list_equals_nothing():
    assert prepare("x IN :ids AND y = :y", {"ids": [], "y": 4}, "sqlite") == ("x IN (NULL) AND y = ?1", [4])


def test_a_list_of_tuples_becomes_as_many_rows_and_never_more():
    text, values = prepare("VALUES :rows", {"rows": [(1, "a"), (2, "b"), (3, None)]}, "sqlite")
    assert (text, values) == ("VALUES (?1, ?2), (?3, ?4), (?5, ?6)", [1, "a", 2, "b", 3, None])
    assert prepare("VALUES :rows", {"rows": [(1, 2)]}, "postgresql") == ("VALUES ($1, $2)", [1, 2])


def test_each_row_of_many_has_its_values_in_the_order_of_the_numbers():
    rows = [{"id": 1, "name": "a"}, {"name": "b", "id": 2}]
    assert prepare_many("SET n = :name WHERE id = :id", rows, "postgresql") == (
        "SET n = $1 WHERE id = $2",
        [["a", 1], ["b", 2]],
    )
