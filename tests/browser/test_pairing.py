"""Connecting a number in a real browser: the code is an image that is seen, and the page follows the gateway by itself."""

from collections.abc import AsyncIterator

import pytest_asyncio
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Page, expect

from engine.adapters.http_client import Http
from engine.services import channel_health, channels
from tests.browser.conftest import PHONE, OpenPage
from tests.browser.desk import ACTOR, Shop, shop
from tests.browser.test_live import TAGS
from tests.fakes.evolution import FakeEvolution


async def _seen(page: Page) -> None:
    """The code is there as a picture. Asked of the element: the page's policy lets no text become a program."""
    code = page.locator("img.qr")
    await expect(code).to_have_js_property("complete", True)
    assert await code.evaluate("img => img.naturalWidth > 0")


@pytest_asyncio.fixture(loop_scope="session")
async def here(sqlite_url: str) -> AsyncIterator[Shop]:
    async with Http() as http, shop(sqlite_url, http=http) as made:
        yield made


@pytest_asyncio.fixture(loop_scope="session")
async def fake() -> AsyncIterator[FakeEvolution]:
    async with FakeEvolution() as server:
        server.state = "close"
        yield server


async def test_the_code_is_read_and_the_page_says_so_by_itself(
    here: Shop, fake: FakeEvolution, open_page: OpenPage
) -> None:
    values = {"instance": fake.instance, "base_url": fake.base_url, "api_key": fake.api_key}
    number = (await channels.add(here.site.runtime, "evolution", "Loja", ACTOR, flow="pequeno", values=values)).id
    store, now = here.site.runtime.store, here.site.runtime.clock.now
    page, desk = await open_page(size=PHONE), await open_page()
    await here.sign_in(desk)
    await desk.goto(f"{here.site.url}/live")
    await store.write("x", lambda tx: channel_health.heard(tx, now(), number, "close", 401))
    banner = desk.locator("#down .alert")
    await expect(banner).to_contain_text("Loja não envia", timeout=15_000)
    await expect(banner).to_contain_text("leia o QR code de novo")
    assert await banner.evaluate(
        "box => box.getBoundingClientRect().bottom <= document.getElementById('att').getBoundingClientRect().top"
    )

    await here.sign_in(page)
    await page.goto(f"{here.site.url}/settings/channels/{number}/pair")
    await page.get_by_role("button", name="Conectar").click()
    await _seen(page)
    found = await Axe().run(page, options={"runOnly": TAGS})
    assert found.response["violations"] == []
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    fake.codes += 1
    await expect(page.locator("img.qr")).to_have_attribute("src", f"/settings/channels/{number}/pair/qr?n=connecting-2")
    await _seen(page)
    fake.scan()
    await expect(page.locator("#pair")).to_contain_text("Está conectado.")
    await expect(page.locator("img.qr")).to_have_count(0)

    await store.write("x", lambda tx: channel_health.heard(tx, now(), number, "open"))
    await expect(banner).to_have_count(0, timeout=15_000)
