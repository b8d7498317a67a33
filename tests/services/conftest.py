"""A runtime on each database, closed after the test, and a shop on it."""

import pytest
import pytest_asyncio

from engine.adapters.http_client import Http
from engine.store.lanes import Store
from tests.emptied import shared
from tests.fakes.evolution import FakeEvolution
from tests.fakes.payments import FakePayments
from tests.fakes.transcription import FakeTranscription
from tests.runtimes import a_runtime
from tests.services.counter import Asking, Counter
from tests.services.gateway_shop import Patient, gateway_shop
from tests.services.shop import VENDA, Provider, opened
from tests.services.voices import Voices


@pytest.fixture(scope="session")
def shared_postgres(postgres_cluster, _postgres_template):
    with shared(postgres_cluster, _postgres_template) as empty:
        yield empty


@pytest.fixture
def emptied_postgres(shared_postgres):
    return shared_postgres()


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request):
    """The same test on both databases, empty and migrated."""
    return request.getfixturevalue("sqlite_url" if request.param == "sqlite" else "emptied_postgres")


@pytest_asyncio.fixture
async def runtime(database_url):
    made = a_runtime(database_url)
    yield made
    await made.close()


@pytest_asyncio.fixture
async def shop(database_url):
    """A shop whose store works in the caller: every step is done when its call returns."""
    runtime = a_runtime(database_url, store=Store(database_url, inline=True), http=Provider(), flows=VENDA)
    yield await opened(runtime)
    await runtime.close()


@pytest_asyncio.fixture
async def busy_shop(database_url):
    """A shop whose store has its real lanes, two of them on PostgreSQL."""
    runtime = a_runtime(database_url, store=Store(database_url, lanes=2), http=Provider(), flows=VENDA)
    yield await opened(runtime)
    await runtime.close()


@pytest_asyncio.fixture
async def counter(database_url):
    """A shop that payment platforms can be asked from."""
    runtime = a_runtime(database_url, store=Store(database_url, inline=True), http=Asking(), flows=VENDA)
    async with FakePayments() as fake:
        yield Counter(await opened(runtime), fake)
        await runtime.close()


@pytest_asyncio.fixture
async def small_shop(sqlite_url):
    """A shop on SQLite alone, for what the database has no part in."""
    runtime = a_runtime(sqlite_url, store=Store(sqlite_url, inline=True), http=Provider(), flows=VENDA)
    yield await opened(runtime)
    await runtime.close()


@pytest_asyncio.fixture
async def gateway(database_url):
    """The small shop on an Evolution gateway."""
    async with Http() as http:
        runtime = a_runtime(database_url, store=Store(database_url, inline=True), http=Patient(http), flows=VENDA)
        async with gateway_shop(runtime) as made:
            yield made
        await runtime.close()


@pytest_asyncio.fixture
async def voices(database_url):
    """A shop that can hear, not opened yet."""
    async with FakeEvolution() as gateway, FakeTranscription() as service:
        runtime = a_runtime(database_url, http=Http())
        yield Voices(runtime, gateway, service)
        await runtime.close()
