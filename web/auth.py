"""The door: who is it, may they, and did our own page ask. One guard for every route; the session's cookie."""

from typing import Any, cast

from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie
from litestar.exceptions import NotAuthorizedException, PermissionDeniedException
from litestar.handlers import BaseRouteHandler
from litestar.plugins.htmx import HTMXRequest

from engine.core.permissions import may
from engine.services.sign_in import ABSOLUTE, SignedIn, csrf_holds
from engine.services.sign_in import session as signed_in
from web import csrf, forms
from web.permissions import KEYED, Door, declared
from web.visitor import AppRequest, welcome


class SignInFirst(NotAuthorizedException):
    """Nobody is signed in. `wanted` is the page to return to afterwards, "" when there is none to return to."""

    def __init__(self, wanted: str) -> None:
        self.wanted = wanted
        super().__init__(detail="sign in first")


class NotOurPage(PermissionDeniedException):
    """A change that no page of ours asked for (SEC-S13)."""

    def __init__(self, why: str) -> None:
        super().__init__(detail=why)


async def door(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """Let through whom the route's permission allows. A route without one lets nobody through."""
    request = cast("HTMXRequest", connection)
    asked = declared(handler.opt)
    if asked is Door.MACHINE:
        return  # the handler itself asks for a secret; a cookie must not be able to replace it
    if handler.opt.get(KEYED) and request.query_params.get("key"):
        welcome(request)  # whoever they are: the key in the address says what they see, and the handler reads it
        return
    there, session = await _who(request)
    welcome(request, there, session)
    if asked is None:
        raise PermissionDeniedException
    if asked is not Door.PUBLIC:
        if there is None:
            raise SignInFirst(_wanted(request))
        if not isinstance(asked, Door) and not may(there.account.role, asked):
            raise PermissionDeniedException
    if request.method not in csrf.SAFE_METHODS:
        await _asked_by_us(request, there)


async def _who(request: AppRequest) -> tuple[SignedIn | None, str | None]:
    session = request.cookies.get(cookie_name(https=is_https(request)))
    if not session:
        return None, None
    there = await signed_in(request.app.state.runtime, session)
    return (there, session) if there is not None else (None, None)


async def _asked_by_us(request: AppRequest, there: SignedIn | None) -> None:
    headers = request.headers
    if not csrf.same_site(
        fetch_site=headers.get("sec-fetch-site"), origin=headers.get("origin"), host=headers.get("host")
    ):
        raise NotOurPage("the request came from another site")
    if there is None:
        return  # nobody is signed in: there is no session to abuse
    token = headers.get(csrf.HEADER) or (await forms.read(request)).get(csrf.FIELD)
    if not isinstance(token, str) or not csrf_holds(there, token):
        await forms.drop(request)
        raise NotOurPage("the form belongs to another session: open the page again")


def _wanted(request: AppRequest) -> str:
    if request.method != "GET":
        return ""
    query = request.url.query
    return f"{request.url.path}?{query}" if query else request.url.path


def is_https(request: AppRequest) -> bool:
    """Whether people reach us over TLS: by the configured address, which also holds behind a proxy."""
    base = request.app.state.runtime.settings.base_url
    return bool(base and base.startswith("https://"))


def cookie_name(*, https: bool) -> str:
    """Over TLS the name that browsers tie to this very host."""
    return "__Host-trilho" if https else "trilho"


def session_cookie(request: AppRequest, session: str) -> Cookie:
    """The cookie of a new session; an empty one ends it."""
    https = is_https(request)
    return Cookie(
        key=cookie_name(https=https),
        value=session,
        max_age=ABSOLUTE // 1000 if session else 0,
        path="/",
        secure=https,
        httponly=True,
        samesite="lax",
    )
