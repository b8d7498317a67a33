"""Rows that are put off until the end of a transaction: written early only for a statement that speaks of their table."""

from engine.store.later import Later


def put_off() -> Later:
    later = Later()
    later.add("webhook", "INSERT INTO webhook (id) VALUES :rows", [("a",), ("b",)])
    return later


def test_a_statement_that_speaks_of_the_table_has_to_find_the_rows():
    assert put_off().concerns("SELECT body FROM webhook WHERE id = :id")


def test_a_parameter_or_a_column_that_is_named_alike_is_no_reason_to_write_early():
    assert not put_off().concerns("INSERT INTO inbound (webhook_id) VALUES (:webhook)")


def test_what_was_taken_is_taken_once_and_in_order():
    later = put_off()
    assert later.taken() == [("INSERT INTO webhook (id) VALUES :rows", [("a",), ("b",)])]
    assert later.taken() == []
