"""The browser of the tests: found, driven, of the promised sizes, and loud about script errors."""

import os

import pytest
from playwright.async_api import Page

from tests.browser import chromium
from tests.browser.conftest import DESKTOP, PHONE


async def test_pages_have_the_two_sizes_of_the_design(page: Page, phone_page: Page) -> None:
    assert await page.evaluate("[innerWidth, innerHeight]") == list(DESKTOP)
    assert await phone_page.evaluate("[innerWidth, innerHeight]") == list(PHONE)


async def test_a_dark_page_is_dark(dark_page: Page) -> None:
    assert await dark_page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches") is True


async def test_a_page_is_light_unless_asked(page: Page) -> None:
    assert await page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches") is False


def test_a_named_chromium_that_is_not_there_is_not_replaced_by_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHROMIUM", "/nowhere/chromium")

    assert chromium.find() is None


def test_a_named_chromium_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHROMIUM", "/bin/sh")

    assert chromium.find() == "/bin/sh"
    assert os.access("/bin/sh", os.X_OK)
