"""A runtime on each database, closed after the test."""

import pytest_asyncio

from tests.runtimes import a_runtime


@pytest_asyncio.fixture
async def runtime(database_url):
    made = a_runtime(database_url)
    yield made
    await made.close()
