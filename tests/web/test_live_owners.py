"""Whose a conversation is, on the live desk: a chip on its card, and a filter for mine, nobody's and a colleague's."""

import pytest

from engine.core.permissions import Role
from engine.services import accounts, assign
from tests.web.conftest import ACTOR
from tests.web.leads import phone_for
from tests.web.pages_read import read


@pytest.fixture
async def desk(runtime, signed_in, flow):
    """Two people who may be given conversations, three conversations: one of each, one of nobody."""
    supervisor, publisher = await signed_in(Role.SUPERVISOR), await signed_in(Role.PUBLISHER)
    leads = await phone_for(runtime, flow)
    talks = [await leads.greet(f"551190000014{n}", name=name) for n, name in enumerate(("Ana", "Bia", "Caio"))]
    ids = {one.email.partition("@")[0]: one.id for one in await accounts.everybody(runtime)}
    await assign.assign(runtime, talks[0], ids["supervisor"], ACTOR, seen=0)
    await assign.assign(runtime, talks[1], ids["publisher"], ACTOR, seen=0)
    return supervisor, publisher, ids


async def people(client, owner):
    page = (await client.get("/live", params={"owner": owner})).text
    return {name for name in ("Ana", "Bia", "Caio") if f"<bdi>{name}</bdi>" in page}


async def test_each_sees_their_own_and_what_is_nobodys(desk):
    supervisor, publisher, ids = desk

    assert await people(supervisor, "") == {"Ana", "Bia", "Caio"}
    assert await people(supervisor, "me") == {"Ana"}
    assert await people(publisher, "me") == {"Bia"}
    assert await people(supervisor, "none") == {"Caio"}
    assert await people(supervisor, str(ids["publisher"])) == {"Bia"}


async def test_the_card_says_whose_it_is_and_the_menu_names_everybody(desk):
    supervisor, _, ids = desk

    page = (await supervisor.get("/live?view=list")).text

    assert "com Publisher" in page
    assert {"/live?flow=pequeno&view=list&owner=me", f"/live?flow=pequeno&view=list&owner={ids['publisher']}"} <= {
        link.replace("&amp;", "&") for link in read(page).links
    }


@pytest.mark.parametrize("owner", ["0", "-1", "x", "99999999999999999999", "\0", "1.5"])
async def test_what_is_nobody_is_as_if_it_were_not_there(desk, owner):
    assert await people(desk[0], owner) == {"Ana", "Bia", "Caio"}


async def test_of_a_colleague_who_was_shut_out_it_is_nobodys(runtime, desk):
    supervisor, _, ids = desk
    await accounts.disable(runtime, ids["publisher"], ACTOR)

    assert await people(supervisor, "none") == {"Bia", "Caio"}
