"""SQL written once for both drivers."""

from engine.store.statements import prepare


def test_names_keep_their_spelling_on_sqlite_and_change_on_postgresql():
    sql = "SELECT 'a:b', \"c:d\", x::text, 7 % 2 FROM t WHERE a = :a -- :no\n AND b = :b_1"
    assert prepare(sql, {"a": 1, "b_1": 2}, "sqlite") == (sql, {"a": 1, "b_1": 2})
    expected = "SELECT 'a:b', \"c:d\", x::text, 7 %% 2 FROM t WHERE a = %(a)s -- :no\n AND b = %(b_1)s"
    assert prepare(sql, {"a": 1, "b_1": 2}, "postgresql")[0] == expected


def test_a_percent_sign_inside_a_text_is_doubled_for_postgresql_only():
    assert prepare("SELECT 'a%'", {}, "postgresql")[0] == "SELECT 'a%%'"
    assert prepare("SELECT 'a%'", {}, "sqlite")[0] == "SELECT 'a%'"


def test_a_list_becomes_as_many_parameters_filled_up_to_a_power_of_two():
    text, values = prepare("x IN :ids AND y = :y", {"ids": [1, 2, 3], "y": 9}, "sqlite")
    assert text == "x IN (:ids__0, :ids__1, :ids__2, :ids__3) AND y = :y"
    assert values == {"ids__0": 1, "ids__1": 2, "ids__2": 3, "ids__3": 3, "y": 9}
    assert prepare("x IN :ids", {"ids": (5,)}, "postgresql")[0] == "x IN (%(ids__0)s)"


def test_an_empty_list_equals_nothing():
    assert prepare("x IN :ids", {"ids": []}, "sqlite") == ("x IN (NULL)", {})


def test_a_list_of_tuples_becomes_as_many_rows_and_never_more():
    text, values = prepare("VALUES :rows", {"rows": [(1, "a"), (2, "b"), (3, None)]}, "sqlite")
    assert text == "VALUES (:rows__0, :rows__1), (:rows__2, :rows__3), (:rows__4, :rows__5)"
    assert list(values.values()) == [1, "a", 2, "b", 3, None]
    assert prepare("VALUES :rows", {"rows": [(1, 2)]}, "postgresql")[0] == "VALUES (%(rows__0)s, %(rows__1)s)"
