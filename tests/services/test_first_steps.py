"""The first steps read what was really done."""

from engine.core.permissions import Actor
from engine.services import channels, first_steps, phone_page, publish, sources
from engine.services.install import AUTHOR
from tests.services.small_flow import small

ANA = Actor("ana@example.com")


async def done(runtime, who=1):
    return set((await first_steps.progress(runtime, who)).done)


async def test_nothing_is_done_in_an_installation_that_has_just_begun(runtime):
    await publish.publish_tree(runtime, small(), "", AUTHOR)
    phone = await channels.add(runtime, "phone", "Telefone", AUTHOR, flow="pequeno")

    found = await first_steps.progress(runtime, 1)

    assert found.done == frozenset()
    assert (found.sample, found.phone) == ("pequeno", phone.token)
    assert not found.complete


async def test_each_step_is_done_when_it_was_done(runtime):
    await publish.publish_tree(runtime, small(), "", AUTHOR)
    phone = await channels.add(runtime, "phone", "Telefone", AUTHOR, flow="pequeno")
    await phone_page.say(runtime, phone.token, "5541900000001", "oi")
    assert await done(runtime) == {"phone"}
    await channels.add(runtime, "whatsapp_cloud", "Loja", ANA, flow="pequeno")
    assert await done(runtime) == {"phone", "channel"}
    await sources.add(runtime, "hotmart", "Vendas", "pequeno", ANA)
    await publish.publish_tree(runtime, small(title="Meu"), "", ANA)
    await first_steps.opened(runtime, 1)

    assert await done(runtime) == set(first_steps.STEPS)
    assert (await first_steps.progress(runtime, 1)).complete
    assert "sample" not in await done(runtime, who=2), "each person looks for themselves"


async def test_what_somebody_waved_away_is_theirs_alone(runtime):
    await first_steps.seen(runtime, 1)
    await first_steps.dismiss(runtime, 1)
    await first_steps.dismiss(runtime, 1)

    mine, theirs = await first_steps.progress(runtime, 1), await first_steps.progress(runtime, 2)

    assert (mine.met, mine.dismissed) == (True, True)
    assert (theirs.met, theirs.dismissed) == (False, False)
    assert (mine.sample, mine.phone) == (None, None)
