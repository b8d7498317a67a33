"""How many conversations went along each line in a week, told from the log on both databases."""

from engine.core.flow import DAY, HOUR
from engine.services import edit
from engine.services.passages import fired, stay, went
from tests.services.shop import ANA, BIA


async def _went(shop):
    return await went(shop.runtime, (await edit.opened(shop.runtime, "venda")).flow)


async def test_each_move_counts_on_its_line_and_the_clock_has_its_own(shop):
    await shop.talks(ANA, "oi", "quanto custa?")
    await shop.talks(BIA, "oi")
    await shop.after(DAY)

    found = await _went(shop)

    assert found["NOVO", "ENGAJADO", False] == 2
    assert found["ENGAJADO", "NEGOCIANDO", False] == 1
    assert sum(count for (_, _, clock), count in found.items() if clock) >= 2


async def test_what_is_older_than_a_week_is_not_counted(shop):
    await shop.talks(ANA, "oi")
    shop.clock.advance(7 * DAY + 1)

    assert ("NOVO", "ENGAJADO", False) not in await _went(shop)


async def _fired(shop, name):
    flow = (await edit.opened(shop.runtime, "venda")).flow
    return await fired(shop.runtime, flow, flow.arrows[name])


async def test_an_arrow_is_counted_by_itself_and_not_with_its_rivals(shop):
    await shop.talks(ANA, "oi", "me conta mais")
    await shop.talks(BIA, "oi")
    arrows = (await edit.opened(shop.runtime, "venda")).flow.arrows
    begins = next(name for name, arrow in arrows.items() if (arrow.frm, arrow.to) == ("NOVO", "ENGAJADO"))
    answers, otherwise = (
        next(n for n, a in arrows.items() if a.frm == a.to == "ENGAJADO" and a.do == (action,))
        for action in ("responder_duvida", "chamar_pessoa")
    )

    assert [await _fired(shop, name) for name in (begins, answers, otherwise)] == [2, 1, 0]
    shop.clock.advance(7 * DAY + 1)
    assert await _fired(shop, begins) == 0


async def test_a_state_says_how_long_people_are_in_it_and_whose_silence_ends_soon(shop):
    assert await stay(shop.runtime, "venda", "ENGAJADO") == await stay(shop.runtime, "venda", "NADA")
    await shop.talks(ANA, "oi")
    await shop.after(HOUR)
    await shop.talks(BIA, "oi")

    found = await stay(shop.runtime, "venda", "ENGAJADO")
    assert found.typical is not None and HOUR // 2 <= found.typical <= HOUR // 2 + 120_000
    assert found.soon == 0
    await shop.after(HOUR - 5 * 60_000)
    assert (await stay(shop.runtime, "venda", "ENGAJADO")).soon == 1, "Ana's two hours end within ten minutes"
