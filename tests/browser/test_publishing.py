"""A publication in a real browser: keys, choices for people, a replay that goes on, with and without scripts."""

from collections.abc import AsyncIterator

import pytest_asyncio
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Browser, Page, expect

from engine.core.canonical import canonical
from engine.core.permissions import Role
from tests.browser import looks
from tests.browser.conftest import DESKTOP, PHONE, OpenPage
from tests.browser.desk import Shop, shop
from tests.browser.test_live import TAGS
from tests.services.small_flow import without_talk
from tests.services.standing import row, stand

PATH = "/flows/pequeno/publish"


@pytest_asyncio.fixture(loop_scope="session")
async def here(sqlite_url: str) -> AsyncIterator[Shop]:
    """With somebody in a state that the draft lacks, and the draft at odds with what is live."""
    async with shop(sqlite_url) as made:
        runtime = made.site.runtime
        text = canonical(without_talk())
        await runtime.store.write("k", lambda tx: tx.run("UPDATE flow SET draft = :t, revision = 2", t=text))
        made.person = await stand(runtime, "CONVERSA", wait=10_000_000)  # type: ignore[attr-defined]  # for this file
        yield made


async def _enter(here: Shop, page: Page, path: str = PATH) -> None:
    await here.sign_in(page, Role.ADMIN)
    await page.goto(here.site.url + path)


async def test_the_audit_finds_nothing_and_nothing_sticks_out_or_is_too_small(here: Shop, open_page: OpenPage) -> None:
    for size, dark in ((DESKTOP, False), (PHONE, True)):
        page = await open_page(size=size, dark=dark)
        await _enter(here, page)
        await page.get_by_role("button", name="Repetir a semana passada").click()
        await expect(page.locator(".pub-counts")).to_be_visible()
        address = await page.locator("#replay form").get_attribute("action")
        for place in (PATH, "/flows/pequeno/versions"):
            if place != PATH:
                await page.goto(here.site.url + place)
            wide = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            assert wide == 0, (place, size)
            found = await Axe().run(page, options={"runOnly": TAGS})
            told = [(v["id"], [n["html"][:120] for n in v["nodes"]][:3]) for v in found.response["violations"]]
            assert told == [], (place, size, dark)
            assert await looks.faint(page) == [], (place, size, dark)
            if size == PHONE:
                assert await looks.small(page) == [], place
        assert address == f"{PATH}/replay"


async def test_keys_go_change_by_change_and_show_each_in_the_drawing(here: Shop, open_page: OpenPage) -> None:
    page = await open_page()
    await _enter(here, page)

    await page.keyboard.press("]")
    await expect(page.locator(".difft a:focus")).to_have_text("CONVERSA")
    await expect(page.locator(".fluxo a.on")).to_have_attribute("id", "d-s-CONVERSA")
    await page.keyboard.press("]")
    await expect(page.locator(".fluxo a.on")).to_have_attribute("id", "d-t-t1")
    await page.keyboard.press("[")
    await page.keyboard.press("[")
    await expect(page.locator(".difft a:focus")).to_have_text("t4")
    await page.get_by_label("O que mudou, em uma frase").fill("[ e ] aqui são letras")
    await expect(page.get_by_label("O que mudou, em uma frase")).to_have_value("[ e ] aqui são letras")


async def test_ctrl_enter_publishes_what_was_chosen(here: Shop, open_page: OpenPage) -> None:
    page = await open_page()
    await _enter(here, page)
    await page.get_by_label("O que mudou, em uma frase").fill("sem conversa")
    await page.keyboard.press("Control+Enter")
    await expect(page.locator("#problem")).to_contain_text("Diga para onde vão as pessoas de CONVERSA")

    await page.get_by_label("Para onde vão?").select_option("NOVO")
    await page.get_by_label("O que mudou, em uma frase").press("Control+Enter")

    await expect(page).to_have_url(here.site.url + "/flows/pequeno/versions/2")
    found = await row(here.site.runtime, here.person)  # type: ignore[attr-defined]  # set above
    assert found["state"] == "NOVO"


async def test_without_scripts_people_are_placed_it_is_published_and_taken_back(here: Shop, browser: Browser) -> None:
    context = await browser.new_context(java_script_enabled=False, locale="pt-BR", base_url=here.site.url)
    page = await context.new_page()
    await here.sign_in(page, Role.ADMIN)
    await page.goto(PATH)
    await page.get_by_role("button", name="Repetir a semana passada").click()
    await expect(page.get_by_role("heading", name="Semana passada no rascunho")).to_be_visible()
    await page.goto(PATH)
    await page.get_by_label("Para onde vão?").select_option("NOVO")
    await page.get_by_label("O que mudou, em uma frase").fill("sem conversa")
    await page.get_by_role("button", name="Publicar v2 agora").click()
    await page.goto("/flows/pequeno/versions")
    await page.get_by_role("link", name="Voltar para v1").click()
    await page.get_by_label("O que mudou, em uma frase").fill("volta")
    await page.get_by_role("button", name="Voltar para a v1 agora").click()

    await expect(page).to_have_url(here.site.url + "/flows/pequeno/versions/3")
    found = await row(here.site.runtime, here.person)  # type: ignore[attr-defined]  # set above
    assert found["state"] == "CONVERSA"
    await context.close()
