"""The canvas of the editor in a real browser: arrows drawn by hand, the whole of it by keyboard, search, problems, the table."""

from collections.abc import AsyncIterator

import pytest_asyncio
from playwright.async_api import Locator, Page, expect

from engine.core.flow import Flow
from engine.core.permissions import Role
from engine.services import edit
from tests.browser.conftest import PHONE, OpenPage
from tests.browser.desk import ACTOR, Shop, shop
from tests.services.small_flow import small

DRAFT = "/flows/pequeno/draft"


@pytest_asyncio.fixture(loop_scope="session")
async def here(sqlite_url: str) -> AsyncIterator[Shop]:
    async with shop(sqlite_url, small()) as made:
        yield made


async def _open(here: Shop, page: Page, path: str = DRAFT) -> None:
    await here.sign_in(page, Role.PUBLISHER)
    await page.goto(here.site.url + path)


async def _flow(here: Shop) -> Flow:
    return (await edit.opened(here.site.runtime, "pequeno")).flow


def _box(page: Page, name: str) -> Locator:
    return page.locator(f'#canvas a[aria-label][data-sel="s:{name}"]')


async def _focused(page: Page) -> str:
    found: str = await page.evaluate("document.activeElement.dataset.sel || document.activeElement.dataset.cell || ''")
    return found


async def _drag(page: Page, name: str, x: float, y: float) -> None:
    start = await _box(page, name).bounding_box()
    assert start is not None
    await page.mouse.move(start["x"] + 8, start["y"] + 6)
    await page.mouse.down()
    await page.mouse.move(x - 12, y - 4, steps=3)
    await page.mouse.move(x, y)
    await expect(page.locator("#canvas .rubber")).to_have_count(1)
    await page.mouse.up()
    await expect(page.locator("#canvas .rubber")).to_have_count(0)


async def test_an_arrow_is_drawn_from_box_to_box_and_saved_when_its_event_is_chosen(page: Page, here: Shop) -> None:
    await _open(here, page)
    before, end = await _flow(here), await _box(page, "FIM").bounding_box()
    assert end is not None

    await _drag(page, "NOVO", end["x"] + 8, end["y"] + 6)

    await expect(page.get_by_role("heading", name="Nova transição")).to_be_visible()
    await expect(page.get_by_label("Do estado")).to_have_value("NOVO")
    await expect(page.get_by_label("Para o estado")).to_have_value("FIM")
    await expect(page.get_by_label("O evento")).to_be_focused()
    await page.get_by_role("button", name="Criar a transição").click()
    assert (await _flow(here)).arrows.keys() == before.arrows.keys()
    await page.get_by_label("O evento").select_option("timeout")
    await page.get_by_role("button", name="Criar a transição").click()
    await expect(page.get_by_text("Salvo agora")).to_be_visible()
    new = [t for name, t in (await _flow(here)).arrows.items() if name not in before.arrows]
    assert [(t.frm, t.on, t.to) for t in new] == [("NOVO", "timeout", "FIM")]


async def test_a_box_that_is_dragged_to_nothing_stays_and_does_nothing(page: Page, here: Shop) -> None:
    await _open(here, page)
    view, canvas = page.locator("#canvas-view"), await page.locator("#canvas").bounding_box()
    before = await view.get_attribute("style")
    assert canvas is not None

    await _drag(page, "NOVO", canvas["x"] + 40, canvas["y"] + canvas["height"] / 2)

    assert await view.get_attribute("style") == before and page.url.endswith(DRAFT)


async def test_t_and_a_destination_open_the_same_form_and_esc_gives_up(page: Page, here: Shop) -> None:
    await _open(here, page)
    await _box(page, "NOVO").focus()
    await page.keyboard.press("t")
    await expect(page.locator("#linking")).to_contain_text("De NOVO")
    await page.keyboard.press("Escape")
    await expect(page.locator("#linking")).to_be_empty()

    await page.keyboard.press("t")
    await page.keyboard.press("ArrowDown")
    goal = (await _focused(page)).removeprefix("s:")
    await page.keyboard.press("Enter")

    await expect(page.get_by_label("Do estado")).to_have_value("NOVO")
    await expect(page.get_by_label("Para o estado")).to_have_value(goal)
    assert goal != "NOVO"


