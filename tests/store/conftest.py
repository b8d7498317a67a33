"""A store on each database, closed after the test."""

import pytest_asyncio

from engine.store.lanes import Store


@pytest_asyncio.fixture
async def store(database_url):
    opened = Store(database_url, lanes=2)
    yield opened
    await opened.close()
