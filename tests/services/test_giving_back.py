"""The chat goes back to the robot: letter by letter, at a moment, over a restart; two people at once (R36, R74)."""

import asyncio

import pytest
import pytest_asyncio

from engine.core.errors import NotFound, Refused
from engine.core.flow import DAY, HOUR, MINUTE
from engine.core.permissions import Actor, Role
from engine.services import accounts, giving_back, supervise
from engine.store import assignments
from engine.store.lanes import Store
from tests.runtimes import a_runtime
from tests.services.shop import ACTOR, ANA, Provider, Shop, opened

BETO = Actor("beto@loja.example")


async def talked(shop):
    await shop.talks(ANA, "oi")
    shop.provider.calls.clear()
    return (await shop.conversation()).id


async def holding(shop):
    """A chat that a person holds, with two things that the robot wanted to say."""
    number = await talked(shop)
    await supervise.pause(shop.runtime, number, HOUR, ACTOR)
    for text in ("quanto custa?", "é caro"):
        await shop.writes(ANA, text)
        await shop.after(5_000)
    held = [one for one in await shop.letters() if one.status == "held"]
    assert len(held) == 2
    return number, held


async def test_each_letter_that_was_held_becomes_what_the_person_says(shop):
    number, (first, second) = await holding(shop)
    with pytest.raises(Refused) as refused:
        await supervise.give_back(shop.runtime, number, ACTOR, decisions={first.id: True})
    assert refused.value.code == "held_undecided"
    assert (await shop.person())["paused_until"] is not None
    assert await supervise.give_back(shop.runtime, number, ACTOR, decisions={first.id: False, second.id: True}) == 2
    await shop.works()
    assert [one.status for one in await shop.letters()][-2:] == ["cancelled", "sent"]


async def test_a_letter_that_came_to_be_held_after_the_person_looked_is_asked_about(shop):
    """Nobody decides about what they did not see."""
    number, held = await holding(shop)
    await shop.writes(ANA, "e parcelado?")
    await shop.after(5_000)
    with pytest.raises(Refused):
        await supervise.give_back(shop.runtime, number, ACTOR, decisions={one.id: False for one in held})


async def test_one_letter_is_let_go_while_the_chat_stays_held(shop):
    number, (first, second) = await holding(shop)
    await supervise.decide_held(shop.runtime, number, first.id, ACTOR, send=True)
    await supervise.decide_held(shop.runtime, number, second.id, ACTOR, send=False)
    await shop.works()
    assert [one.status for one in await shop.letters()][-2:] == ["sent", "cancelled"]
    assert (await shop.person())["paused_until"] is not None
    with pytest.raises(Refused):
        await supervise.decide_held(shop.runtime, number, first.id, ACTOR, send=True)
    assert len(shop.provider.texts) == 1


async def test_the_robot_gets_the_chat_at_the_moment_that_was_named_although_everything_was_stopped(sqlite_url):
    """Demand 11: the moment is in the database; whoever sweeps next ends the pause, and the silence goes on from there."""
    runtime = a_runtime(sqlite_url, store=Store(sqlite_url, inline=True), http=Provider())
    shop = await opened(runtime)
    number = await talked(shop)
    deadline = (await shop.conversation()).snapshot.deadline_at
    begun = shop.clock.now()
    await supervise.pause(runtime, number, 12 * HOUR, ACTOR)
    await giving_back.give_back_at(runtime, number, begun + 30 * MINUTE, ACTOR)
    assert (await shop.person())["paused_until"] == begun + 30 * MINUTE, "sooner than the twelve hours"
    await runtime.close()

    again = a_runtime(sqlite_url, store=Store(sqlite_url, inline=True), http=Provider(), clock=runtime.clock)
    later = Shop(again, shop.flow)
    await later.after(29 * MINUTE)
    assert (await later.person())["paused_until"] is not None
    await later.after(2 * MINUTE)
    assert (await later.person())["paused_until"] is None
    assert (await later.conversation()).snapshot.deadline_at == deadline + 30 * MINUTE
    await later.writes(ANA, "quanto custa?", named="wamid.LATER")
    await later.after(5_000)
    assert len(later.provider.texts) == 1, "the robot answers"
    await again.close()


async def test_where_nobody_held_the_chat_a_moment_begins_a_pause(shop):
    """R74: it needs no pause before it."""
    number = await talked(shop)
    await giving_back.give_back_at(shop.runtime, number, shop.clock.now() + HOUR, ACTOR)
    person = await shop.person()
    assert (person["paused_at"], person["paused_by"]) == (shop.clock.now(), ACTOR.who)


@pytest.mark.parametrize("after", [0, -1, 30 * DAY + 1])
async def test_a_moment_that_is_over_or_too_far_away_is_refused(small_shop, after):
    number = await talked(small_shop)
    with pytest.raises(Refused) as refused:
        await giving_back.give_back_at(small_shop.runtime, number, small_shop.clock.now() + after, ACTOR)
    assert refused.value.code == "not_a_moment"


