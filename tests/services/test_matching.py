"""One person or two? What is asked, what is shown, and what a decision does (R70)."""

import pytest

from engine.core.errors import NotFound, Refused
from engine.core.permissions import Actor
from engine.services import matching
from engine.services.doctor import examine
from engine.store import contacts
from tests.services.shop import ANA, BIA, enveloped

DORA = Actor("dora@loja.example")


async def changes_number(shop, named="wamid.S"):
    """Ana's account moves to Bia's number."""
    message = {
        "id": named, "from": ANA, "timestamp": str(shop.clock.now() // 1000), "type": "system",
        "system": {"type": "user_changed_number", "wa_id": BIA, "body": "x"},
    }  # fmt: skip
    assert await shop.posts(enveloped({"messages": [message]})) == 200


async def asked(shop):
    await shop.talks(ANA, "oi", "quanto custa?")
    await shop.talks(BIA, "bom dia")
    await changes_number(shop)
    [question] = (await matching.questions(shop.runtime)).listed
    return question


async def sound(shop):
    verdicts = await examine(shop.runtime.store, shop.clock.now())
    assert {verdict.invariant: verdict.rows for verdict in verdicts if not verdict.holds} == {}


async def test_both_people_stand_side_by_side_with_why_and_when(shop):
    question = await asked(shop)
    assert (question.via, question.wanted, question.at) == ("number_change", BIA, shop.clock.now())
    assert (question.one.phone, question.other.phone) == (ANA, BIA)
    assert [talk.state for talk in question.one.talks] == ["NEGOCIANDO"]
    assert [text for theirs, text, _ in question.one.lines if theirs] == ["oi", "quanto custa?"]
    assert [text for theirs, text, _ in question.other.lines if theirs] == ["bom dia"]


async def test_the_same_person_has_one_history_and_is_written_to_at_the_new_number(shop):
    question = await asked(shop)
    await matching.decide(shop.runtime, question.id, DORA, same=True)
    assert (await matching.questions(shop.runtime)).waiting == 0
    assert (await shop.person())["id"] == (await shop.person(BIA))["id"]
    assert (await shop.person())["phone"] == BIA
    assert await shop.state() == "ENGAJADO", "the talk in which something was said last goes on"
    [entry] = await shop.rows("SELECT who, what FROM audit WHERE what LIKE 'contact.%'")
    assert entry == {"who": DORA.who, "what": "contact.merged"}
    await shop.writes(ANA, "oi")
    await shop.after(5_000)
    assert shop.provider.calls[-1]["to"] == BIA
    await sound(shop)


async def test_two_people_stay_two_and_nobody_is_asked_again(shop):
    question = await asked(shop)
    await matching.decide(shop.runtime, question.id, DORA, same=False)
    await changes_number(shop, "wamid.S2")
    assert (await matching.questions(shop.runtime)).waiting == 0
    assert (await shop.person())["id"] != (await shop.person(BIA))["id"]
    assert [outcome for outcome, _ in await shop.outcomes()].count("identity_conflict") == 1
    assert [reason for _, reason in await shop.outcomes()].count("told_apart") == 2
    [entry] = await shop.rows("SELECT who, what FROM audit WHERE what LIKE 'contact.%'")
    assert entry == {"who": DORA.who, "what": "contact.told_apart"}
    await sound(shop)


async def test_a_pair_is_decided_once(shop):
    question = await asked(shop)
    await matching.decide(shop.runtime, question.id, DORA, same=False)
    with pytest.raises(Refused, match="question_settled"):
        await matching.decide(shop.runtime, question.id, DORA, same=True)
    with pytest.raises(NotFound):
        await matching.decide(shop.runtime, 99, DORA, same=True)


async def test_after_a_merge_the_questions_about_the_one_that_went_are_about_the_one_that_stays(shop):
    from engine.store import collisions

    question = await asked(shop)

    def unit(tx):
        third = contacts.resolve(tx, contacts.Person(phone="5541900000003"), 1).contact_id
        collisions.put(tx, question.one.id, third, "payment", "x", 1)
        collisions.put(tx, question.other.id, third, "payment", "y", 2)
        collisions.decide(tx, collisions.known(tx, question.one.id, third).id, collisions.DIFFERENT, "dora", 3)
        return third

    third = await shop.runtime.store.write("x", unit)
    await matching.decide(shop.runtime, question.id, DORA, same=True)
    [left] = (await matching.questions(shop.runtime)).listed
    assert {left.one.id, left.other.id} == {question.one.id, third}, "undecided, for one of the two was"
