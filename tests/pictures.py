"""The pictures of the README, `docs/pictures/*.png`, taken of the application itself: `python -m tests.pictures`.

They show the sample `venda`: the editor with a state chosen, and the simulator after a greeting, an audio and a payment.
"""

import asyncio
import tempfile
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

from playwright.async_api import Browser, Page, async_playwright

from engine.core.permissions import Actor, Role
from engine.samples import tree
from engine.services import accounts, publish, sign_in
from engine.store import migrations
from tests.browser import chromium
from tests.browser.conftest import DESKTOP, FLAGS
from tests.browser.serving import Site, serving
from tests.runtimes import a_runtime

__all__ = ["PICTURES", "take"]

FOLDER = Path(__file__).parent.parent / "docs/pictures"
PASSWORD, EMAIL = "um trem azul no morro", "marina@trilho.test"


async def _editor(page: Page) -> None:
    await page.goto("/flows/venda/draft?sel=s:NEGOCIANDO")
    await page.locator("#canvas-svg svg").wait_for()


async def _simulator(page: Page) -> None:
    await page.goto("/flows/venda/simulator")
    await page.get_by_role("button", name="Simular o rascunho").click()
    await page.locator("#sim-text").fill("oi, vi o anúncio do combo")
    await page.keyboard.press("Enter")
    await page.get_by_text("O cliente escreveu").wait_for()
    await page.locator(".sim-file summary").click()
    await page.locator("#sim-words").fill("quanto custa?")
    await page.get_by_role("button", name="Mandar áudio").click()
    await page.get_by_text("O cliente mandou").wait_for()
    await page.get_by_role("button", name="Pix gerado").click()
    await page.get_by_text("Aviso de pagamento").first.wait_for()


PICTURES: Mapping[str, Callable[[Page], Awaitable[None]]] = {"editor.png": _editor, "simulator.png": _simulator}
"""What is done on a page before it is taken, by the name of the file."""


async def take(browser: Browser, site: Site, folder: Path) -> None:
    """Take all of them, 1440 × 900 pixels, as somebody who may publish sees them."""
    runtime, boss = site.runtime, Actor("teste")
    await publish.publish_tree(runtime, tree("venda"), "primeira", boss)
    link = await accounts.invite(runtime, EMAIL, Role.PUBLISHER, boss, name="Marina Prado")
    await accounts.use_link(runtime, link, PASSWORD)
    token = await sign_in.sign_in(runtime, EMAIL, PASSWORD, "127.0.0.1")
    context = await browser.new_context(
        viewport={"width": DESKTOP[0], "height": DESKTOP[1]}, reduced_motion="reduce", locale="pt-BR",
        timezone_id="America/Sao_Paulo", base_url=site.url,
    )  # fmt: skip
    await context.add_cookies([{"name": "trilho", "value": token, "url": site.url}])
    for name, act in PICTURES.items():
        page = await context.new_page()
        await act(page)
        await page.evaluate("document.fonts.ready")
        await page.screenshot(path=folder / name)
        await page.close()
    await context.close()


async def main() -> None:
    with tempfile.TemporaryDirectory() as data:
        url = f"sqlite:///{data}/trilho.db"
        migrations.upgrade(url)
        runtime = a_runtime(url)
        async with serving(runtime) as site, async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=chromium.find(), args=FLAGS)
            await take(browser, site, FOLDER)
            await browser.close()
        await runtime.close()


if __name__ == "__main__":
    asyncio.run(main())
