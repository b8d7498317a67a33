"""Entering and leaving: the sign-in page, the code after the password, the one-time link, the way out."""

from collections.abc import Mapping

from litestar import get, post
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect, Response

from engine.core.errors import NotFound, Refused
from engine.services import accounts, kept_forms, second_factor
from engine.services.sign_in import Owing, session, sign_in, sign_out
from web import forms, kept_form
from web.auth import owed, session_cookie, step_cookie
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
    return page(request, "session/login.html", email="", next=local_path(next), kept="", problem=None)


@get("/door", permission=Door.PUBLIC, include_in_schema=False)
async def picture(request: AppRequest) -> Response[str]:
    """The picture beside every form at the door, fetched by those who see it: no form waits for it."""
    drawn = await door_picture(request.app.state, visitor(request).language)
    return Response(drawn or "", media_type=HTML)


@post("/login", permission=Door.PUBLIC, include_in_schema=False, status_code=200)
async def enter(request: AppRequest) -> Response[str] | Redirect:
    """A new session with a new secret, whatever cookie came along (SEC-S10); or the question for the code."""
    form = await forms.fields(request)
    email, following = form.get("email", ""), local_path(form.get("next"))
    try:
        found = await _entered(request, email, form.get("password", ""))
    except Refused as refused:
        status, kept = 429 if refused.code == "sign_in_wait" else 422, form.get(kept_form.FIELD, "")
        words = sentence(refused)
        return page(request, "session/login.html", status, email=email, next=following, kept=kept, problem=words)
    return await _after(request, found, following, form)


@post("/login/code", permission=Door.PUBLIC, include_in_schema=False, status_code=200)
async def code(request: AppRequest) -> Response[str] | Redirect:
    """The code after the password; only the browser that gave the password can give it."""
    form, runtime = await forms.fields(request), request.app.state.runtime
    following = local_path(form.get("next"))
    try:
        found = await second_factor.enter(
            runtime, owed(request), form.get("code", ""), previous=visitor(request).session
        )
    except Refused as refused:
        words = sentence(refused)
        if refused.code == "code_late":
            kept = form.get(kept_form.FIELD, "")
            return page(request, "session/login.html", 422, email="", next=following, kept=kept, problem=words)
        return _asked_for_code(request, following, form, 429 if refused.code == "sign_in_wait" else 422, words)
    return await _after(request, found, following, form)


async def _entered(request: AppRequest, email: str, password: str) -> str | Owing:
    runtime, who = request.app.state.runtime, visitor(request)
    agent = request.headers.get("user-agent", "")
    return await sign_in(runtime, email, password, who.address, agent=agent, previous=who.session)


async def _after(
    request: AppRequest, found: str | Owing, following: str, form: Mapping[str, str]
) -> Response[str] | Redirect:
    """On to what was wanted, with the form that could not be sent; or to the code."""
    if isinstance(found, Owing):
        asked = _asked_for_code(request, following, form)
        asked.set_cookie(step_cookie(request, found.token))
        return asked
    runtime, text = request.app.state.runtime, form.get(kept_form.FIELD, "")
    there = await session(runtime, found) if text else None
    kept = kept_forms.opened(runtime, text, there.account.id) if there is not None else None
    if kept is not None:
        await kept_forms.keep(runtime, found, text)
        following = kept_form.place_of(kept)
    response = go(following)
    response.set_cookie(session_cookie(request, found))
    response.set_cookie(step_cookie(request, ""))
    return response


def _asked_for_code(
    request: AppRequest, following: str, form: Mapping[str, str], status: int = 200, problem: str | None = None
) -> Response[str]:
    kept = form.get(kept_form.FIELD, "")
    return page(request, "session/code.html", status, next=following, kept=kept, problem=problem)


@post("/logout", permission=Door.SIGNED_IN, before_factor=True, include_in_schema=False, status_code=303)
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
    return page(request, "session/setup.html", token=token, invited=invited, email="", name=invited.name, problem=None)


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
    return await _after(request, await _entered(request, account.email, password), "/", {})
