"""The live desk in a real browser: a customer writes, the card is there, the answer arrives; what is used stays."""

from collections.abc import AsyncIterator

import pytest_asyncio
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Browser, Page, expect

from engine.core.permissions import Role
from tests.browser.conftest import DESKTOP, PHONE, OpenPage
from tests.browser.desk import Shop, shop

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
SOON = 3_000
"""Milliseconds in which a change must be seen."""


@pytest_asyncio.fixture(loop_scope="session")
async def here(sqlite_url: str) -> AsyncIterator[Shop]:
    async with shop(sqlite_url) as made:
        yield made


async def _desk(here: Shop, page: Page, query: str = "") -> None:
    await here.sign_in(page)
    await page.goto(f"{here.site.url}/live{query}")
    await expect(page.locator("#ago")).to_have_text("Ao vivo")


async def test_a_customer_appears_live_and_the_answer_arrives_on_the_phone(here: Shop, open_page: OpenPage) -> None:
    desk, phone = await open_page(), await open_page(size=PHONE)
    await _desk(here, desk)
    await expect(desk.get_by_text("Nenhuma conversa ainda")).to_be_visible()
    await here.begin(phone, "Bruna Azeredo")

    await here.say(phone, "oi, vi o anúncio")

    card = desk.locator(".bc", has_text="Bruna Azeredo")
    await expect(card).to_be_visible(timeout=SOON)
    await expect(desk.get_by_text("Nenhuma conversa ainda")).to_be_hidden()
    await expect(phone.locator(".bub", has_text="Oi!")).to_be_visible()
    await expect(desk.locator("[data-col=CONVERSA] .bc", has_text="Bruna Azeredo")).to_be_visible(timeout=SOON)
    await expect(desk.locator("#h-CONVERSA b")).to_have_text("1")
    await expect(desk.locator("[data-col=NOVO] .bc")).to_have_count(0)


async def test_a_column_in_use_keeps_its_order_and_newcomers_wait(here: Shop, open_page: OpenPage) -> None:
    desk, phone = await open_page(), await open_page()
    await here.begin(phone, "Ana")
    await here.say(phone, "oi")
    await _desk(here, desk)
    column = desk.locator("[data-col=CONVERSA]")
    await column.locator(".bc", has_text="Ana").hover()

    await phone.get_by_role("button", name="Começar de novo").click()
    await here.begin(phone, "Bia")
    await here.say(phone, "oi")

    news = desk.get_by_role("button", name="1 nova")
    await expect(news).to_be_visible(timeout=6_000)
    await expect(column.locator(".bc")).to_have_count(1)
    await news.click()
    await expect(column.locator(".bc")).to_have_count(2)
    await expect(news).to_be_hidden()


async def test_a_lost_connection_is_said_and_the_desk_comes_back(here: Shop, open_page: OpenPage) -> None:
    desk, phone = await open_page(), await open_page()
    await _desk(here, desk)
    await desk.context.set_offline(True)
    await desk.evaluate("document.getElementById('live').dataset.heard = Date.now() - 25000")
    await expect(desk.get_by_text("Sem atualização ao vivo há")).to_be_visible(timeout=SOON)

    await desk.context.set_offline(False)
    await here.begin(phone, "Ana")
    await here.say(phone, "oi")
    await desk.get_by_role("button", name="Tentar agora").click()

    await expect(desk.locator(".bc", has_text="Ana")).to_be_visible(timeout=SOON)
    await expect(desk.get_by_text("Sem atualização ao vivo há")).to_be_hidden()


async def test_updates_pause_and_go_on_by_key(here: Shop, open_page: OpenPage) -> None:
    desk, phone = await open_page(), await open_page()
    await _desk(here, desk)
    await desk.keyboard.press("p")
    await expect(desk.locator("#ago")).to_have_text("Pausado")

    await here.begin(phone, "Ana")
    await here.say(phone, "oi")
    await expect(phone.locator(".bub", has_text="Oi!")).to_be_visible()
    await expect(desk.locator(".bc")).to_have_count(0)

    await desk.keyboard.press("p")
    await expect(desk.locator(".bc", has_text="Ana")).to_be_visible(timeout=SOON)


