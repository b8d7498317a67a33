"""Who else has a draft open: seen for a minute, gone when they leave, known by name alone."""

from engine.core.permissions import Actor, Role
from engine.services import accounts, presence
from engine.services.presence import Present

ACTOR = Actor("teste")


async def _person(runtime, name):
    await accounts.invite(runtime, f"{name.lower()}@example.com", Role.MARKETER, ACTOR, name)
    return next(one.id for one in await accounts.everybody(runtime) if one.name == name)


async def test_each_sees_the_others_with_what_they_selected_and_not_themselves(runtime):
    ana, bruno = await _person(runtime, "Ana"), await _person(runtime, "Bruno")
    assert await presence.look(runtime, "venda", ana, "s:NOVO") == ()

    assert await presence.look(runtime, "venda", bruno, "") == (Present("Ana", "s:NOVO"),)
    assert await presence.look(runtime, "outro", bruno, "") == ()
    assert await presence.others(runtime, "venda", ana) == (Present("Bruno", ""),)


async def test_whoever_leaves_is_gone_at_once_and_whoever_is_silent_after_a_minute(runtime):
    ana, bruno = await _person(runtime, "Ana"), await _person(runtime, "Bruno")
    await presence.look(runtime, "venda", ana, "")
    await presence.leave(runtime, "venda", ana)
    assert await presence.others(runtime, "venda", bruno) == ()

    await presence.look(runtime, "venda", ana, "")
    runtime.clock.advance(presence.LASTS)
    assert await presence.others(runtime, "venda", bruno) == (Present("Ana", ""),)
    runtime.clock.advance(1)
    assert await presence.look(runtime, "venda", bruno, "") == ()
    left = await runtime.store.read(lambda tx: tx.value("SELECT count(*) FROM presence"))
    assert left == 1, "old rows are let go"
