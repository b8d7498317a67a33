"""The real application on a real database, with people of every role signed in."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest
import pytest_asyncio
from litestar import Litestar
from litestar.datastructures import State

from engine.core.permissions import Actor, Role
from engine.runtime import Runtime
from engine.services import accounts, publish, sign_in
from engine.settings import Settings
from tests.runtimes import a_runtime
from tests.services.small_flow import small
from tests.web.leads import Leads, phone_for
from web.app import create_app

PASSWORD = "um trem azul no morro"
ADDRESS = "http://trilho.test"
ACTOR = Actor("teste")


@dataclass
class Person:
    """Somebody with a browser: a client that keeps cookies, and the token that their pages carry."""

    client: httpx.AsyncClient
    csrf: str = ""
    session: str = ""
    headers: dict[str, str] = field(default_factory=dict)

    async def get(self, path: str, **more: object) -> httpx.Response:
        return await self.client.get(path, **more)

    async def post(self, path: str, data: dict[str, object] | None = None, **more: object) -> httpx.Response:
        """A form as the page would send it."""
        return await self.client.post(path, data={"_csrf": self.csrf, **(data or {})}, **more)

    async def patch(self, path: str, data: dict[str, object]) -> httpx.Response:
        """A field as htmx would send it."""
        headers = {"hx-request": "true", "x-csrf-token": self.csrf}
        return await self.client.patch(path, data=data, headers=headers)


@pytest_asyncio.fixture
async def runtime(sqlite_url: str) -> AsyncIterator[Runtime]:
    made = a_runtime(sqlite_url)
    yield made
    await made.close()


@asynccontextmanager
async def living(app: Litestar) -> AsyncIterator[Litestar]:
    """The application started, in a task of its own: what its start opens must be closed by the same task."""
    started, stop = asyncio.Event(), asyncio.Event()

    async def live() -> None:
        async with app.lifespan():
            started.set()
            await stop.wait()

    life = asyncio.create_task(live())
    await started.wait()
    yield app
    stop.set()
    await life


@pytest.fixture(scope="session")
def shared_app() -> Litestar:
    """The application without a runtime. Its routes take longer to register than most tests run, so once is enough."""
    return create_app(settings=Settings(data_dir=Path("unused"), database_url="sqlite://", redis_url="redis://unused"))


@pytest.fixture
def app(shared_app: Litestar, runtime: Runtime) -> Litestar:
    """The application on this test's runtime, with nothing that another test left in its state."""
    shared_app.state = State({"runtime": runtime})
    return shared_app


@pytest_asyncio.fixture
async def secure_app(sqlite_url: str) -> AsyncIterator[Litestar]:
    """The same behind TLS."""
    settings = Settings(
        data_dir=Path("unused"), database_url=sqlite_url, redis_url="redis://unused", base_url="https://trilho.test"
    )
    runtime = a_runtime(sqlite_url, settings=settings)
    async with living(create_app(runtime=runtime)) as made:
        yield made
    await runtime.close()


Browser = Callable[..., httpx.AsyncClient]


@pytest_asyncio.fixture
async def browser_of() -> AsyncIterator[Browser]:
    """Makes clients for an application; each has its own cookies."""
    clients = []

    def made(app: Litestar, base_url: str = ADDRESS) -> httpx.AsyncClient:
        client = httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url=base_url)
        clients.append(client)
        return client

    yield made
    for client in clients:
        await client.aclose()


@pytest.fixture
def stranger(app: Litestar, browser_of: Browser) -> Person:
    return Person(browser_of(app))


SignedIn = Callable[..., Awaitable[Person]]


@pytest.fixture
def signed_in(app: Litestar, runtime: Runtime, browser_of: Browser) -> SignedIn:
    """Signs somebody of a role in, making their account."""

    async def enter(role: str = Role.ADMIN, email: str = "") -> Person:
        address = email or f"{role}@trilho.test"
        link = await accounts.invite(runtime, address, role, ACTOR, name=role.title())
        await accounts.use_link(runtime, link, PASSWORD)
        token = await sign_in.sign_in(runtime, address, PASSWORD, "127.0.0.1")
        there = await sign_in.session(runtime, token)
        assert there is not None
        client = browser_of(app)
        client.cookies.set("trilho", token, domain="trilho.test")
        return Person(client, csrf=there.csrf, session=token)

    return enter


@pytest_asyncio.fixture
async def flow(runtime: Runtime) -> str:
    """A small flow, published as version 1, its draft the same."""
    await publish.publish_tree(runtime, small(), "primeira", ACTOR)
    return "pequeno"


@pytest_asyncio.fixture
async def editor(signed_in: SignedIn, flow: str) -> Person:
    """Somebody who may edit and publish, in front of the small flow."""
    return await signed_in(Role.PUBLISHER)


@pytest_asyncio.fixture
async def supervisor(signed_in: SignedIn) -> Person:
    """Somebody who answers customers."""
    return await signed_in(Role.SUPERVISOR)


@pytest_asyncio.fixture
async def leads(runtime: Runtime, flow: str) -> Leads:
    """Customers who write to the small flow through the built-in phone."""
    return await phone_for(runtime, flow)


@pytest_asyncio.fixture
async def talk(leads: Leads) -> int:
    """A conversation that one of them began."""
    return await leads.greet()
