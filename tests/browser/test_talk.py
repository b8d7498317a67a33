"""A conversation in a real browser: keys, two people, a double click, what changed meanwhile, a notice, a phone's screen."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest_asyncio
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Browser, Page, expect

from engine.core.permissions import Role
from engine.services import canned
from engine.store import journal, marks
from engine.store.connection import Tx
from engine.store.journal import About, Record
from tests.browser import looks
from tests.browser.conftest import DESKTOP, PHONE, OpenPage
from tests.browser.desk import ACTOR, Shop, shop
from tests.browser.test_live import TAGS

NOTICES = """
window.notices = [];
window.Notification = class { constructor(title, more) { window.notices.push([title, more.body]); } };
window.Notification.permission = "granted";
window.Notification.requestPermission = async () => "granted";
"""
"""A browser that keeps what it would show: no test can read what an operating system shows."""


@dataclass
class Talks(Shop):
    """A shop in which customers are talking."""

    async def person(self, browser: Browser, name: str) -> int:
        """Somebody new says hello; their conversation."""
        page = await browser.new_page(locale="pt-BR")
        await self.begin(page, name)
        await self.say(page, "oi")
        await expect(page.locator(".bub.lead")).to_have_count(1)
        await page.context.close()
        found = await self.site.runtime.store.read(lambda tx: tx.value("SELECT MAX(id) FROM conversation"))
        return int(found)

    async def look(self, page: Page, number: int, query: str = "", role: str = Role.SUPERVISOR) -> None:
        await self.sign_in(page, role)
        await page.goto(f"{self.site.url}/conversations/{number}{query}")

    async def value(self, sql: str, number: int) -> object:
        return await self.site.runtime.store.read(lambda tx: tx.value(sql, id=number))


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def here(shared_sqlite_url: str) -> AsyncIterator[Talks]:
    async with shop(shared_sqlite_url) as made:
        await canned.change(made.site.runtime, 0, "preco", "Oi, {{contact.first_name}}! Sai por R$ 297.", ACTOR)
        await canned.change(made.site.runtime, 0, "prazo", "Chega em 2 horas.", ACTOR)
        yield Talks(made.site, made.token)


async def test_everything_has_its_key_and_a_note_and_a_message_are_kept_apart(
    here: Talks, open_page: OpenPage, browser: Browser
) -> None:
    page, number = await open_page(), await here.person(browser, "Bruna Azeredo")
    await here.look(page, number)
    await page.keyboard.press("r")
    await page.keyboard.type("meio escrito")
    await page.keyboard.press("Escape")
    await page.keyboard.press("Shift+R")
    await expect(page.locator("#note")).to_be_focused()
    await page.keyboard.type("já é cliente")
    await page.keyboard.press("Control+Enter")
    await expect(page.locator("#msgs .bub.team")).to_contain_text("já é cliente")
    await expect(page.locator("#note")).to_have_value("")
    await page.get_by_role("link", name="Mensagem", exact=True).click()
    await expect(page.locator("#words")).to_have_value("meio escrito")

    await page.locator("#words").fill("")
    await page.keyboard.press("/")
    await expect(page.locator("#find-reply")).to_be_focused()
    await page.keyboard.type("pre")
    await page.keyboard.press("Enter")
    await expect(page.locator("#words")).to_have_value("Oi, Bruna! Sai por R$ 297.")
    await expect(page.locator("#words")).to_be_focused()
    await page.keyboard.press("Escape")
    await page.keyboard.press("w")
    await expect(page.locator("#tab-why")).to_have_attribute("aria-current", "true")
    await page.keyboard.press("a")
    await expect(page.get_by_text("relógio parado")).to_be_visible()
    await page.keyboard.press("b")
    await expect(page.get_by_text("o robô responde", exact=True)).to_be_visible()
    assert await here.value("SELECT COUNT(*) FROM outbox WHERE conversation_id = :id AND author <> ''", number) == 0


async def test_a_double_click_is_one_message_and_what_happened_meanwhile_is_told(
    here: Talks, open_page: OpenPage, browser: Browser
) -> None:
    page, number = await open_page(), await here.person(browser, "Otto Lemos")
    await here.answered()
    await expect_state(here, number, "CONVERSA")
    await here.look(page, number)
    await page.locator("#words").fill("aqui é a Lívia")
    await page.get_by_role("button", name="Enviar").dblclick()
    await expect(page.locator("#msgs .bub.hum")).to_have_count(1)
    assert await here.value("SELECT COUNT(*) FROM outbox WHERE conversation_id = :id AND author <> ''", number) == 1

    await put(here, number, "NOVO")
    await expect(page.locator("#cv-head")).to_contain_text("NOVO", timeout=6_000)
    await page.locator("#words").fill("vi isso antes de escrever")
    await page.get_by_role("button", name="Enviar").click()
    await expect(page.locator("#msgs .bub.hum")).to_have_count(2)

    await page.locator("#words").fill("quer o link?")
    await put(here, number, "FIM")
    await page.get_by_role("button", name="Enviar").click()
    await expect(page.locator("#words-problem")).to_contain_text("foi de NOVO para FIM")
    await expect(page.locator("#words")).to_have_value("quer o link?")
    await page.get_by_role("button", name="Enviar").click()
    await expect(page.locator("#msgs .bub.hum")).to_have_count(3)


async def put(here: Talks, number: int, state: str) -> None:
    """Something moves the conversation."""
    change = "UPDATE conversation SET state = :state, version = version + 1 WHERE id = :id"
    await here.site.runtime.store.write("x", lambda tx: tx.run(change, state=state, id=number))


async def expect_writing(here: Talks, number: int) -> None:
    seen = f"SELECT COUNT(*) FROM presence WHERE flow = 'conversation:{number}' AND sel = 'writing' AND user_id <> :id"
    async with asyncio.timeout(20):  # it is told at once, or with the look that comes every ten seconds
        while not await here.value(seen, 0):
            await here.site.runtime.clock.sleep(50)


async def expect_state(here: Talks, number: int, state: str) -> None:
    async with asyncio.timeout(10):
        while await here.value("SELECT state FROM conversation WHERE id = :id", number) != state:
            await here.site.runtime.clock.sleep(50)


async def test_two_people_see_each_other_and_a_form_that_is_half_filled_in_stays(
    here: Talks, open_page: OpenPage, browser: Browser
) -> None:
    ana, beto, number = await open_page(), await open_page(), await here.person(browser, "Vera Lins")
    await expect_state(here, number, "CONVERSA")
    await here.look(ana, number)
    await ana.locator("#words").fill("oi")
    await expect_writing(here, number)
    await here.look(beto, number, "?tab=hand", Role.ADMIN)
    await expect(beto.get_by_text("Supervisor está escrevendo aqui")).to_be_visible()

    await beto.get_by_label("Por quê", exact=True).fill("pediu por telefone")
    await ana.keyboard.press("Escape")
    await ana.keyboard.press("a")
    await expect(beto.locator("#cv-head")).to_contain_text("supervisor responde até", timeout=5_000)
    await expect(beto.get_by_label("Por quê", exact=True)).to_have_value("pediu por telefone")
    await beto.get_by_label("Para onde").select_option("FIM")
    await beto.get_by_role("button", name="Mover").click()
    await expect(beto.locator("#cv-head")).to_contain_text("FIM")
    await expect(beto.locator("#msgs")).to_contain_text("moveu à mão: pediu por telefone")


async def test_a_notice_of_this_browser_says_a_first_name_at_most_and_only_when_asked_to(
    here: Talks, open_page: OpenPage, browser: Browser
) -> None:
    page, number = await open_page(), await here.person(browser, "Tereza Nunes")
    other = await here.person(browser, "Rafael Tavares")
    await page.add_init_script(NOTICES + "document.hasFocus = () => false;")
    await here.look(page, number)
    button = page.get_by_role("button", name="Avisar neste navegador")
    await button.click()
    await expect(page.get_by_role("button", name="Avisos neste navegador ligados")).to_have_attribute(
        "aria-pressed", "true"
    )
    await here.site.runtime.store.write(
        "x",
        lambda tx: tx.run("UPDATE conversation SET attention = 'asked_for_person' WHERE id = :id", id=other),
    )
    await page.evaluate(
        f"htmx.ajax('GET', '/live/needing?current={number}', {{target: '#needing', swap: 'outerHTML'}})"
    )
    assert await noticed(here, page) == [["Precisam de você", "Rafael precisa de alguém"]]

    await page.goto(f"{here.site.url}/live")
    await expect(page.locator("#ago")).to_have_text("Ao vivo")
    await here.site.runtime.store.write("x", lambda tx: flag(tx, number, here.site.runtime.clock.now()))
    assert await noticed(here, page) == [["Precisam de você", "Tereza precisa de alguém"]]


async def test_on_a_phone_nothing_covers_the_composer_and_all_pages_fit_and_pass_an_audit(
    here: Talks, open_page: OpenPage, browser: Browser
) -> None:
    number = await here.person(browser, "Marta Saraiva de Albuquerque Cavalcanti")
    talk = f"/conversations/{number}"
    places = (
        talk, f"{talk}?mode=note", f"{talk}?mode=file", f"{talk}?tab=hand", f"{talk}?tab=why&msg=now",
        f"{talk}?tab=timeline&depth=trace", f"{talk}?tab=timeline&depth=audit", "/settings/replies",
    )  # fmt: skip
    for size, dark in ((PHONE, False), (DESKTOP, True)):
        page = await open_page(size=size, dark=dark)
        await here.sign_in(page, Role.SUPERVISOR)
        for place in places:
            await page.goto(here.site.url + place)
            assert await page.evaluate("document.scrollingElement.scrollWidth - innerWidth") <= 0, place
            assert await looks.outside(page) == [], place
            assert await looks.faint(page) == [], place
            if size == PHONE and place != "/settings/replies":
                assert await looks.small(page, 44) == [], place
            if size == PHONE and "tab=" not in place and place != "/settings/replies":
                assert await page.evaluate(COVERED) == [], place
            if (size == PHONE) == ("tab=" in place):
                found = await Axe().run(page, options={"runOnly": TAGS})
                told = [(v["id"], [n["html"][:120] for n in v["nodes"]][:3]) for v in found.response["violations"]]
                assert told == [], (place, size)


async def noticed(here: Talks, page: Page) -> object:
    """What the browser showed, once it shows something."""
    async with asyncio.timeout(15):
        while not (shown := await page.evaluate("window.notices")):
            await here.site.runtime.clock.sleep(100)
    return shown


def flag(tx: Tx, number: int, now: int) -> None:
    """The flow asks for a person."""
    marks.flag(tx, number, "asked_for_person")
    journal.record(tx, now, About(conversation_id=number), Record(outcome="alert", reason="notify"))


COVERED = """() => [...document.querySelectorAll("#compose :is(textarea, .btn, input:not([type=hidden]))")]
  .filter((one) => one.checkVisibility()).filter((one) => {
    const box = one.getBoundingClientRect();
    const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return box.bottom > innerHeight || !(one.contains(top) || top?.closest("label, .btn, .row") === one.closest("label, .btn, .row"));
  }).map((one) => one.outerHTML.slice(0, 80))"""
"""Fields and buttons of the composer that something lies over, or that are below the screen."""
