"""People of the team in a real browser: text that outlives a session, the password once more, and how the pages look."""

from collections.abc import AsyncIterator

import pytest_asyncio
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Browser, Page, expect

from engine.core.permissions import Role
from engine.services import accounts, tokens
from tests.browser.conftest import PHONE, OpenPage
from tests.browser.desk import ACTOR, PASSWORD, Shop, shop

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
PAGES = (
    "/settings/people",
    "/settings/people/1",
    "/settings/mail",
    "/settings/api",
    "/profile",
    "/profile/second-factor",
)
TEXT = "Oi Ana! 🧵 سلام"


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def here(shared_sqlite_url: str) -> AsyncIterator[Shop]:
    """An installation in which Ana wrote."""
    async with shop(shared_sqlite_url) as running:
        yield running


async def _written(page: Page, here: Shop) -> int:
    """Somebody wrote by the phone; the number of the conversation."""
    runtime = here.site.runtime
    found = await runtime.store.read(lambda tx: tx.value("SELECT max(id) FROM conversation"))
    if found is None:
        await here.begin(page, "Ana")
        await here.say(page, "oi")
        await here.answered()
        found = await runtime.store.read(lambda tx: tx.value("SELECT max(id) FROM conversation"))
    return int(found)


async def _ended(here: Shop) -> None:
    """Every session is over; whose they were is known."""
    await here.site.runtime.store.write("x", lambda tx: tx.run("UPDATE session SET expires_at = 0"))


async def _sent(here: Shop, text: str) -> int:
    like = f"%{text}%"
    return int(
        await here.site.runtime.store.read(
            lambda tx: tx.value("SELECT count(*) FROM outbox WHERE payload LIKE :like", like=like)
        )
    )


async def _sign_in(page: Page, role: str = Role.SUPERVISOR) -> None:
    await page.get_by_label("E-mail").fill(f"{role}@trilho.test")
    await page.get_by_label("Senha").fill(PASSWORD)
    await page.get_by_role("button", name="Entrar").click()


async def test_sec_s10_a_text_outlives_the_session_and_is_sent_once_after_signing_in_beside_the_page(
    page: Page, here: Shop
) -> None:
    number = await _written(page, here)
    await here.sign_in(page)
    await page.goto(f"{here.site.url}/conversations/{number}")
    await page.get_by_label("Mensagem").fill(TEXT)
    await _ended(here)
    await page.get_by_role("button", name="Enviar").click()

    async with page.context.expect_page() as opening:
        await page.get_by_role("link", name="Entrar em outra aba").click()
    await expect(page.get_by_label("Mensagem")).to_have_value(TEXT)
    beside = await opening.value
    await _sign_in(beside)
    await expect(beside.get_by_role("heading", name="Você entrou")).to_be_visible()
    await beside.close()
    await page.bring_to_front()
    await page.evaluate("window.dispatchEvent(new Event('focus'))")
    await expect(page.get_by_text("Você entrou de novo")).to_be_visible()
    await page.get_by_role("button", name="Enviar").click()

    await expect(page.get_by_label("Mensagem")).to_have_value("")
    assert await _sent(here, "Oi Ana!") == 1


async def test_sec_s10_without_scripts_the_text_comes_back_into_the_composer(
    page: Page, browser: Browser, here: Shop
) -> None:
    number = await _written(page, here)
    context = await browser.new_context(java_script_enabled=False, locale="pt-BR")
    plain = await context.new_page()
    await here.sign_in(plain)
    await plain.goto(f"{here.site.url}/conversations/{number}")
    await plain.get_by_label("Mensagem").fill("texto sem script")
    await _ended(here)
    await plain.get_by_role("button", name="Enviar").click()
    await expect(plain.get_by_text("O que você digitou está guardado")).to_be_visible()
    await _sign_in(plain)

    await expect(plain).to_have_url(f"{here.site.url}/conversations/{number}")
    await expect(plain.get_by_label("Mensagem")).to_have_value("texto sem script")
    await plain.get_by_role("button", name="Enviar").click()
    await expect(plain.get_by_label("Mensagem")).to_have_value("")
    assert await _sent(here, "texto sem script") == 1
    await context.close()


async def test_sec_s10_the_password_is_asked_in_the_place_of_the_page_and_what_was_filled_in_goes_on(
    page: Page, here: Shop
) -> None:
    await here.sign_in(page, Role.ADMIN)
    await page.goto(f"{here.site.url}/settings/channels/new?kind=phone")
    await here.site.runtime.store.write("x", lambda tx: tx.run("UPDATE session SET proved_at = 0"))
    await page.get_by_label("Nome", exact=True).fill("Outro telefone")
    await page.get_by_role("button", name="Conectar o número").click()
    await page.get_by_label("Senha").fill(PASSWORD)
    await page.get_by_role("button", name="Continuar").click()

    await expect(page.get_by_role("heading", name="Outro telefone", level=1)).to_be_visible()


async def test_the_pages_of_people_are_read_by_everybody_and_fit_a_telephone(open_page: OpenPage, here: Shop) -> None:
    runtime, page = here.site.runtime, await open_page(size=PHONE, dark=True)
    await here.sign_in(page, Role.ADMIN)
    await tokens.add(runtime, "Loja com um nome que não acaba " * 2, ACTOR, scopes=["read", "events"])
    await accounts.invite(runtime, "um.endereco.de.email.muito.comprido@um-dominio-comprido.test", "marketer", ACTOR)
    for path in PAGES:
        await page.goto(here.site.url + path)
        found = await Axe().run(page, options={"runOnly": {"type": "tag", "values": TAGS}})
        assert found.response["violations"] == [], (path, found.response["violations"])
        assert await page.evaluate("document.documentElement.scrollWidth") <= PHONE[0], path
