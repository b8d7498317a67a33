"""The web application: what is mounted, which guards and hooks surround it, and the runtime it lives on."""

import os
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from litestar import Litestar, Router
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.plugins.htmx import HTMXRequest

from engine.runtime import Runtime, open_runtime
from engine.settings import Settings, from_environment
from web.auth import door
from web.errors import HANDLERS
from web.headers import securing
from web.noise import keeping
from web.patience import patient
from web.permissions import OPT, Door, require_declarations
from web.proxies import behind
from web.route_table import ROUTES

__all__ = ["create_app"]

FORM_LIMIT = 256 * 1024
API_VERSION = "1"


def create_app(runtime: Runtime | None = None, settings: Settings | None = None) -> Litestar:
    """The application. Given a runtime it uses that and leaves it open; else it opens one and closes it at the end."""
    chosen = runtime.settings if runtime is not None else settings or from_environment(os.environ)
    app = Litestar(
        route_handlers=list(ROUTES),
        request_class=HTMXRequest,
        guards=[door],
        middleware=[behind(chosen.trusted_proxies), keeping, patient],
        exception_handlers=HANDLERS,
        before_send=[securing(https=(chosen.base_url or "").startswith("https://"))],
        lifespan=[_living(runtime, chosen)],
        request_max_body_size=FORM_LIMIT,
        openapi_config=_described(),
        logging_config=None,  # the process decides how to log; the framework does not
    )
    require_declarations(app)
    return app


def _living(runtime: Runtime | None, settings: Settings) -> Callable[[Litestar], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def living(app: Litestar) -> AsyncIterator[None]:
        app.state.runtime = runtime if runtime is not None else await open_runtime(settings)
        try:
            yield
        finally:
            if runtime is None:
                await app.state.runtime.close()

    return living


def _described() -> OpenAPIConfig:
    """The description of what machines may call; pages are not part of it."""
    return OpenAPIConfig(
        title="Trilho",
        version=API_VERSION,
        path="/schema",
        openapi_router=Router(path="/schema", route_handlers=[], opt={OPT: Door.PUBLIC}),
        render_plugins=[JsonRenderPlugin(path=["/", "/openapi.json"])],
    )
