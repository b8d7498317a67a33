"""The log only grows, and its chains show every change (R45)."""

import sqlite3

import psycopg
import pytest

from engine.core.chain import Row, verify
from engine.store import conversations, journal
from engine.store.journal import About, Record
from tests.store.people import NOW, OPENING, a_conversation

COLUMNS = ("at", "conversation_id", "contact_id", "channel_id", "outcome", "reason", "event_id", "event", "frm", "to",
           "facts", "n")  # fmt: skip


async def chain_of(store, count=4):
    """A conversation with some history: its rows and its head."""

    def unit(tx):
        conversation = a_conversation(tx)
        for number in range(count):
            entry = Record(
                outcome="transition",
                reason="r",
                event_id=f"e{number}",
                event="msg",
                frm="A",
                to="B",
                facts={"k": number},
            )
            conversation = conversations.save(tx, conversation, OPENING, NOW + number, [entry, entry])
        return conversation, tx.rows("SELECT * FROM log WHERE n IS NOT NULL ORDER BY n")

    conversation, rows = await store.write("x", unit)
    return [{**row, "salt": conversation.salt} for row in rows], conversation.log_hash


async def test_as_many_records_as_a_transaction_makes_are_all_there_and_in_order(store):
    """R29: they are written in a few statements, which take a bounded number of values each."""
    count = 1_203

    def unit(tx):
        for number in range(count):
            journal.record(tx, number, About(), Record(outcome="note"))

    await store.write("x", unit)
    rows = await store.read(lambda tx: tx.rows("SELECT at FROM log ORDER BY id"))
    assert [row["at"] for row in rows] == list(range(count))


def checked(rows, head):
    def body(row):
        return journal.body({name: row[name] for name in COLUMNS}, row["n"], row["salt"])

    return verify([Row(row["prev_hash"], row["hash"], body(row)) for row in rows], head)


async def test_a_chain_holds_from_the_opening_to_its_head(store):
    rows, head = await chain_of(store)
    assert [row["n"] for row in rows] == list(range(1, 10))
    assert checked(rows, head) is None


async def test_each_field_of_each_row_that_is_changed_is_found_where_it_is(store):
    rows, head = await chain_of(store, 2)
    for position, row in enumerate(rows):
        for name in (*COLUMNS, "prev_hash", "hash"):
            changed = [dict(r) for r in rows]
            changed[position][name] = f"{row[name]}x" if isinstance(row[name], str) else 999
            broken = checked(changed, head)
            assert broken is not None, (position, name)
            assert broken.position in (position, position + 1)


async def test_missing_doubled_and_exchanged_rows_are_found(store):
    rows, head = await chain_of(store, 2)
    for position in range(len(rows)):
        assert checked(rows[:position] + rows[position + 1 :], head) is not None
        assert checked([*rows[: position + 1], *rows[position:]], head) is not None
    assert checked([rows[1], rows[0], *rows[2:]], head) is not None


@pytest.mark.parametrize(
    "statement", ["UPDATE log SET reason = 'x'", "DELETE FROM log", "UPDATE audit SET who = 'x'", "DELETE FROM audit"]
)
async def test_the_database_itself_refuses_to_change_what_was_recorded(store, statement):
    """Whoever asks: the statement fails, and nothing is lost."""

    def unit(tx):
        a_conversation(tx)
        journal.record(tx, NOW, About(), Record(outcome="note"))
        tx.run(
            """INSERT INTO audit (at, who, what, subject, facts, address, prev_hash, hash)
               VALUES (1, 'a', 'b', '', '{}', '', '', 'x')"""
        )

    await store.write("x", unit)
    before = await store.read(lambda tx: (tx.rows("SELECT * FROM log"), tx.rows("SELECT * FROM audit")))
    with pytest.raises(Exception, match="only grows") as refused:
        await store.write("x", lambda tx: tx.run(statement))
    assert isinstance(refused.value, (sqlite3.Error, psycopg.Error)), "the driver's own words, without what was given"
    assert await store.read(lambda tx: (tx.rows("SELECT * FROM log"), tx.rows("SELECT * FROM audit"))) == before


async def test_a_record_outside_any_chain_has_no_place_in_one(store):
    def unit(tx):
        conversation = a_conversation(tx)
        journal.record(tx, NOW, conversation.about, Record(outcome="delivery", facts={"é": "ção"}))
        return tx.one("SELECT n, hash, facts FROM log WHERE outcome = 'delivery'")

    assert await store.write("x", unit) == {"n": None, "hash": None, "facts": '{"é":"ção"}'}
