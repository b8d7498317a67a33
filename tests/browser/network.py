"""A network that keeps people waiting."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from playwright.async_api import Page, Route


@asynccontextmanager
async def late(page: Page, path: str) -> AsyncIterator[None]:
    """The first request to a path leaves only after the block."""
    go, waits = asyncio.Event(), True

    async def held(route: Route) -> None:
        nonlocal waits
        first, waits = waits, False
        if first:
            await go.wait()
        await route.continue_()

    await page.route(path, held)
    yield
    go.set()