async def test_the_drawing_is_one_tab_stop_and_tab_goes_along_the_arrows_of_a_box(page: Page, here: Shop) -> None:
    await _open(here, page)
    assert await page.locator('#canvas-svg a[tabindex="0"]').count() == 1
    flow = await _flow(here)
    leaving = {f"t:{t.id}" for t in flow.transitions if t.frm == "NOVO"}

    await _box(page, "NOVO").focus()
    seen = []
    for _ in leaving:
        await page.keyboard.press("Tab")
        seen.append(await _focused(page))
    assert set(seen) == leaving
    await expect(page.locator("svg.fluxo.lit .node.lit").first).to_be_attached()
    await page.keyboard.press("Tab")
    assert not await page.evaluate("document.getElementById('canvas-svg').contains(document.activeElement)")
    await page.keyboard.press("Shift+Tab")
    assert await _focused(page) == seen[-1]
    await page.keyboard.press("Shift+Tab")
    assert await _focused(page) in ("s:NOVO", *leaving)


async def test_enter_opens_esc_closes_and_the_box_has_the_focus_again(page: Page, here: Shop) -> None:
    await _open(here, page)
    await _box(page, "CONVERSA").focus()
    await page.keyboard.press("Enter")
    await expect(page.locator("#panel-title")).to_have_text("CONVERSA")
    await expect(page.locator("#panel-title")).to_be_focused()
    await page.keyboard.press("Escape")

    await expect(page.locator("#panel [data-nothing]")).to_be_visible()
    await expect(_box(page, "CONVERSA")).to_be_focused()


async def test_del_deletes_what_has_the_focus_and_the_next_one_gets_it(page: Page, here: Shop) -> None:
    await _open(here, page)
    await page.locator('#canvas a[aria-label][data-sel="t:t3"]').focus()
    await page.keyboard.press("Delete")

    await expect(page.get_by_text("Transição excluída.")).to_be_visible()
    assert "t3" not in (await _flow(here)).arrows
    await expect(page.locator("#canvas a[aria-label]:focus")).to_have_count(1)


async def test_f8_walks_the_problems_and_the_rest_of_the_drawing_steps_back(page: Page, here: Shop) -> None:
    change = {"op": "add_transition", "fields": {"from": "CONVERSA", "on": "timeout", "to": "NOVO"}}
    await edit.edit(here.site.runtime, "pequeno", change, actor=ACTOR)
    await _open(here, page)

    await page.keyboard.press("F8")
    await expect(page.locator("svg.fluxo.quiet .edge.err").first).to_be_attached()
    first = page.url
    assert "sel=p:" in first
    await expect(page.locator(".prob[aria-current]")).to_have_count(1)
    await expect(page.locator("#panel-title")).to_contain_text("Duas setas")
    await page.keyboard.press("Shift+F8")
    await expect(page).not_to_have_url(first)
    await page.keyboard.press("F8")
    await expect(page).to_have_url(first)
    await page.keyboard.press("Escape")
    await expect(page.locator("svg.fluxo.quiet")).to_have_count(0)


async def test_letters_go_to_places_and_can_be_switched_off(page: Page, here: Shop) -> None:
    await _open(here, page)
    await page.keyboard.press("v")
    await page.wait_for_url(f"{here.site.url}{DRAFT}?view=table")
    await page.keyboard.press("g")
    await page.keyboard.press("f")
    await page.wait_for_url(f"{here.site.url}/flows")

    await page.keyboard.press("?")
    await expect(page.get_by_role("dialog", name="Atalhos do teclado")).to_be_visible()
    await page.get_by_role("button", name="Desligar os atalhos de letra").click()
    await page.keyboard.press("g")
    await page.keyboard.press("s")
    await page.keyboard.press("?")
    await expect(page.get_by_role("dialog", name="Atalhos do teclado")).to_have_count(0)
    await expect(page).to_have_url(f"{here.site.url}/flows")


