"""The page of figures in a real browser: read in both themes at a desk and in a hand, tried with a slider, and by keys."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Browser, expect

from engine.core.permissions import Role
from engine.runtime import SystemClock, SystemIds
from engine.services import edit
from tests.bench.analysis import seeded
from tests.browser import looks
from tests.browser.conftest import DESKTOP, PHONE, OpenPage
from tests.browser.desk import Shop
from tests.browser.serving import serving
from tests.runtimes import a_runtime

PAGE = "/analytics/venda?range=90d"


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def here(shared_sqlite_url: str) -> AsyncIterator[Shop]:
    """An installation with some weeks of people in the sale of the samples."""
    runtime = a_runtime(shared_sqlite_url, clock=SystemClock(), ids=SystemIds())
    await seeded(runtime, 3_000)
    async with serving(runtime) as site:
        yield Shop(site, "")
    await runtime.close()


async def test_a_slider_tells_what_another_wait_would_do_and_a_button_puts_it_into_the_draft(
    here: Shop, open_page: OpenPage
) -> None:
    page = await open_page()
    await here.sign_in(page, Role.PUBLISHER)
    await page.goto(f"{here.site.url}/flows")
    await page.keyboard.press("g")
    await page.keyboard.press("a")
    await expect(page.get_by_role("heading", name="Análise", exact=True)).to_be_visible()

    slider = page.get_by_label("Espera a testar, em segundos")
    await slider.focus()
    await slider.press("ArrowRight")
    await expect(page.get_by_role("columnheader", name="5 s", exact=True)).to_be_visible()
    await expect(page).to_have_url(f"{here.site.url}/analytics/venda?range=7d&wait=5")
    await page.get_by_role("button", name="Usar 5 s no rascunho").click()

    await expect(page.get_by_text("No rascunho a espera por rajada agora é 5 s")).to_be_visible()
    assert (await edit.opened(here.site.runtime, "venda")).flow.debounce.quiet == 5_000


async def test_it_all_goes_without_scripts(here: Shop, browser: Browser) -> None:
    page = await browser.new_page(java_script_enabled=False, locale="pt-BR")
    await here.sign_in(page, Role.MARKETER)
    await page.goto(here.site.url + PAGE)
    await page.get_by_label("Espera a testar, em segundos").fill("9")
    await page.get_by_role("button", name="Testar").click()
    await expect(page.get_by_role("columnheader", name="9 s", exact=True)).to_be_visible()
    await page.locator("summary", has_text="Outros dias").click()
    await page.get_by_label("Primeiro dia").fill("2020-01-01")
    await page.get_by_label("Último dia").fill("2020-01-02")
    await page.get_by_role("button", name="Mostrar").first.click()
    await expect(page.get_by_text("Nada aconteceu neste fluxo nestes dias.")).to_be_visible()
    await page.context.close()


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
async def test_the_figures_are_readable_reachable_and_large_enough(
    here: Shop, open_page: OpenPage, size: tuple[int, int], dark: bool
) -> None:
    page = await open_page(size=size, dark=dark)
    await here.sign_in(page, Role.PUBLISHER)
    await page.goto(f"{here.site.url}{PAGE}&wait=8")
    assert await looks.faint(page) == []
    assert await looks.outside(page) == []
    assert await page.evaluate("document.scrollingElement.scrollWidth - innerWidth") <= 0
    if size == PHONE:
        assert await looks.small(page) == []
    found = await Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]})
    assert [v["id"] for v in found.response["violations"]] == []
