"""A conversation's row: one guarded write, and arrivals that move its due time (R22, R25, R26)."""

from dataclasses import replace

import pytest

from engine.core.errors import StaleConversation
from engine.store import conversations, marks, pauses
from engine.store.journal import Record
from engine.store.marks import Waits
from tests.store.people import NOW, OPENING, a_conversation


async def test_a_snapshot_comes_back_as_it_was_written(store):
    after = replace(OPENING, state="B", previous="A", context={"n": 2, "list": ("a", "b"), "no": False}, rung=1)

    def unit(tx):
        saved = conversations.save(tx, a_conversation(tx), after, NOW, [], due_at=7, oldest_pending_at=6)
        return saved, conversations.load(tx, saved.id)

    saved, loaded = await store.write("x", unit)
    assert saved == loaded
    assert loaded.snapshot == after


async def test_of_two_writes_on_one_version_the_second_is_refused_and_leaves_no_row_in_the_log(store):
    """R26."""
    conversation = await store.write("x", a_conversation)
    entry = Record(outcome="note")
    await store.write("x", lambda tx: conversations.save(tx, conversation, OPENING, NOW, [entry]))
    rows = await store.read(lambda tx: tx.value("SELECT count(*) FROM log"))
    with pytest.raises(StaleConversation):
        await store.write("x", lambda tx: conversations.save(tx, conversation, OPENING, NOW, [entry]))
    assert await store.read(lambda tx: tx.value("SELECT count(*) FROM log")) == rows


@pytest.mark.parametrize(
    "change",
    [
        lambda tx, c: marks.note_arrivals(tx, [Waits(c.id, 1, NOW, NOW + 5, NOW, NOW)]),
        lambda tx, c: marks.set_touched(tx, c.id),
        lambda tx, c: marks.set_due(tx, c.id, None, None),
        lambda tx, c: (
            pauses.begin(tx, c.contact_id, NOW, NOW + 9, "x"),
            pauses.end(tx, c.contact_id, NOW + 5, NOW + 5),
        ),
    ],
    ids=["an arrival", "a touch", "another due time", "the end of a pause"],
)
async def test_whatever_happens_beside_a_decision_makes_it_stale(store, change):
    """R15, R26."""
    conversation = await store.write("x", a_conversation)
    await store.write("x", lambda tx: change(tx, conversation))
    with pytest.raises(StaleConversation):
        await store.write("x", lambda tx: conversations.save(tx, conversation, OPENING, NOW, []))


async def test_an_arrival_moves_the_due_time_and_never_takes_the_newest_word_back(store):
    """R13, R22."""

    def unit(tx):
        conversation = a_conversation(tx)
        marks.note_arrivals(tx, [Waits(conversation.id, 1, NOW + 100, NOW + 5, NOW, NOW)])
        marks.note_arrivals(tx, [Waits(conversation.id, 1, NOW + 50, NOW + 9, NOW + 1, NOW + 1)])
        return conversations.load(tx, conversation.id)

    found = await store.write("x", unit)
    assert (found.due_at, found.oldest_pending_at, found.snapshot.last_inbound_at) == (NOW + 9, NOW + 1, NOW + 100)


async def test_the_newest_cycle_of_a_flow_is_the_one_that_counts(store):
    """R71."""

    def unit(tx):
        first, second = a_conversation(tx), a_conversation(tx)
        other = conversations.open_cycle(tx, first.contact_id, 1, "other", 1, OPENING, NOW + 1)
        return first, second, other, conversations.newest(tx, first.contact_id, "flow")

    first, second, other, newest = await store.write("x", unit)
    assert newest.id == second.id != first.id
    assert await store.read(lambda tx: conversations.latest_id(tx, first.contact_id)) == other.id
    assert await store.read(lambda tx: conversations.load(tx, 99, lock=False)) is None


async def test_a_pause_ends_once_and_shifts_only_silences_that_stood_still(store):
    """R15, R74."""

    def unit(tx):
        conversation = a_conversation(tx)
        pauses.begin(tx, conversation.contact_id, NOW + 10, NOW + 100, "ana")
        pauses.begin(tx, conversation.contact_id, NOW + 20, NOW + 60, "bia")
        over = (pauses.over(tx, NOW + 99), pauses.over(tx, NOW + 100))
        ended = [pauses.end(tx, conversation.contact_id, NOW + 100, NOW + 130) for _ in range(2)]
        return over, ended, conversations.load(tx, conversation.id), conversation

    over, ended, after, before = await store.write("x", unit)
    assert over == ([], [(before.contact_id, NOW + 100)])
    assert ended == [True, False]
    assert after.snapshot.deadline_at == before.snapshot.deadline_at + 90
