"""Entering and leaving: the sign-in page, the one-time link that sets a password, the way out."""

from litestar import get, post
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect, Response

from engine.core.errors import NotFound, Refused
from engine.services import accounts
from engine.services.sign_in import sign_in, sign_out
from web import forms
from web.auth import session_cookie
from web.door_picture import door_picture
from web.pages import HTML, go, local_path, page
from web.permissions import Door
from web.refusals import sentence
from web.visitor import AppRequest, visitor


@get("/login", permission=Door.PUBLIC, include_in_schema=False)
async def login(request: AppRequest, next: FromQuery[str] = "/") -> Response[str] | Redirect:  # noqa: A002 - the name in the address
    """The form; somebody who is signed in already goes on."""
    if visitor(request).account is not None:
        return go(local_path(next))
    return page(request, "session/login.html", email="", next=local_path(next), problem=None)


@get("/door", permission=Door.PUBLIC, include_in_schema=False)
async def picture(request: AppRequest) -> Response[str]:
    """The picture beside every form at the door, fetched by those who see it: no form waits for it."""
    drawn = await door_picture(request.app.state, visitor(request).language)
    return Response(drawn or "", media_type=HTML)


@post("/login", permission=Door.PUBLIC, include_in_schema=False, status_code=200)
async def enter(request: AppRequest) -> Response[str] | Redirect:
    """A new session with a new secret, whatever cookie came along (SEC-S10)."""
    form = await forms.fields(request)
    email, following = form.get("email", ""), local_path(form.get("next"))
    try:
        session = await _entered(request, email, form.get("password", ""))
    except Refused as refused:
        status = 429 if refused.code == "sign_in_wait" else 422
        return page(request, "session/login.html", status, email=email, next=following, problem=sentence(refused))
    response = go(following)
    response.set_cookie(session_cookie(request, session))
    return response


async def _entered(request: AppRequest, email: str, password: str) -> str:
    runtime, who = request.app.state.runtime, visitor(request)
    agent = request.headers.get("user-agent", "")
    return await sign_in(runtime, email, password, who.address, agent=agent, previous=who.session)


@post("/logout", permission=Door.SIGNED_IN, include_in_schema=False, status_code=303)
async def leave(request: AppRequest) -> Redirect:
    """End the session here and in the database."""
    await sign_out(request.app.state.runtime, visitor(request).session or "")
    response = go("/login")
    response.set_cookie(session_cookie(request, ""))
    return response


@get("/setup/{token:str}", permission=Door.PUBLIC, include_in_schema=False)
async def invitation(request: AppRequest, token: FromPath[str]) -> Response[str]:
    """The page of a one-time link: name and password. Looking does not use the link up."""
    invited = await accounts.invitation(request.app.state.runtime, token)
    if invited is None:
        return page(request, "session/unusable.html", 404)
    return page(request, "session/setup.html", token=token, invited=invited, email="", name="", problem=None)


@post("/setup/{token:str}", permission=Door.PUBLIC, include_in_schema=False, status_code=200)
async def accept(request: AppRequest, token: FromPath[str]) -> Response[str] | Redirect:
    """Set the password, use the link up, sign in."""
    form = await forms.fields(request)
    runtime, who = request.app.state.runtime, visitor(request)
    invited = await accounts.invitation(runtime, token)
    if invited is None:
        return page(request, "session/unusable.html", 404)
    email, name, password = form.get("email", ""), form.get("name", "").strip()[:80], form.get("password", "")
    try:
        account = await accounts.use_link(runtime, token, password, email=email, name=name or None, address=who.address)
    except NotFound:
        return page(request, "session/unusable.html", 404)
    except Refused as refused:
        values = {"token": token, "invited": invited, "email": email, "name": name, "problem": sentence(refused)}
        return page(request, "session/setup.html", 422, **values)
    session = await _entered(request, account.email, password)
    response = go("/")
    response.set_cookie(session_cookie(request, session))
    return response
