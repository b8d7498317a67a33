"""Letters: written once, claimed once, settled by the attempt that is on the wire (R25, R27, R36, R40)."""

from engine.store import asking, bubbles, due, outbox, sent
from tests.store.people import NOW, a_conversation, a_letter


async def made(store, *letters):
    """Letters of one conversation; the conversation and their numbers."""

    def unit(tx):
        conversation = a_conversation(tx)
        return conversation, [
            outbox.put(tx, letter, conversation.id, conversation.contact_id, 1, NOW) for letter in letters
        ]

    return await store.write("x", unit)


async def test_a_letter_comes_back_as_it_was_written(store):
    conversation, (number,) = await made(
        store, a_letter(payload={"text": "é"}, is_global=True, critical=True, key="k", once_key="hi:k", event_id="e")
    )
    row = await store.read(lambda tx: outbox.get(tx, number))
    assert (row.payload, row.is_global, row.critical, row.confirms_opt_out) == ({"text": "é"}, True, True, False)
    assert (row.status, row.attempt, row.conversation_id, row.label) == ("pending", 0, conversation.id, "hi")


async def test_a_once_key_is_used_once_in_a_conversation(store):
    """R40."""
    conversation, (first, second, other) = await made(
        store, a_letter(once_key="k"), a_letter(once_key="k"), a_letter(once_key="l")
    )
    assert first is not None and second is None and other is not None
    assert await store.read(lambda tx: outbox.once_used(tx, conversation.id, "k"))
    assert not await store.read(lambda tx: outbox.once_used(tx, conversation.id, "m"))


async def test_a_letter_is_claimed_by_one_and_settled_by_that_attempt_alone(store):
    """R27."""
    _, (number,) = await made(store, a_letter())
    row = await store.read(lambda tx: outbox.get(tx, number))

    def unit(tx):
        claims = [outbox.claim(tx, row, NOW, NOW + 30, row.contact_id, as_template=False) for _ in range(2)]
        older = outbox.settle(tx, number, "failed", attempt=0)
        right = outbox.settle(tx, number, "sent", attempt=1, provider_id="p", sent_at=NOW)
        again = outbox.settle(tx, number, "pending", attempt=1)
        return claims, older, right, again

    assert await store.write("x", unit) == ([True, False], False, True, False)
    assert (await store.read(lambda tx: outbox.by_provider(tx, 1, "p"))).status == "sent"


async def test_a_status_that_changed_meanwhile_is_not_overwritten(store):
    """R27: evidence arrives while the sweep decides."""
    _, (number,) = await made(store, a_letter(status="uncertain"))

    def unit(tx):
        outbox.settle(tx, number, "sent")
        return outbox.settle(tx, number, "review", was="uncertain")

    assert await store.write("x", unit) is False
    assert (await store.read(lambda tx: outbox.get(tx, number))).status == "sent"


async def test_nobody_confirmed_is_noted_once_and_never_over_news(store):
    _, (first, second) = await made(store, a_letter(status="sent"), a_letter(status="sent"))

    def unit(tx):
        sent.deliver(tx, second, "read", NOW, None)
        return [asking.overdue(tx, number, NOW) for number in (first, first, second)]

    assert await store.write("x", unit) == [True, False, False]


async def test_what_a_newer_event_makes_wrong_is_neither_global_nor_a_person_s_nor_gone(store):
    """R36."""
    conversation, numbers = await made(
        store, a_letter(), a_letter(cause="clock"), a_letter(status="held"), a_letter(is_global=True),
        a_letter(cause="operator"), a_letter(status="sent"), a_letter(status="sending"), a_letter(status="uncertain"),
    )  # fmt: skip
    everything = await store.read(lambda tx: [row.id for row in outbox.supersede(tx, conversation.id)])
    clock = await store.read(lambda tx: [row.id for row in outbox.supersede(tx, conversation.id, causes=("clock",))])
    assert everything == numbers[:3]
    assert clock == numbers[1:2]


async def test_the_parts_of_a_send_know_each_other(store):
    media = {"text": None, "media": {"kind": "image"}}
    _, numbers = await made(
        store,
        a_letter(part=1, parts=3, payload=media, event_id="e"),
        a_letter(part=2, parts=3, event_id="e"),
        a_letter(part=3, parts=3, event_id="e", payload={"text": "x", "template": {"name": "t"}}),
    )

    def unit(tx):
        rows = [outbox.get(tx, number) for number in numbers]
        bubbles.hold_next_part(tx, rows[0], NOW + 77)
        return (
            [bubbles.follows_medium(tx, row) for row in rows],
            [bubbles.template_follows(tx, row) for row in rows],
            [outbox.get(tx, number).due_at for number in numbers],
        )

    assert await store.write("x", unit) == ([False, True, False], [True, True, False], [NOW, NOW + 77, NOW])


async def test_the_line_of_a_conversation_is_due_only_as_far_as_its_first_obstacle(store):
    """R27: what waits behind something is not found."""
    for blocking, found in [
        ({"status": "sending"}, False), ({"status": "uncertain"}, False), ({"status": "review"}, True),
        ({"status": "held"}, True), ({"status": "sent"}, True), ({"status": "pending"}, True),
    ]:  # fmt: skip
        conversation, _ = await made(store, a_letter(**blocking), a_letter())
        ids = await store.write("x", lambda tx: due.to_deliver(tx, NOW + 1, NOW + 2, 100))
        assert (conversation.id in ids) is found, blocking


async def test_a_letter_that_is_tried_later_keeps_its_place_and_one_that_waits_for_the_morning_does_not(store):
    """R27, R37."""
    for attempt, found in [(1, False), (0, True)]:
        conversation, (first, _) = await made(store, a_letter(), a_letter())

        def unit(tx, first=first, attempt=attempt):
            tx.run("UPDATE outbox SET due_at = :due, attempt = :n WHERE id = :id", due=NOW + 9, n=attempt, id=first)
            return due.to_deliver(tx, NOW + 1, NOW + 2, 100)

        assert (conversation.id in await store.write("x", unit)) is found
