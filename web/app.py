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
from web.patience import patient
from web.permissions import OPT, Door, require_declarations
from web.routes import (
    api,
    bodies,
    campaigns,
    channels,
    contacts,
    conversations,
    drafts,
    files,
    flows,
    home,
    live,
    machine,
    matching,
    media,
    pairing,
    payments,
    phone,
    preferences,
    publications,
    rules,
    saved_tests,
    session,
    simulator,
    states,
    templates,
    timing,
    transitions,
    understanding,
    webhooks,
)

__all__ = ["create_app"]

FORM_LIMIT = 256 * 1024
API_VERSION = "1"
ROUTES = (
    home.home,
    home.settings,
    session.login,
    session.picture,
    session.enter,
    session.leave,
    session.invitation,
    session.accept,
    preferences.prefer,
    files.file,
    machine.alive,
    machine.ready,
    machine.metrics,
    webhooks.handshake,
    webhooks.message,
    webhooks.payment,
    api.conversations,
    api.event,
    api.version,
    flows.flows,
    drafts.draft,
    drafts.scenario,
    drafts.proofs,
    drafts.nothing,
    drafts.picture,
    drafts.repair,
    states.blank,
    states.add,
    states.panel,
    states.change,
    states.delete,
    transitions.blank,
    transitions.add,
    transitions.panel,
    transitions.change,
    transitions.change_action,
    transitions.delete,
    rules.blank,
    rules.panel,
    rules.add,
    rules.change,
    rules.delete,
    rules.cell,
    simulator.start,
    simulator.begin,
    simulator.show,
    simulator.message,
    simulator.event,
    simulator.clock,
    simulator.back,
    simulator.reset,
    simulator.save,
    saved_tests.rename,
    saved_tests.delete,
    saved_tests.file,
    publications.review,
    publications.act,
    publications.versions,
    publications.version,
    live.board,
    live.stream,
    live.let_go,
    conversations.conversation,
    conversations.facts,
    conversations.news,
    conversations.pause,
    conversations.take,
    conversations.resume,
    conversations.seen,
    conversations.write,
    conversations.decide,
    conversations.opt_in,
    matching.pairs,
    matching.decide,
    matching.strays,
    matching.tie,
    media.file,
    phone.screen,
    phone.chat,
    phone.say,
    phone.begin,
    channels.listed,
    channels.blank,
    channels.add,
    channels.channel,
    channels.change,
    channels.check,
    channels.farewell,
    channels.remove,
    payments.listed,
    payments.assign,
    payments.blank,
    payments.add,
    payments.source,
    payments.change,
    payments.farewell,
    payments.remove,
    bodies.listed,
    bodies.body,
    bodies.again,
    understanding.listed,
    understanding.tried,
    understanding.change,
    understanding.order,
    understanding.review,
    understanding.undo,
    timing.listed,
    timing.change,
    templates.listed,
    templates.sync,
    templates.blank,
    templates.propose,
    templates.template,
    contacts.start,
    contacts.receive,
    contacts.look,
    contacts.again,
    contacts.take,
    contacts.drop,
    contacts.problems,
    campaigns.listed,
    campaigns.blank,
    campaigns.count,
    campaigns.start,
    campaigns.campaign,
    campaigns.pause,
    campaigns.stop,
    campaigns.resume,
    pairing.pair,
    pairing.pair_state,
    pairing.pair_qr,
    pairing.pair_begin,
)


def create_app(runtime: Runtime | None = None, settings: Settings | None = None) -> Litestar:
    """The application. Given a runtime it uses that and leaves it open; else it opens one and closes it at the end."""
    chosen = runtime.settings if runtime is not None else settings or from_environment(os.environ)
    app = Litestar(
        route_handlers=list(ROUTES),
        request_class=HTMXRequest,
        guards=[door],
        middleware=[patient],
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
