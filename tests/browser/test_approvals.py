"""What waits for approval in a real browser: in a hand, by keys, without scripts, and nothing for an audit to find."""

import asyncio
import json
from collections.abc import AsyncIterator

import pytest_asyncio
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Browser, Page, expect

from engine.services import receive
from engine.store import approvals
from tests.browser.conftest import DESKTOP, PHONE, OpenPage
from tests.browser.desk import Shop, shop
from tests.browser.test_live import TAGS
from tests.services.discount import discount

PEOPLE = (
    ("Otto Lemos", "tem desconto no boleto?"),
    ("Marta Saraiva", "consegue um desconto?"),
    ("Bruna Azeredo", "tem desconto à vista?"),
)


async def asks(here: Shop, number: int, name: str, words: str) -> None:
    """Somebody asks for a discount, and the request is there, the only one or one more."""
    runtime = here.site.runtime
    before = await runtime.store.read(approvals.count)
    body = {"id": f"m{number}", "contact": f"551190000000{number}", "text": words, "at": runtime.clock.now()}
    await receive.webhook(runtime, here.token, {}, json.dumps(body | {"name": name}).encode())
    async with asyncio.timeout(10):
        while await runtime.store.read(approvals.count) == before:
            await runtime.clock.sleep(50)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def here(shared_sqlite_url: str) -> AsyncIterator[Shop]:
    """Three people have asked for a discount."""
    async with shop(shared_sqlite_url, discount()) as made:
        for number, (name, words) in enumerate(PEOPLE, start=1):
            await asks(made, number, name, words)
        yield made


async def told(page: Page) -> list[tuple[str, list[str]]]:
    """What the audit finds, and whether anything sticks out."""
    wide = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    found = await Axe().run(page, options={"runOnly": TAGS})
    there = [(v["id"], [n["html"][:120] for n in v["nodes"]][:3]) for v in found.response["violations"]]
    return there if wide == 0 else [*there, ("sticks out", [str(wide)])]


async def test_the_audit_finds_nothing_in_the_queue_and_in_the_conversation(here: Shop, open_page: OpenPage) -> None:
    for size, dark, place in ((PHONE, True, "/approvals"), (DESKTOP, False, "/conversations/1")):
        page = await open_page(size=size, dark=dark)
        await here.sign_in(page)
        await page.goto(f"{here.site.url}{place}")
        await expect(page.locator(".apr").first).to_be_visible()
        assert await told(page) == [], (place, size)


async def test_in_a_hand_one_after_the_other_is_decided(here: Shop, open_page: OpenPage) -> None:
    """At 390 px: every target is 44 px, news come by themselves, and what somebody types is never taken away."""
    page = await open_page(size=PHONE)
    await here.sign_in(page)
    await page.goto(f"{here.site.url}/approvals")
    cards = page.locator("article.apr")
    await expect(cards).to_have_count(3)
    small = await page.eval_on_selector_all(
        ".apr .apr-acts > form button, .apr-acts summary, .mtab a",
        "all => all.filter(one => one.getBoundingClientRect().height < 44).map(one => one.outerHTML)",
    )
    assert small == []
    await cards.first.get_by_role("button", name="Aprovar e enviar").click()
    await expect(cards).to_have_count(2)
    await expect(page.get_by_text("Aprovada: a mensagem sai.")).to_be_visible()

    await cards.first.locator("summary", has_text="Editar antes").click()
    field = cards.first.get_by_label("Texto da mensagem")
    await expect(field).to_be_focused()
    await field.fill("Fecho por R$ 250 😀")
    await asks(here, 4, "Zoe", "e o desconto?")
    await page.wait_for_timeout(4_500)
    await expect(field).to_have_value("Fecho por R$ 250 😀")
    await cards.first.get_by_role("button", name="Enviar com estas palavras").click()
    await expect(cards).to_have_count(2)
    await expect(page.get_by_role("link", name="Zoe")).to_be_visible()


async def test_by_keys_and_without_scripts(here: Shop, open_page: OpenPage, browser: Browser) -> None:
    page = await open_page(size=DESKTOP)
    await here.sign_in(page)
    await page.goto(f"{here.site.url}/approvals")
    cards = page.locator("article.apr")
    count = await cards.count()
    await page.keyboard.press("j")
    await expect(cards.first).to_be_focused()
    await page.keyboard.press("n")
    await expect(cards.first.get_by_label("Por que não?")).to_be_focused()
    await page.keyboard.type("sem margem")
    await page.keyboard.press("Enter")
    await expect(cards).to_have_count(count - 1)

    context = await browser.new_context(java_script_enabled=False, locale="pt-BR", base_url=here.site.url)
    plain = await context.new_page()
    await here.sign_in(plain)
    await plain.goto("/approvals")
    await plain.locator("article.apr").first.get_by_role("button", name="Aprovar e enviar").click()
    await expect(plain.locator("article.apr")).to_have_count(count - 2)
    await context.close()
