"""The ten tasks of somebody who looks after a flow, one after the other: at a desk, in a hand, in both themes, and with the
keyboard alone.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import pytest_asyncio
from playwright.async_api import Locator, Page, expect

from engine import samples
from engine.core.flow import HOUR
from engine.core.permissions import Role
from engine.services import edit, publish, saved_tests
from tests.browser import looks
from tests.browser.conftest import DESKTOP, PHONE, OpenPage
from tests.browser.desk import Shop, shop

FLOW = "/flows/venda"
DRAFT = f"{FLOW}/draft"
NOTE = "prazo maior e uma dúvida a mais"
LAYOUTS = pytest.mark.parametrize(("size", "dark"), [(DESKTOP, False), (PHONE, True)], ids=str)
"""Both sizes and both themes; that every page reads well in all four is asked page by page elsewhere."""


@pytest_asyncio.fixture(loop_scope="session")
async def here(sqlite_url: str) -> AsyncIterator[Shop]:
    async with shop(sqlite_url, samples.tree("venda")) as made:
        yield made


async def _drafted(here: Shop) -> edit.Opened:
    return await edit.opened(here.site.runtime, "venda")


async def _reads_well(page: Page, size: tuple[int, int]) -> None:
    assert await page.evaluate("document.scrollingElement.scrollWidth - innerWidth") <= 0, page.url
    assert await looks.faint(page) == [], page.url
    if size == PHONE:
        assert await looks.small(page) == [], page.url


@asynccontextmanager
async def _saving(page: Page) -> AsyncIterator[None]:
    async with page.expect_response(lambda answer: answer.request.method in ("PATCH", "POST")) as answered:
        yield
    answer = await answered.value
    # A key pressed just before the scripts have the new button sends its form the plain way: 303, and the page anew.
    assert answer.ok or answer.status == 303, answer.status
    await page.wait_for_load_state()
    await expect(page.locator("#save-state")).to_contain_text("Salvo")


@LAYOUTS
async def test_the_ten_tasks(here: Shop, open_page: OpenPage, size: tuple[int, int], dark: bool) -> None:
    page = await open_page(size=size, dark=dark, base_url=here.site.url)
    await here.sign_in(page, Role.ADMIN)

    # 1 · find a state
    await page.goto(DRAFT)
    await page.locator("[data-search]:visible").first.click()
    await page.get_by_role("searchbox", name="Buscar neste fluxo").fill("negociando")
    await page.locator("#search-r a", has_text="NEGOCIANDO").first.click()
    await expect(page.locator("#panel-title")).to_have_text("NEGOCIANDO")
    await _reads_well(page, size)

    # 2 · change its deadline
    deadline = page.locator("#panel").get_by_label("Prazo de silêncio")
    async with _saving(page):
        await deadline.fill("5 h")
        await deadline.blur()
    assert (await _drafted(here)).flow.states["NEGOCIANDO"].deadline == (5 * HOUR,)

    # 3 · change a message
    arrow = next(t for t in (await _drafted(here)).flow.arrows.values() if t.do and t.frm == "ENGAJADO")
    await page.goto(f"{DRAFT}?sel=t:{arrow.id}")
    words = page.locator("#panel textarea[name=value]").first
    async with _saving(page):
        await words.fill("Oi, tudo bem por aí?")
        await words.blur()
    action = (await _drafted(here)).flow.actions[arrow.do[0]]
    assert action.text is not None and action.text.within("pt-BR") == "Oi, tudo bem por aí?"  # type: ignore[union-attr]
    await _reads_well(page, size)

    # 4 · take it back, and make it again
    await page.locator("#undo-button").click()
    await expect(page.locator("#redo-button")).to_be_enabled()
    undone = (await _drafted(here)).flow.actions[arrow.do[0]]
    assert undone != action
    await page.locator("#redo-button").click()
    await expect(page.locator("#redo-button")).to_be_disabled()
    assert (await _drafted(here)).flow.actions[arrow.do[0]] == action

    # 5 · a state and an arrow to it
    await page.goto(f"{DRAFT}?sel=new:state")
    await page.locator("#panel").get_by_label("Nome").fill("DUVIDA")
    await page.locator("#panel").get_by_label("Prazo de silêncio").fill("1 dia")
    await page.get_by_role("button", name="Criar o estado").click()
    await expect(page.locator("#panel-title")).to_have_text("DUVIDA")
    for event in ("mandou_mensagem", "timeout"):
        await page.goto(f"{DRAFT}?sel=new:transition&from=DUVIDA&to=PERDIDO")
        choice = page.locator("#panel").get_by_label("O evento")
        value = await choice.locator("option").evaluate_all(
            "(all, event) => (all.find((o) => o.value === event) || all.find((o) => o.value)).value", event
        )
        await choice.select_option(value)
        await page.get_by_role("button", name="Criar a transição").click()
        await expect(page.locator("#panel-title")).not_to_have_text("Nova transição")

    # 6 · see what is wrong with it, and take it away
    await page.goto(DRAFT)
    await expect(page.locator("#problems")).to_contain_text("DUVIDA")
    await _reads_well(page, size)
    await page.goto(f"{DRAFT}?sel=s:DUVIDA")
    async with _saving(page):
        await page.locator("#panel").get_by_role("button", name="Excluir").click()
    await expect(page.get_by_role("button", name="Desfazer", exact=True)).to_be_visible()
    assert "DUVIDA" not in (await _drafted(here)).flow.states

    # 7 · rehearse it, and keep the rehearsal
    await page.goto(f"{FLOW}/simulator")
    await page.get_by_role("button", name="Simular o rascunho").click()
    say = page.get_by_role("textbox", name="Escreva como se fosse o cliente")
    await say.fill("oi")
    await say.press("Enter")
    await expect(page.locator(".bub.bot")).to_have_count(1)
    await page.get_by_text("Salvar como teste").click()
    await page.get_by_label("O que este teste mostra").fill("responde a quem diz oi")
    await page.get_by_role("button", name="Salvar o teste").click()
    await expect(page.get_by_text("responde a quem diz oi").first).to_be_visible()
    assert [test.name for test in await saved_tests.listed(here.site.runtime, "venda")] == ["responde a quem diz oi"]

    # 8 · publish it with a sentence
    await page.goto(f"{FLOW}/publish")
    await _reads_well(page, size)
    await page.get_by_label("O que mudou, em uma frase").fill(NOTE)
    await page.get_by_role("button", name="Publicar v2 agora").click()
    await page.wait_for_url("**/versions/2")
    assert (await publish.publications(here.site.runtime, "venda"))[0].note == NOTE

    # 9 · compare, and go back with the people
    await page.goto(f"{FLOW}/compare?from=1&to=2")
    await expect(page.locator("#changes")).to_contain_text("NEGOCIANDO")
    await _reads_well(page, size)
    await page.goto(f"{FLOW}/versions/1/rollback")
    await page.get_by_label("O que mudou, em uma frase").fill("volta ao que era")
    await page.get_by_role("button", name="Voltar para a v1 agora").click()
    await page.wait_for_url("**/versions/3")
    first, *_ = await publish.publications(here.site.runtime, "venda")
    assert (first.number, first.note) == (3, "volta ao que era")

    # 10 · a picture for the slide
    await page.goto(f"{FLOW}/export")
    await _reads_well(page, size)
    async with page.expect_download() as taken:
        await page.get_by_role("link", name="Baixar PNG").click()
    path = await (await taken.value).path()
    assert path.read_bytes().startswith(b"\x89PNG")


async def _tab_to(page: Page, wanted: Locator) -> None:
    """Press Tab until it has the focus."""
    for _ in range(120):
        if await wanted.evaluate("(e) => e === document.activeElement"):
            return
        await page.keyboard.press("Tab")
    raise AssertionError(f"{wanted} cannot be reached")


async def test_the_tasks_by_keyboard_alone(here: Shop, open_page: OpenPage) -> None:
    page = await open_page(base_url=here.site.url)
    await here.sign_in(page, Role.ADMIN)
    panel, keys = page.locator("#panel"), page.keyboard

    # from anywhere to the flow
    await page.goto("/live")
    await keys.press("g")
    await keys.press("f")
    await page.wait_for_url("**/flows")
    await _tab_to(page, page.get_by_role("link", name="Abrir Venda do combo"))
    await keys.press("Enter")
    await page.wait_for_url(f"**{DRAFT}*")

    # find a state, change its deadline, take it back and make it again
    await keys.press("Control+k")
    await keys.type("negociando")
    await keys.press("Enter")  # before the answer is there, as fast hands do
    await expect(page.locator("#panel-title")).to_have_text("NEGOCIANDO")
    deadline = panel.get_by_label("Prazo de silêncio")
    await _tab_to(page, deadline)
    await keys.press("Control+a")
    await keys.type("5 h")
    async with _saving(page):
        await keys.press("Tab")
    await keys.press("Escape")
    for chord, expected in (("Control+z", 2 * HOUR), ("Control+Shift+z", 5 * HOUR)):
        async with _saving(page):
            await keys.press(chord)
        assert (await _drafted(here)).flow.states["NEGOCIANDO"].deadline == (expected,)

    # a state, which is then deleted
    await keys.press("Escape")
    await keys.press("s")
    await expect(page.locator("#panel-title")).to_have_text("Novo estado")
    await _tab_to(page, panel.get_by_label("Nome", exact=True))
    await keys.type("DUVIDA")
    async with _saving(page):
        await keys.press("Enter")
    await expect(page.locator("#panel-title")).to_have_text("DUVIDA")
    await keys.press("F8")
    await expect(page.locator(".prob[aria-current]")).to_have_count(1)
    await page.goto(f"{DRAFT}?sel=s:DUVIDA")
    async with _saving(page):
        await keys.press("Delete")
    assert "DUVIDA" not in (await _drafted(here)).flow.states

    # the three views
    for view in ("table", "rules", "diagram"):
        await keys.press("v")
        await page.wait_for_url(f"**view={view}*")

    # rehearse
    await keys.press("Control+k")
    await keys.type("simular")
    await keys.press("Enter")
    await page.wait_for_url("**/simulator*")
    await _tab_to(page, page.get_by_role("button", name="Simular o rascunho"))
    await keys.press("Enter")
    await _tab_to(page, page.get_by_role("textbox", name="Escreva como se fosse o cliente"))
    await keys.type("oi")
    await keys.press("Enter")
    await expect(page.locator(".bub.bot")).to_have_count(1)

    # publish, and go back
    await page.goto(f"{FLOW}/publish")
    await _tab_to(page, page.get_by_label("O que mudou, em uma frase"))
    await keys.type(NOTE)
    await keys.press("Control+Enter")
    await page.wait_for_url("**/versions/2")
    await page.goto(f"{FLOW}/versions")
    await _tab_to(page, page.get_by_role("link", name="Voltar para v1"))
    await keys.press("Enter")
    await _tab_to(page, page.get_by_label("O que mudou, em uma frase"))
    await keys.type("volta ao que era")
    await keys.press("Control+Enter")
    await page.wait_for_url("**/versions/3")
    assert [v.note for v in await publish.publications(here.site.runtime, "venda")][:2] == ["volta ao que era", NOTE]

    # a picture
    await page.goto(f"{FLOW}/export")
    await _tab_to(page, page.get_by_role("link", name="Baixar PNG"))
    async with page.expect_download() as taken:
        await keys.press("Enter")
    assert (await (await taken.value).path()).read_bytes().startswith(b"\x89PNG")
