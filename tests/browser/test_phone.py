"""The built-in phone in a real browser: on a desk and in a hand, with buttons, with an empty message, twice clicked."""

import re
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import expect

from tests.browser.conftest import DESKTOP, PHONE, OpenPage
from tests.browser.desk import Shop, shop


@pytest_asyncio.fixture(loop_scope="session")
async def here(sqlite_url: str) -> AsyncIterator[Shop]:
    async with shop(sqlite_url) as made:
        yield made


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
async def test_a_customer_talks_on_every_screen(here: Shop, open_page: OpenPage, size: tuple[int, int]) -> None:
    page = await open_page(size=size)
    await here.begin(page, "Bruna")
    await expect(page.get_by_text("Telefone de teste: nada daqui vai para o WhatsApp.")).to_be_visible()

    await here.say(page, "oi")
    await expect(page.locator(".bub.me", has_text="oi")).to_be_visible()
    await expect(page.get_by_role("textbox", name="Mensagem")).to_have_value("")
    await expect(page.locator(".bub.lead", has_text="Oi!")).to_be_visible()

    await page.get_by_role("button", name="Começar de novo").click()
    await expect(page.get_by_role("button", name="Começar a conversa")).to_be_visible()


async def test_what_is_being_typed_survives_the_answer_that_arrives(here: Shop, open_page: OpenPage) -> None:
    page = await open_page(size=PHONE)
    await here.begin(page, "Bruna")
    await here.say(page, "oi")
    field = page.get_by_role("textbox", name="Mensagem")
    await expect(field).to_have_value("")
    await field.fill("quanto fi")

    await expect(page.locator(".bub.lead", has_text="Oi!")).to_be_visible()

    await expect(field).to_have_value("quanto fi")


async def test_enter_sends_and_shift_enter_begins_a_line(here: Shop, open_page: OpenPage) -> None:
    page = await open_page(size=DESKTOP)
    await here.begin(page, "Bruna")
    field = page.get_by_role("textbox", name="Mensagem")
    await field.fill("oi")
    await field.press("Shift+Enter")
    await field.press_sequentially("tem vaga?")

    await field.press("Enter")

    await expect(page.locator(".bub.me")).to_have_text(re.compile(r"oi\s+tem vaga\?"))
    await expect(field).to_have_value("")


async def test_an_empty_message_is_refused_in_place(here: Shop, open_page: OpenPage) -> None:
    page = await open_page(size=PHONE)
    await here.begin(page, "Bruna")

    await page.get_by_role("button", name="Enviar").click()

    await expect(page.get_by_text("Escreva algo antes de enviar.")).to_be_visible()
    await here.say(page, "oi")
    await expect(page.locator(".bub.me", has_text="oi")).to_be_visible()
    await expect(page.get_by_text("Escreva algo antes de enviar.")).to_be_hidden()
