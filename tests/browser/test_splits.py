"""An A/B test made in a real browser: begun with a click, shared out anew, decided and brought back."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Browser, expect

from engine.core import edits
from engine.core.permissions import Role
from engine.services import edit
from tests.browser import looks
from tests.browser.conftest import DESKTOP, PHONE, OpenPage
from tests.browser.desk import ACTOR, Shop, shop
from tests.services.small_flow import small

DRAFT = "/flows/pequeno/draft"


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def here(shared_sqlite_url: str) -> AsyncIterator[Shop]:
    """A shop with a live test of three variants."""
    tree = edits.split_transition(edits.split_transition(small(), "t3"), "t3")
    async with shop(shared_sqlite_url, tree) as made:
        yield made


async def test_a_test_is_begun_changed_and_decided_where_the_arrow_is(here: Shop, open_page: OpenPage) -> None:
    page = await open_page()
    await here.sign_in(page, Role.PUBLISHER)
    await page.goto(f"{here.site.url}{DRAFT}?sel=t:t1")

    await page.get_by_role("button", name="Testar variação").click()
    await expect(page.locator(".variants > li")).to_have_count(2)
    await expect(page.locator(".variants > li[aria-current]")).to_contain_text("B 50 %")
    await expect(page.locator("#canvas-svg")).to_contain_text("B 50 %")

    share = page.get_by_label("Parte da variação A, em %")
    await share.fill("70")
    await share.press("Tab")
    await expect(page.locator("form.shares output")).to_have_text("30")
    await expect(page.locator("#canvas-svg")).to_contain_text("A 70 %")
    await page.get_by_label("Texto de oi b").fill("Bom dia!")
    await page.get_by_label("Texto de oi b").press("Tab")
    await expect(page.locator("#panel .preview")).to_contain_text("Bom dia!")

    await page.get_by_role("button", name="Escolher B").click()
    await expect(page.locator(".variants")).to_have_count(0)
    await page.locator("#toasts").get_by_role("button", name="Desfazer").click()
    await expect(page.locator(".variants > li")).to_have_count(2)
    await edit.edit(here.site.runtime, "pequeno", {"op": "end_split", "id": "t1"}, actor=ACTOR)


async def test_it_all_goes_without_scripts(here: Shop, browser: Browser) -> None:
    page = await browser.new_page(java_script_enabled=False, locale="pt-BR")
    await here.sign_in(page, Role.PUBLISHER)
    await page.goto(f"{here.site.url}{DRAFT}?sel=t:t2")

    await page.get_by_role("button", name="Testar variação").click()
    await page.get_by_label("Parte da variação A, em %").fill("10")
    await page.locator("form.shares").get_by_role("button", name="Salvar").click()
    await expect(page.locator("form.shares output")).to_have_text("90")
    await page.get_by_role("button", name="Escolher A").click()

    await expect(page.get_by_role("button", name="Testar variação")).to_be_visible()
    await page.context.close()


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
async def test_the_panel_of_a_test_is_readable_reachable_and_large_enough(
    here: Shop, open_page: OpenPage, size: tuple[int, int], dark: bool
) -> None:
    page = await open_page(size=size, dark=dark)
    await here.sign_in(page, Role.PUBLISHER)
    for path in (f"{DRAFT}?sel=t:t3", f"{DRAFT}?view=table&sel=t:t3_b", f"{DRAFT}?sel=t:t4"):
        await page.goto(here.site.url + path)
        assert await looks.faint(page) == [], path
        assert await looks.outside(page) == [], path
        assert await page.evaluate("document.scrollingElement.scrollWidth - innerWidth") <= 0, path
        if size == PHONE:
            assert await looks.small(page) == [], path
        found = await Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]})
        assert [v["id"] for v in found.response["violations"]] == [], path