async def test_a_conversation_that_is_not_there_is_not_given_back(small_shop):
    with pytest.raises(NotFound):
        await giving_back.give_back_at(small_shop.runtime, 99, small_shop.clock.now() + 1, ACTOR)


async def test_two_people_who_give_it_back_at_once_send_what_was_held_once(busy_shop):
    """R27."""
    number, _ = await holding(busy_shop)
    await asyncio.gather(
        supervise.give_back(busy_shop.runtime, number, ACTOR, send_held=True),
        supervise.give_back(busy_shop.runtime, number, BETO, send_held=True),
    )
    await busy_shop.works()
    assert len(busy_shop.provider.texts) == 2


@pytest_asyncio.fixture
async def team(busy_shop):
    """Two accounts by name, of people who answer customers."""
    for name in ("ana", "beto"):
        link = await accounts.invite(busy_shop.runtime, f"{name}@loja.example", Role.SUPERVISOR, ACTOR, name=name)
        await accounts.use_link(busy_shop.runtime, link, "um trem azul no morro")
    return {one.name: one.id for one in await accounts.everybody(busy_shop.runtime)}


async def test_of_two_people_who_take_over_at_once_one_does_and_the_other_hears_of_it(busy_shop, team):
    """Demand 30."""
    number = await talked(busy_shop)
    answers = await asyncio.gather(
        supervise.take(busy_shop.runtime, number, HOUR, ACTOR, team["ana"]),
        supervise.take(busy_shop.runtime, number, HOUR, BETO, team["beto"]),
        return_exceptions=True,
    )
    (refused,) = [one for one in answers if isinstance(one, Refused)]
    person = await busy_shop.person()
    assert (refused.code, refused.facts["who"]) == ("taken_already", person["paused_by"])
    whose = await busy_shop.runtime.store.read(lambda tx: assignments.of(tx, number))
    assert whose is not None and f"{whose.name}@loja.example" == person["paused_by"]


async def test_whoever_holds_the_chat_may_take_over_again_and_so_may_anybody_when_a_phone_does(shop):
    number = await talked(shop)
    await supervise.take(shop.runtime, number, HOUR, ACTOR, 1)
    await supervise.take(shop.runtime, number, 2 * HOUR, ACTOR, 1)
    assert (await shop.person())["paused_until"] == shop.clock.now() + 2 * HOUR
    await shop.runtime.store.write("x", lambda tx: tx.run("UPDATE contact SET paused_by = 'phone'"))
    await supervise.take(shop.runtime, number, HOUR, BETO, 2)
    assert (await shop.person())["paused_by"] == BETO.who


async def test_two_people_who_decide_about_an_unknown_send_at_once_send_it_at_most_once_more(busy_shop):
    """R27."""
    await talked(busy_shop)
    await busy_shop.runtime.store.write("x", lambda tx: tx.run("UPDATE outbox SET status = 'review'"))
    (letter,) = await busy_shop.letters()
    answers = await asyncio.gather(
        *(supervise.settle_unknown(busy_shop.runtime, letter.id, who, arrived=False) for who in (ACTOR, BETO)),
        supervise.settle_unknown(busy_shop.runtime, letter.id, BETO, arrived=True),
        return_exceptions=True,
    )
    await busy_shop.works()
    assert sum(isinstance(one, Refused) and one.code == "send_is_settled" for one in answers) == 2
    assert len(busy_shop.provider.texts) <= 1


@pytest.mark.parametrize("status", ["pending", "held", "failed", "review"])
async def test_a_letter_that_is_not_on_the_wire_is_taken_back(shop, status):
    await talked(shop)
    await shop.runtime.store.write("x", lambda tx: tx.run("UPDATE outbox SET status = :s, due_at = 0", s=status))
    (letter,) = await shop.letters()
    await supervise.cancel_send(shop.runtime, letter.id, ACTOR)
    await shop.after(HOUR)
    assert next((one.status, one.reason) for one in await shop.letters()) == ("cancelled", "cancelled_by_person")
    assert shop.provider.texts == []


@pytest.mark.parametrize("status", ["sending", "uncertain", "sent", "cancelled"])
async def test_what_left_or_may_have_left_cannot_be_taken_back(small_shop, status):
    await talked(small_shop)
    await small_shop.runtime.store.write("x", lambda tx: tx.run("UPDATE outbox SET status = :s", s=status))
    (letter,) = await small_shop.letters()
    with pytest.raises(Refused):
        await supervise.cancel_send(small_shop.runtime, letter.id, ACTOR)
    assert [one.status for one in await small_shop.letters()] == [status]
    with pytest.raises(NotFound):
        await supervise.cancel_send(small_shop.runtime, 99, ACTOR)
