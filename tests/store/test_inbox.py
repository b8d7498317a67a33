"""What arrived: each message once, in order, with one outcome (R13, R20, R29)."""

from engine.core.events import Event
from engine.core.flow import Source
from engine.core.inbound import Message, Person
from engine.store import evidence, inbox, queue
from tests.store.people import NOW, a_conversation


def message(provider_id, at=NOW, **more):
    return Message(
        **{"provider_id": provider_id, "person": Person(phone="1"), "at": at, "kind": "text", "text": "oi", **more}
    )


def stored(tx, conversation, *messages, now=NOW):
    return inbox.store(tx, [inbox.Arrived(1, conversation.id, conversation.contact_id, each, now) for each in messages])


async def test_a_message_is_stored_once_for_each_channel(store):
    def unit(tx):
        conversation = a_conversation(tx)
        here = stored(tx, conversation, message("a"), message("a"))
        (there,) = inbox.store(tx, [inbox.Arrived(2, conversation.id, conversation.contact_id, message("a"), NOW)])
        return here, there

    (first, second), there = await store.write("x", unit)
    assert first is not None and second is None and there not in (None, first)


async def test_what_waits_comes_in_order_of_the_source_s_time_then_of_arrival(store):
    """R13."""

    def unit(tx):
        conversation = a_conversation(tx)
        stored(tx, conversation, message("c", NOW + 2), message("b", NOW + 1), message("a", NOW + 2))
        return [waiting.provider_id for waiting in inbox.pending(tx, conversation.id)]

    assert await store.write("x", unit) == ["b", "c", "a"]


async def test_only_the_messages_that_were_read_are_settled(store):
    """F8: one that came meanwhile waits on."""

    def unit(tx):
        conversation = a_conversation(tx)
        read = stored(tx, conversation, message("a"), message("b"))
        stored(tx, conversation, message("c"))
        inbox.settle(tx, read, NOW, "in:1", "batched", None)
        return [waiting.provider_id for waiting in inbox.pending(tx, conversation.id)]

    assert await store.write("x", unit) == ["c"]


async def test_a_deleted_message_is_not_answered_and_an_answered_one_keeps_its_outcome(store):
    """R21, R29."""

    def unit(tx):
        conversation = a_conversation(tx)
        answered, waiting = stored(tx, conversation, message("a"), message("b"))
        inbox.settle(tx, [answered], NOW, "in:1", "batched", None)
        for number in (answered, waiting):
            inbox.delete(tx, number, NOW + 1, NOW + 1)
        return tx.rows("SELECT outcome, reason, processed_at, deleted_at FROM inbound ORDER BY id")

    answered, waiting = await store.write("x", unit)
    assert (answered["outcome"], answered["reason"], answered["processed_at"]) == ("batched", None, NOW)
    assert (waiting["outcome"], waiting["reason"], waiting["processed_at"]) == ("ignored", "deleted", NOW + 1)
    assert answered["deleted_at"] == waiting["deleted_at"] == NOW + 1


async def test_an_edit_that_cannot_be_read_leaves_the_words(store):
    def unit(tx):
        conversation = a_conversation(tx)
        first, second = stored(tx, conversation, message("a"), message("b"))
        inbox.edit(tx, first, "novo", NOW)
        inbox.edit(tx, second, None, NOW)
        return [waiting.text for waiting in inbox.pending(tx, conversation.id)]

    assert await store.write("x", unit) == ["novo", "oi"]


def event(name, **more):
    return Event(**{"id": name, "type": "pago", "source": Source.PAYMENT, "at": NOW, **more})


async def test_an_event_is_stored_once_by_its_id_and_by_its_business_key(store):
    """R25, R34."""

    def unit(tx):
        conversation = a_conversation(tx)
        whose = {"conversation_id": conversation.id, "contact_id": conversation.contact_id}
        kept = [
            queue.put(tx, event("a"), NOW, **whose, business_key="k"),
            queue.put(tx, event("a"), NOW, **whose, business_key="l"),
            queue.put(tx, event("b"), NOW, **whose, business_key="k"),
            queue.put(tx, event("c"), NOW, **whose),
        ]
        return kept, queue.exists(tx, "a"), queue.exists(tx, "b"), queue.with_key(tx, "k"), queue.with_key(tx, "l")

    assert await store.write("x", unit) == ([True, False, False, True], True, False, True, False)


async def test_events_wait_in_order_of_arrival_until_they_are_settled(store):
    """R13."""

    def unit(tx):
        conversation = a_conversation(tx)
        for name, now in (("b", NOW + 2), ("a", NOW + 1), ("later", NOW + 9)):
            more = {"data": {"n": 1, "tags": ("x",)}, "facts": {"f": [1]}}
            queue.put(tx, event(name, **more), now, conversation_id=conversation.id, contact_id=conversation.contact_id)
        waiting = queue.pending(tx, conversation.id, NOW + 2)
        queue.settle(tx, "a", NOW + 3, "moved", None)
        return waiting, [e.id for e in queue.pending(tx, conversation.id, NOW + 9)]

    waiting, left = await store.write("x", unit)
    assert [e.id for e in waiting] == ["a", "b"]
    assert (waiting[0].data, waiting[0].facts) == ({"n": 1, "tags": ("x",)}, {"f": [1]})
    assert left == ["b", "later"]


async def test_news_is_stored_once_and_open_until_somebody_claims_it(store):
    """R27."""

    def unit(tx):
        conversation = a_conversation(tx)
        first = evidence.put(tx, 1, "p", "delivered", NOW, NOW, contact_id=conversation.contact_id)
        again = evidence.put(tx, 1, "p", "delivered", NOW, NOW + 5)
        echo = evidence.put(tx, 1, "q", "echo", NOW, NOW, contact_id=conversation.contact_id, detail="oi")
        about = [row["status"] for row in evidence.about(tx, 1, "p")]
        echoes = [row["provider_id"] for row in evidence.open_echoes(tx, conversation.id)]
        evidence.settle(tx, first, 7)
        evidence.settle(tx, echo, 0)
        return (
            first,
            again,
            about,
            echoes,
            evidence.about(tx, 1, "p"),
            evidence.open_echoes(tx, conversation.id),
        )

    first, again, about, echoes, *after = await store.write("x", unit)
    assert first is not None and again is None
    assert (about, echoes, after) == (["delivered"], ["q"], [[], []])