async def test_a_person_takes_over_writes_and_gives_back_and_what_is_typed_stays(
    here: Shop, open_page: OpenPage
) -> None:
    desk, phone = await open_page(), await open_page(size=PHONE)
    await here.begin(phone, "Bruna")
    await here.say(phone, "oi")
    await expect(phone.locator(".bub", has_text="Oi!")).to_be_visible()
    await _desk(here, desk)
    await desk.locator(".bc", has_text="Bruna").click()
    await expect(desk.get_by_role("heading", name="Bruna")).to_be_visible()

    await desk.keyboard.press("a")
    await expect(desk.get_by_text("relógio parado")).to_be_visible()
    await desk.keyboard.press("r")
    await desk.keyboard.type("Oi, Bruna, aqui é a ")
    await here.say(phone, "tem alguém aí?")
    await expect(desk.locator("#msgs .bub", has_text="tem alguém aí?")).to_be_visible(timeout=SOON)
    await expect(desk.locator("#words")).to_have_value("Oi, Bruna, aqui é a ")
    await desk.keyboard.type("Lívia")
    await desk.keyboard.press("Control+Enter")
    await expect(desk.locator("#words-problem")).to_contain_text("foi de CONVERSA para FIM")
    await expect(desk.locator("#words")).to_have_value("Oi, Bruna, aqui é a Lívia")
    await desk.keyboard.press("Control+Enter")

    await expect(phone.locator(".bub", has_text="Oi, Bruna, aqui é a Lívia")).to_be_visible()
    await expect(desk.locator("#words")).to_have_value("")
    await desk.get_by_role("button", name="Devolver ao robô").click()
    await expect(desk.get_by_text("o robô responde", exact=True)).to_be_visible()


async def test_why_opens_beside_the_talk_without_losing_what_is_typed(here: Shop, open_page: OpenPage) -> None:
    desk, phone = await open_page(), await open_page(size=PHONE)
    await here.begin(phone, "Bruna")
    await here.say(phone, "oi")
    await _desk(here, desk)
    await desk.locator(".bc", has_text="Bruna").click()
    await desk.locator("#words").fill("meio")

    await desk.locator(".bub.bot .why").first.click()

    await expect(desk.locator(".bub.bot.foc")).to_be_visible()
    await expect(desk.get_by_text("Estava em NOVO, foi para CONVERSA")).to_be_visible()
    assert "msg=out-" in desk.url
    await desk.reload()
    await expect(desk.get_by_text("Estava em NOVO, foi para CONVERSA")).to_be_visible()
    await expect(desk.locator("#words")).to_have_value("meio")


async def test_the_pages_fit_their_screens_and_pass_an_audit(here: Shop, open_page: OpenPage) -> None:
    phone = await open_page(size=PHONE)
    await here.begin(phone, "Bruna")
    await here.say(phone, "oi")
    await expect(phone.locator(".bub", has_text="Oi!")).to_be_visible()
    number = await here.site.runtime.store.read(lambda tx: tx.value("SELECT id FROM conversation"))
    places = (
        "/live", "/live?view=list", f"/conversations/{number}", f"/conversations/{number}?tab=timeline",
        f"/conversations/{number}?tab=sends", f"/conversations/{number}?tab=data", f"/phone/{here.token}",
    )  # fmt: skip
    for size in (DESKTOP, PHONE):
        for dark in (False, True):
            page = await open_page(size=size, dark=dark)
            await here.sign_in(page, Role.SUPERVISOR)
            for place in places:
                await page.goto(here.site.url + place)
                wide = await page.evaluate("document.documentElement.scrollWidth - innerWidth")
                assert wide <= 0, (place, size)
                found = await Axe().run(page, options={"runOnly": TAGS})
                told = [(v["id"], [n["html"][:120] for n in v["nodes"]][:3]) for v in found.response["violations"]]
                assert told == [], (place, size, dark)


async def test_without_scripts_the_desk_and_the_conversation_work(here: Shop, browser: Browser) -> None:
    context = await browser.new_context(java_script_enabled=False, locale="pt-BR", base_url=here.site.url)
    page = await context.new_page()
    await here.begin(page, "Bruna")
    await here.say(page, "oi")
    await here.answered()
    await here.sign_in(page)
    await page.goto("/live")
    await page.locator(".bc-a", has_text="Bruna").click()

    await page.get_by_role("textbox", name="Mensagem").fill("aqui é a Lívia")
    await page.get_by_role("button", name="Enviar").click()
    await expect(page.locator(".bub.hum")).to_contain_text("aqui é a Lívia")
    await expect(page.get_by_text("relógio parado")).to_be_visible()
    await page.get_by_role("button", name="Devolver ao robô").click()
    await expect(page.get_by_text("o robô responde", exact=True)).to_be_visible()
    await context.close()