async def test_the_search_box_finds_and_goes_there_by_keyboard_alone(page: Page, here: Shop) -> None:
    await _open(here, page)
    await page.keyboard.press("Control+k")
    field = page.get_by_role("searchbox")
    await expect(field).to_be_focused()
    await field.fill("cônvers")
    await expect(page.locator("#search .hit-row").first).to_contain_text("CONVERSA")
    await page.keyboard.press("Escape")
    await expect(page.locator("#search")).to_be_hidden()

    await page.keyboard.press("/")
    await field.fill("convers")
    await expect(page.locator("#search .hit-row").first).to_contain_text("CONVERSA")
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    await expect(page.locator("#panel-title")).to_have_text("CONVERSA")


async def test_zoom_and_pan_survive_a_reload_and_stay_within_their_bounds(page: Page, here: Shop) -> None:
    await _open(here, page)
    canvas = await page.locator("#canvas").bounding_box()
    assert canvas is not None
    await page.mouse.move(canvas["x"] + 300, canvas["y"] + 250)
    level = page.locator("#zoom-level")
    for _ in range(12):
        await page.mouse.wheel(0, 0)
        await page.keyboard.down("Control")
        await page.mouse.wheel(0, -200)
        await page.keyboard.up("Control")
    await expect(level).to_have_text("300%")
    await _box(page, "NOVO").focus()
    await page.keyboard.press("Shift+ArrowRight")
    before = await _box(page, "NOVO").bounding_box()
    await page.reload()
    await expect(level).to_have_text("300%")
    after = await _box(page, "NOVO").bounding_box()
    assert before and after and abs(before["x"] - after["x"]) < 2 and abs(before["y"] - after["y"]) < 2


async def test_what_is_laid_over_the_drawing_stays_while_things_are_selected(page: Page, here: Shop) -> None:
    await _open(here, page)
    await page.locator("summary", has_text="Mostrar:").click()
    await page.get_by_role("link", name="tráfego de 7 dias").click()
    await page.wait_for_url(f"{here.site.url}{DRAFT}?show=traffic")
    await page.locator('#canvas a[data-sel="s:NOVO"]').first.click()
    await expect(page.locator("#panel-title")).to_have_text("NOVO")
    assert "show=traffic" in page.url
    await page.get_by_label("Prazo de silêncio", exact=True).fill("5 h")
    await page.get_by_label("Prazo de silêncio", exact=True).press("Tab")
    await expect(page.get_by_text("Salvo agora")).to_be_visible()
    assert "show=traffic" in page.url
    await expect(page.locator(".legend")).to_contain_text("mais conversas em 7 dias")


async def test_the_table_is_a_spreadsheet(page: Page, here: Shop) -> None:
    await _open(here, page, f"{DRAFT}?view=table")
    before = await _flow(here)
    origin = next(t for t in before.transitions if t.frm == "NOVO")
    square = page.locator(f'td[data-cell="c:NOVO:{origin.on}"]')
    await square.focus()
    await page.keyboard.press("Control+c")
    await page.keyboard.press("ArrowDown")
    goal = await _focused(page)
    assert goal == f"c:{goal.split(':')[1]}:{origin.on}" != f"c:NOVO:{origin.on}"
    state = goal.split(":")[1]

    await page.keyboard.press("Control+v")
    await expect(page.get_by_text("Célula copiada.")).to_be_visible()
    assert [t.to for t in (await _flow(here)).own_group(state, origin.on)] == [origin.to]
    await expect(page.locator(f'td[data-cell="{goal}"]')).to_be_focused()
    await page.keyboard.press("Delete")
    await expect(page.get_by_text("Célula limpa.")).to_be_visible()
    assert (await _flow(here)).own_group(state, origin.on) == ()
    await expect(page.locator(f'td[data-cell="{goal}"]')).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(page.locator("#panel-title")).to_be_focused()


async def test_on_a_phone_the_search_is_a_button_and_nothing_is_too_wide(open_page: OpenPage, here: Shop) -> None:
    page = await open_page(size=PHONE)
    await _open(here, page)
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    await page.locator("#canvas [data-search]").click()
    await page.get_by_role("searchbox").fill("fim")
    await expect(page.locator("#search .hit-row").first).to_contain_text("FIM")
    box = await page.locator("#search .hit-row").first.bounding_box()
    assert box is not None and box["height"] >= 44
