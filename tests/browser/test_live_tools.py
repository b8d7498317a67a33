"""What is done on the desk beside watching: cards by keyboard, tags in a dialog, the drawing that counts, a wall, the search."""

from collections.abc import AsyncIterator

import pytest_asyncio
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Browser, Page, expect

from engine.core.permissions import Role
from engine.services import tags, wall_keys
from tests.browser.conftest import DESKTOP, PHONE, OpenPage
from tests.browser.desk import ACTOR, Shop, shop

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
SOON = 4_000


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def here(shared_sqlite_url: str, browser: Browser) -> AsyncIterator[Shop]:
    """Two customers whom the bot has answered."""
    async with shop(shared_sqlite_url) as made:
        page = await browser.new_page(locale="pt-BR")
        await _new_customer(made, page, "Ana Lima")
        await made.answered()
        await _new_customer(made, page, "Bia Souza")
        await page.context.close()
        yield made


async def _new_customer(here: Shop, page: Page, name: str) -> None:
    await page.goto(here.phone)
    again = page.get_by_role("button", name="Começar de novo")
    if await again.count():
        await again.click()
    await here.begin(page, name)
    await here.say(page, "oi, e no boleto?")
    await expect(page.locator(".bub", has_text="Oi!")).to_be_visible()


async def test_cards_are_selected_and_tagged_by_keyboard(here: Shop, open_page: OpenPage) -> None:
    page = await open_page()
    await here.sign_in(page)
    await page.goto(f"{here.site.url}/live")
    await expect(page.locator(".bc")).to_have_count(2)

    await page.keyboard.press("j")
    await page.keyboard.press("x")
    await page.keyboard.press("j")
    await page.keyboard.press("x")
    await expect(page.get_by_text("2 selecionadas")).to_be_visible()
    await page.locator("#picked a").click()
    await page.get_by_label("Nova etiqueta").fill("turma de maio")
    await page.keyboard.press("Enter")

    await expect(page.locator("#tagging .tagp", has_text="turma de maio").first).to_be_visible()
    await expect(page.locator(".bc .tagp", has_text="turma de maio")).to_have_count(2, timeout=SOON)
    await expect(page.locator(".bc.picked")).to_have_count(2)
    found = await Axe().run(page, options={"runOnly": TAGS})
    assert found.response["violations"] == []
    await page.keyboard.press("Escape")
    await page.keyboard.press("Escape")
    await expect(page.locator("#picked")).to_be_hidden()
    await expect(page).to_have_url(f"{here.site.url}/live")


async def test_the_drawing_counts_on_by_itself(here: Shop, open_page: OpenPage) -> None:
    desk, phone = await open_page(), await open_page()
    await here.sign_in(desk)
    await desk.goto(f"{here.site.url}/live?view=diagram")
    box = desk.locator("#s-CONVERSA")
    await expect(box).to_contain_text("2")

    await _new_customer(here, phone, "Caio")

    await expect(box).to_contain_text("3", timeout=2 * SOON)
    await box.get_by_role("link").first.click()
    await expect(desk.locator(".lrow")).to_have_count(3)


async def test_a_wall_counts_without_anybody_signed_in_and_closes_when_its_key_is_revoked(
    here: Shop, open_page: OpenPage
) -> None:
    runtime = here.site.runtime
    wall = await open_page()
    await wall.goto(f"{here.site.url}/live?key={await wall_keys.add(runtime, 'Recepção', 'pequeno', ACTOR)}")
    await expect(wall.locator(".bc", has_text="Ana")).to_be_visible()
    await expect(wall.locator("a[href]:not(.skip), button:visible")).to_have_count(0)

    await runtime.store.write(
        "x", lambda tx: tx.run("UPDATE conversation SET attention = 'asked_for_person' WHERE id = 1")
    )
    await tags.change(runtime, [1], ACTOR, add="vip")
    await expect(wall.locator("#c-1")).to_contain_text("quer pessoa", timeout=SOON)
    await wall_keys.revoke(runtime, (await wall_keys.everything(runtime))[0].digest, ACTOR)
    await wall.evaluate("document.getElementById('live').dispatchEvent(new Event('look'))")

    await expect(wall.get_by_text("Este telão está fechado")).to_be_visible()


async def test_the_pages_fit_their_screens_and_pass_an_audit(here: Shop, open_page: OpenPage) -> None:
    key = await wall_keys.add(here.site.runtime, "Sala", "pequeno", ACTOR)
    await tags.change(here.site.runtime, [1], ACTOR, add="vip")
    places = (
        "/live?tag=vip", "/live?view=diagram", "/live?view=list&q=zebra", "/conversations?q=boleto", "/live/tags?c=1",
        "/settings/walls", f"/live?key={key}",
    )  # fmt: skip
    for size, dark in ((DESKTOP, False), (PHONE, True)):
        page = await open_page(size=size, dark=dark)
        await here.sign_in(page, Role.ADMIN)
        for place in places:
            await page.goto(here.site.url + place)
            wide = await page.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert wide <= 0, (place, size)
            found = await Axe().run(page, options={"runOnly": TAGS})
            told = [(v["id"], [n["html"][:160] for n in v["nodes"]][:3]) for v in found.response["violations"]]
            assert told == [], (place, size, dark)


async def test_without_scripts_people_are_found_tagged_and_a_filter_is_kept(here: Shop, browser: Browser) -> None:
    context = await browser.new_context(java_script_enabled=False, locale="pt-BR", base_url=here.site.url)
    page = await context.new_page()
    await here.sign_in(page)
    await page.goto("/live")
    await page.get_by_role("link", name="Etiquetas de Bia").click()
    await page.get_by_label("Nova etiqueta").fill("sem script")
    await page.get_by_role("button", name="Pôr a etiqueta").click()
    await expect(page.locator(".bc .tagp", has_text="sem script")).to_have_count(1)

    await page.goto("/live?tag=sem+script")
    await expect(page.locator(".bc")).to_have_count(1)
    await page.get_by_text("Salvar este filtro").click()
    await page.get_by_label("Nome do filtro").fill("Sem script")
    await page.get_by_role("button", name="Salvar", exact=True).click()
    await page.goto("/live")
    await page.get_by_role("link", name="Sem script", exact=True).click()
    await expect(page.locator(".bc")).to_have_count(1)
    await page.goto("/conversations")
    await page.get_by_role("searchbox").fill("BOLÉTO")
    await page.get_by_role("button", name="Buscar").click()
    await expect(page.locator("mark", has_text="boleto").first).to_be_visible()
    await context.close()
