"""A conversation is one colleague's: who gives it away sees whose it was."""

import asyncio

import pytest
import pytest_asyncio

from engine.core.errors import NotFound, Refused
from engine.core.permissions import Role
from engine.services import accounts, assign
from engine.store import merging
from tests.services.shop import ACTOR, ANA, BIA

WORD = "um trem azul no morro"


@pytest_asyncio.fixture
async def team(busy_shop):
    """Accounts by name."""
    roles = {"ana": Role.SUPERVISOR, "beto": Role.ADMIN, "caio": Role.READONLY, "duda": Role.SUPERVISOR}
    for name, role in roles.items():
        link = await accounts.invite(busy_shop.runtime, f"{name}@loja.example", role, ACTOR, name=name)
        if name != "duda":
            await accounts.use_link(busy_shop.runtime, link, WORD)
    return {one.name: one.id for one in await accounts.everybody(busy_shop.runtime)}


async def talked(shop, phone=ANA):
    await shop.talks(phone, "oi")
    return (await shop.conversation(phone)).id


async def test_it_can_be_given_to_whoever_answers_customers_and_has_come_in(busy_shop, team):
    assert [one.name for one in await assign.colleagues(busy_shop.runtime)] == ["ana", "beto"]
    number = await talked(busy_shop)
    for nobody in (team["caio"], team["duda"], 999):
        with pytest.raises(NotFound):
            await assign.assign(busy_shop.runtime, number, nobody, ACTOR, seen=0)
    await assign.assign(busy_shop.runtime, number, team["ana"], ACTOR, seen=0)
    whose = await assign.assigned(busy_shop.runtime, number)
    assert whose is not None and (whose.name, whose.by_who) == ("ana", ACTOR.who)
    assert len(await busy_shop.rows("SELECT id FROM audit WHERE what = 'conversation.assign'")) == 1
    await assign.assign(busy_shop.runtime, number, 0, ACTOR, seen=team["ana"])
    assert await assign.assigned(busy_shop.runtime, number) is None


async def test_of_two_people_who_give_it_away_at_once_the_second_hears_of_the_first(busy_shop, team):
    number = await talked(busy_shop)
    answers = await asyncio.gather(
        *(assign.assign(busy_shop.runtime, number, team[name], ACTOR, seen=0) for name in ("ana", "beto")),
        return_exceptions=True,
    )
    (refused,) = [one for one in answers if isinstance(one, Refused)]
    whose = await assign.assigned(busy_shop.runtime, number)
    assert whose is not None
    assert (refused.code, refused.facts["theirs"]) == ("assigned_meanwhile", whose.name)


async def test_whoever_is_shut_out_has_no_conversations(busy_shop, team):
    number = await talked(busy_shop)
    await assign.assign(busy_shop.runtime, number, team["ana"], ACTOR, seen=0)
    await accounts.disable(busy_shop.runtime, team["ana"], ACTOR)
    assert await assign.assigned(busy_shop.runtime, number) is None


async def test_the_talk_that_takes_the_place_of_another_is_the_same_colleagues(busy_shop, team):
    """R70."""
    old, new = await talked(busy_shop), await talked(busy_shop, BIA)
    await assign.assign(busy_shop.runtime, old, team["ana"], ACTOR, seen=0)
    await busy_shop.runtime.store.write("x", lambda tx: merging.hand_over(tx, old, new, busy_shop.clock.now()))
    whose = await assign.assigned(busy_shop.runtime, new)
    assert whose is not None and whose.name == "ana"
