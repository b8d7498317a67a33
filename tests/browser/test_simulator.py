"""The simulator in a browser: its looks at a desk and in a hand, its keys, and its fragments."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Page, expect

from engine import samples
from engine.core.permissions import Actor, Role
from engine.services import edit, saved_tests
from engine.services.simulator import runs
from engine.services.simulator.steps import Step
from tests.browser import looks
from tests.browser.conftest import DESKTOP, PHONE, OpenPage
from tests.browser.desk import ACTOR, Shop, shop

MAKER = Actor("admin@trilho.test")
SIMULATOR = "/flows/venda/simulator"
STEPS = (
    Step(kind="message", text="oi"),
    Step(kind="message", text="quanto custa?"),
    Step(kind="again"),
    Step(kind="payment", event="pix_gerado", amount=19_700),
    Step(kind="read", late=True),
    Step(kind="deadline"),
    Step(kind="crash"),
)
LAYOUTS = pytest.mark.parametrize(
    ("size", "dark"), [(DESKTOP, False), (DESKTOP, True), (PHONE, False), (PHONE, True)], ids=str
)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def here(shared_sqlite_url: str) -> AsyncIterator[Shop]:
    """A shop with a run of everything, and a saved test that differs by now."""
    async with shop(shared_sqlite_url, samples.tree("venda")) as made:
        runtime = made.site.runtime
        run = await runs.opened(runtime, "venda", await runs.start(runtime, "venda", MAKER), MAKER)
        for step in STEPS:
            run = await runs.act(runtime, run, step)
        await saved_tests.add(runtime, run, await runs.played(run), "pergunta o preço", MAKER)
        change = {"op": "set_state", "id": "AGUARDANDO_PIX", "field": "deadline", "value": "45m"}
        await edit.edit(runtime, "venda", change, actor=ACTOR)
        yield made


async def _at(here: Shop, page: Page, path: str) -> None:
    await here.sign_in(page, Role.ADMIN)
    await page.goto(here.site.url + path)


async def _begun(here: Shop, page: Page) -> None:
    await _at(here, page, SIMULATOR)
    await page.get_by_role("button", name="Simular o rascunho").click()


@LAYOUTS
async def test_its_pages_can_be_read_and_touched(
    here: Shop, open_page: OpenPage, size: tuple[int, int], dark: bool
) -> None:
    page = await open_page(size=size, dark=dark)
    for path in (f"{SIMULATOR}/1", f"{SIMULATOR}/1?at=3", f"{SIMULATOR}?test=all", "/flows/venda/publish"):
        await _at(here, page, path)
        assert await page.evaluate("document.scrollingElement.scrollWidth - innerWidth") <= 0, path
        assert await looks.faint(page) == [], path
        assert await looks.outside(page) == [], path
        if size == PHONE:
            assert await looks.small(page) == [], path


async def test_a_talk_by_keyboard_alone(here: Shop, page: Page) -> None:
    await _begun(here, page)
    words = page.get_by_role("textbox", name="Escreva como se fosse o cliente")

    await words.fill("quanto custa?")
    await words.press("Enter")
    await expect(page.locator(".bub.bot")).to_have_count(1)
    await expect(words).to_have_value("")
    await words.press("2")
    await expect(words).to_have_value("2")
    await words.fill("")
    await words.press("Escape")
    before = await page.locator("#sim-time").inner_text()
    await page.keyboard.press("n")
    await expect(page.locator("#sim-time")).not_to_have_text(before)
    await expect(page.locator(".sim-step")).to_have_count(2)
    await page.keyboard.press("Backspace")
    await expect(page.locator("#sim-time")).to_have_text(before)
    await page.keyboard.press("2")
    await expect(page.locator(".sim-step").first).to_contain_text("Passaram 2 h")


async def test_where_it_stands_is_in_sight_and_the_way_is_marked(here: Shop, page: Page) -> None:
    await _begun(here, page)
    await page.get_by_role("button", name="quanto custa").click()

    await expect(page.locator("#sim-canvas .node.cur")).to_be_in_viewport()
    await expect(page.locator("#sim-canvas .edge.way").first).to_be_attached()


async def test_what_is_refused_says_why_and_the_page_stays(here: Shop, page: Page) -> None:
    await _begun(here, page)

    await page.get_by_role("button", name="Repetir a última entrega").click()

    await expect(page.get_by_role("alert")).to_contain_text("Ainda não chegou nada")


async def test_a_run_is_kept_as_a_test(here: Shop, page: Page) -> None:
    await _begun(here, page)
    await page.get_by_role("button", name="quanto custa").click()
    await expect(page.locator(".bub.bot")).to_have_count(1)
    await page.get_by_text("Salvar como teste").click()
    await page.get_by_label("O que este teste mostra").fill("uma oferta")
    await page.get_by_role("button", name="Salvar o teste").click()

    await expect(page.get_by_text("Salvo como o teste “uma oferta”")).to_be_visible()
