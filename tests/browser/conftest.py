"""One Chromium for all browser tests of a process, and pages in it that refuse to hide errors.

Playwright's async interface only: its other one cannot run inside asynchronous tests.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, ConsoleMessage, Page, async_playwright

from tests.browser import chromium

FLAGS = [
    "--no-sandbox",  # its own sandbox does not start as root, and the pages are ours
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
DESKTOP = (1440, 900)
PHONE = (390, 844)

OpenPage = Callable[..., Awaitable[Page]]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything in this folder is marked, so that `-m "not browser"` leaves it out. Nothing else ever does."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    program = chromium.find()
    if program is None:
        pytest.fail(chromium.MISSING, pytrace=False)
    async with async_playwright() as playwright:
        started = await playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield started
        await started.close()


@pytest_asyncio.fixture(loop_scope="session")
async def open_page(browser: Browser) -> AsyncIterator[OpenPage]:
    """Opens pages, each in a profile of its own: `await open_page(size=PHONE, dark=True, locale="en")`.

    At the end of the test a script error or a blocked script or style on any of them fails it.
    """
    contexts = []
    problems: list[str] = []

    def heard(message: ConsoleMessage) -> None:
        if message.type == "error" and "Content Security Policy" in message.text:
            problems.append(message.text)

    async def opened(
        *, size: tuple[int, int] = DESKTOP, dark: bool = False, locale: str = "pt-BR", base_url: str | None = None
    ) -> Page:
        context = await browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce",
            locale=locale,
            timezone_id="America/Sao_Paulo",
            base_url=base_url,
        )
        context.set_default_timeout(10_000)
        contexts.append(context)
        page = await context.new_page()
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", heard)
        return page

    yield opened
    for context in contexts:
        await context.close()
    assert problems == []


@pytest_asyncio.fixture(loop_scope="session")
async def page(open_page: OpenPage) -> Page:
    return await open_page()


@pytest_asyncio.fixture(loop_scope="session")
async def phone_page(open_page: OpenPage) -> Page:
    return await open_page(size=PHONE)


@pytest_asyncio.fixture(loop_scope="session")
async def dark_page(open_page: OpenPage) -> Page:
    return await open_page(dark=True)
