"""One person or two in a real browser: nothing for an accessibility audit to find, and it works without scripts."""

from collections.abc import AsyncIterator

import pytest_asyncio
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Browser, expect

from engine.core.inbound import Person
from engine.store import collisions, contacts
from engine.store.connection import Tx
from tests.browser.conftest import DESKTOP, PHONE, OpenPage
from tests.browser.desk import Shop, shop
from tests.browser.test_live import TAGS


@pytest_asyncio.fixture(loop_scope="session")
async def here(sqlite_url: str) -> AsyncIterator[Shop]:
    """With two people about whom somebody asks."""

    def asked(tx: Tx) -> None:
        one, other = (contacts.resolve(tx, Person(phone=f"551190000000{n}", name="Bruna"), 1) for n in (1, 2))
        assert one is not None and other is not None
        collisions.put(tx, one.contact_id, other.contact_id, "number_change", "5511900000002", 1)

    async with shop(sqlite_url) as made:
        await made.site.runtime.store.write("x", asked)
        yield made


async def test_the_audit_finds_nothing_and_nothing_sticks_out(here: Shop, open_page: OpenPage) -> None:
    for size, dark in ((DESKTOP, False), (PHONE, True)):
        page = await open_page(size=size, dark=dark)
        await here.sign_in(page)
        for place in ("/matching", "/payments/unmatched"):
            await page.goto(f"{here.site.url}{place}")
            wide = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            assert wide == 0, (place, size)
            found = await Axe().run(page, options={"runOnly": TAGS})
            told = [(v["id"], [n["html"][:120] for n in v["nodes"]][:3]) for v in found.response["violations"]]
            assert told == [], (place, size, dark)


async def test_without_scripts_a_person_finds_the_question_on_the_desk_and_decides(
    here: Shop, browser: Browser
) -> None:
    context = await browser.new_context(java_script_enabled=False, locale="pt-BR", base_url=here.site.url)
    page = await context.new_page()
    await here.sign_in(page)
    await page.goto("/live")
    await page.get_by_role("link", name="1 dúvida: uma pessoa ou duas").click()
    await page.get_by_role("button", name="São a mesma pessoa").click()
    await expect(page.get_by_text("Nenhuma dúvida sobre ninguém")).to_be_visible()
    await context.close()
