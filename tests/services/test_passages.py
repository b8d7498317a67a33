"""How many conversations went along each line in a week, told from the log on both databases."""

from engine.core.flow import DAY
from engine.services import edit
from engine.services.passages import went
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
