"""An installation for the browser tests of the desk: the application, the worker beside it, a phone and a team."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from playwright.async_api import Page

from engine.core.permissions import Actor, Role
from engine.runtime import SystemClock, SystemIds
from engine.services import accounts, channels, publish, sign_in
from engine.worker import run_worker
from tests.browser.serving import Site, serving
from tests.runtimes import a_runtime
from tests.services.small_flow import small

PASSWORD = "um trem azul no morro"
ACTOR = Actor("teste")


@dataclass
class Shop:
    """A running installation with a flow and a built-in phone."""

    site: Site
    token: str

    @property
    def phone(self) -> str:
        """The address of the built-in phone."""
        return f"{self.site.url}/phone/{self.token}"

    async def sign_in(self, page: Page, role: str = Role.SUPERVISOR) -> None:
        """Make the page's browser somebody of that role."""
        runtime, email = self.site.runtime, f"{role}@trilho.test"
        if all(account.email != email for account in await accounts.everybody(runtime)):
            link = await accounts.invite(runtime, email, role, ACTOR, name=role.title())
            await accounts.use_link(runtime, link, PASSWORD)
        token = await sign_in.sign_in(runtime, email, PASSWORD, "127.0.0.1")
        await page.context.add_cookies([{"name": "trilho", "value": token, "url": self.site.url}])

    async def begin(self, page: Page, name: str) -> None:
        """Open the phone as a customer."""
        await page.goto(self.phone)
        await page.get_by_label("Seu nome como cliente").fill(name)
        await page.get_by_role("button", name="Começar a conversa").click()

    async def say(self, page: Page, words: str) -> None:
        """Write on an open phone."""
        await page.get_by_role("textbox", name="Mensagem").fill(words)
        await page.get_by_role("button", name="Enviar").click()

    async def answered(self) -> None:
        """Wait until the bot has answered, whoever looks."""
        runtime = self.site.runtime
        async with asyncio.timeout(10):
            while not await runtime.store.read(lambda tx: tx.value("SELECT 1 FROM outbox WHERE status = 'sent'")):
                await runtime.clock.sleep(50)


@asynccontextmanager
async def shop(url: str, tree: dict[str, Any] | None = None, **parts: object) -> AsyncIterator[Shop]:
    """Everything runs, on real time, with short waits, for the small flow or the one of `tree`; `parts` are those of
    the runtime.
    """
    runtime = a_runtime(url, **{"clock": SystemClock(), "ids": SystemIds(), **parts})
    tree = {**(tree or small()), "debounce": {"quiet": "1s", "ceiling": "2s"}}
    await publish.publish_tree(runtime, tree, "primeira", ACTOR)
    phone = await channels.add(runtime, "phone", "Telefone de teste", ACTOR, flow=tree["slug"])
    stop = asyncio.Event()
    worker = asyncio.create_task(run_worker(runtime, stop))
    async with serving(runtime) as site:
        yield Shop(site, phone.token)
    stop.set()
    await worker
    await runtime.close()
