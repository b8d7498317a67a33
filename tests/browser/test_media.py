"""Customers' files in a real browser: seen, heard, downloaded, and playing on while the page changes (SEC-S20)."""

import io
import json
import struct
import wave
import zlib
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Page, expect

from engine.adapters.http_client import Http
from engine.core.permissions import Actor
from engine.services import channels, receive, transcription
from tests.browser.conftest import DESKTOP, PHONE, OpenPage
from tests.browser.desk import Shop, shop
from tests.fakes.evolution import FakeEvolution, File
from tests.fakes.transcription import FakeTranscription

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
ANA = "5541900000001"


def sound(seconds: int = 20) -> bytes:
    """Silence that every browser can play."""
    packed = io.BytesIO()
    with wave.open(packed, "wb") as made:
        made.setnchannels(1)
        made.setsampwidth(2)
        made.setframerate(8_000)
        made.writeframes(bytes(16_000 * seconds))
    return packed.getvalue()


def picture(width: int = 640, height: int = 420) -> bytes:
    """A PNG of one colour."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\x00" + b"\x3a\x7d\xc0" * width) * height
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


class Sender:
    """A customer with a gateway."""

    def __init__(self, here: Shop, gateway: FakeEvolution, service: FakeTranscription) -> None:
        self.here, self.gateway, self.service = here, gateway, service

    async def sends(self, ident: str, message: dict[str, object], file: File | None = None) -> None:
        if file is not None:
            self.gateway.files[ident] = file
        runtime = self.here.site.runtime
        key = {"remoteJid": f"{ANA}@s.whatsapp.net", "fromMe": False, "id": ident}
        data = {"key": key, "message": message, "pushName": "Ana", "messageTimestamp": runtime.clock.now() // 1000}
        raw = json.dumps(self.gateway.webhook("messages.upsert", data)).encode()
        assert (await receive.webhook(runtime, "voz", {}, raw)).status == 200

    async def sends_everything(self) -> None:
        heard = sound()
        self.service.words[heard] = "quanto custa o combo?"
        await self.sends("A1", {"audioMessage": {"mimetype": "audio/wav"}}, File(heard, "audio/wav"))
        await self.sends(
            "P1", {"imageMessage": {"mimetype": "image/png", "caption": "olha isso"}}, File(picture(), "image/png")
        )
        await self.sends(
            "D1", {"documentMessage": {"fileName": "../../comprovante.pdf"}}, File(b"%PDF-1.7 x", "application/pdf")
        )
        await self.sends("X1", {"imageMessage": {"mimetype": "image/jpeg"}}, File(b"<svg onload='x()'/>", "image/jpeg"))

    async def talk(self, page: Page) -> None:
        """Open the conversation as somebody of the team."""
        await self.here.sign_in(page)
        await page.goto(f"{self.here.site.url}/conversations/1")


@pytest_asyncio.fixture(loop_scope="session")
async def sender(sqlite_url: str) -> AsyncIterator[Sender]:
    async with FakeEvolution() as gateway, FakeTranscription() as service, shop(sqlite_url, http=Http()) as here:
        values = {"instance": gateway.instance, "api_key": gateway.api_key, "base_url": gateway.base_url}
        runtime, actor = here.site.runtime, Actor("teste")
        await channels.add(runtime, "evolution", "voz", actor, token="voz", flow="pequeno", values=values)
        await transcription.set_service(runtime, actor, {"base_url": service.url, "key": service.key})
        yield Sender(here, gateway, service)


async def test_what_a_customer_sends_is_seen_heard_and_read(sender: Sender, page: Page) -> None:
    await sender.sends_everything()
    await sender.talk(page)

    await expect(page.get_by_label("Áudio do cliente")).to_be_visible()
    await expect(page.locator(".bub-heard")).to_contain_text("quanto custa o combo?")
    image = page.get_by_role("img", name="Imagem do cliente: imagem")
    await expect(image).to_be_visible()
    assert await image.evaluate("i => i.complete && i.naturalWidth") == 640
    await expect(page.locator("#in-2")).to_contain_text("olha isso")
    await expect(page.get_by_text("Sem arquivo: não é o que diz ser")).to_be_visible()
    async with page.expect_download() as downloading:
        await page.get_by_role("link", name="comprovante.pdf").click()
    assert (await downloading.value).suggested_filename == "comprovante.pdf"


async def test_an_audio_plays_on_while_the_page_changes(sender: Sender, page: Page) -> None:
    await sender.sends_everything()
    await sender.talk(page)
    await expect(page.locator(".bub-heard")).to_be_visible()
    audio = page.get_by_label("Áudio do cliente")
    await audio.evaluate("a => { a.muted = true; a.currentTime = 5; return a.play(); }")

    await sender.sends("T1", {"conversation": "e aí?"})

    await expect(page.locator(".bub", has_text="e aí?")).to_be_visible(timeout=6_000)
    assert await audio.evaluate("a => !a.paused && a.currentTime > 5")


@pytest.mark.parametrize(("size", "dark"), [(DESKTOP, False), (DESKTOP, True), (PHONE, False), (PHONE, True)])
async def test_files_fit_the_screen_and_can_be_used_by_everybody(
    sender: Sender, open_page: OpenPage, size: tuple[int, int], dark: bool
) -> None:
    page = await open_page(size=size, dark=dark)
    await sender.sends_everything()
    await sender.talk(page)
    await expect(page.locator(".bub-heard")).to_be_visible()
    await expect(page.get_by_role("img", name="Imagem do cliente")).to_be_visible()

    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    found = await Axe().run(page, options={"runOnly": TAGS})
    assert [violation["id"] for violation in found.response["violations"]] == []
