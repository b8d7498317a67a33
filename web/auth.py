"""The door: who is it, may they, and did our own page ask. One guard for every route; the session's cookie."""

from typing import Any, cast

from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie
from litestar.exceptions import (
    MethodNotAllowedException,
    NotAuthorizedException,
    NotFoundException,
    PermissionDeniedException,
)
from litestar.handlers import BaseRouteHandler
from litestar.plugins.htmx import HTMXRequest

from engine.core.permissions import Permission, may
from engine.services.sign_in import ABSOLUTE, OWED_FOR, SignedIn, csrf_holds
from engine.services.sign_in import session as signed_in
from web import csrf, forms, kept_form, prove
from web.permissions import BEFORE_FACTOR, KEYED, Door, declared
from web.visitor import AppRequest, welcome

STEP = "_step"
LARGEST = (1 << 63) - 1
"""No id is larger: the databases would not even read the question."""


class SignInFirst(NotAuthorizedException):
    """Nobody is signed in. `wanted` is the page to return to afterwards, "" when there is none to return to; `kept` the
    sealed form that was sent, "" when there was none.
    """

    def __init__(self, wanted: str, kept: str = "") -> None:
        self.wanted, self.kept = wanted, kept
        super().__init__(detail="sign in first")


class NotForRole(PermissionDeniedException):
    """The person's role does not include it."""

    def __init__(self, asked: Permission) -> None:
        self.asked = asked
        super().__init__(detail=f"the permission {asked} is needed")


class FactorFirst(PermissionDeniedException):
    """A second factor is required of this person, who has none yet."""

    def __init__(self) -> None:
        super().__init__(detail="set up the second factor first")


class NotOurPage(PermissionDeniedException):
    """A change that no page of ours asked for (SEC-S13)."""

    def __init__(self, why: str) -> None:
        super().__init__(detail=why)


async def door(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """Let through whom the route's permission allows. A route without one lets nobody through."""
    request = cast("HTMXRequest", connection)
    asked = declared(handler.opt)
    if connection.scope.get("method") == "OPTIONS":
        raise MethodNotAllowedException  # the framework would tell what each address takes; nobody of ours asks
    if asked is Door.MACHINE:
        return  # the handler itself asks for a secret; a cookie must not be able to replace it
    if handler.opt.get(KEYED) and request.query_params.get("key"):
        welcome(request)  # whoever they are: the key in the address says what they see, and the handler reads it
        return
    there, session = await _who(request)
    welcome(request, there, session)
    if asked is None:
        raise PermissionDeniedException
    changes = request.method not in csrf.SAFE_METHODS
    if asked is not Door.PUBLIC:
        if there is None:
            kept = await kept_form.sealed(request, handler.opt, _cookie(request)) if changes else ""
            raise SignInFirst(_wanted(request), kept)
        if not isinstance(asked, Door) and not may(there.account.role, asked):
            raise NotForRole(asked)
        if there.must_enrol and not handler.opt.get(BEFORE_FACTOR):
            raise FactorFirst
    if any(isinstance(value, int) and value > LARGEST for value in connection.path_params.values()):
        raise NotFoundException
    if changes:
        await _asked_by_us(request, there)
        if there is not None:
            await prove.required(request, there, handler.opt)
            await kept_form.sent(request)


async def _who(request: AppRequest) -> tuple[SignedIn | None, str | None]:
    session = _cookie(request)
    if not session:
        return None, None
    there = await signed_in(request.app.state.runtime, session)
    return (there, session) if there is not None else (None, None)


def _cookie(request: AppRequest) -> str | None:
    return request.cookies.get(cookie_name(https=is_https(request)))


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


def cookie_name(*, https: bool, what: str = "") -> str:
    """Over TLS the name that browsers tie to this very host."""
    return f"{'__Host-trilho' if https else 'trilho'}{what}"


def session_cookie(request: AppRequest, session: str) -> Cookie:
    """The cookie of a new session; an empty one ends it."""
    return _secret_cookie(request, "", session, ABSOLUTE // 1000)


def step_cookie(request: AppRequest, token: str) -> Cookie:
    """The cookie of a password that waits for its code; an empty one ends it."""
    return _secret_cookie(request, STEP, token, OWED_FOR // 1000)


def owed(request: AppRequest) -> str:
    """What this browser has of a sign-in that waits for its code."""
    return request.cookies.get(cookie_name(https=is_https(request), what=STEP)) or ""


def _secret_cookie(request: AppRequest, what: str, value: str, seconds: int) -> Cookie:
    https = is_https(request)
    return Cookie(
        key=cookie_name(https=https, what=what),
        value=value,
        max_age=seconds if value else 0,
        path="/",
        secure=https,
        httponly=True,
        samesite="lax",
    )
