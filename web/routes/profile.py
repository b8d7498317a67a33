"""One's own profile: name, password, and what one is signed in on."""

from litestar import get, post
from litestar.params import FromQuery
from litestar.response import Redirect, Response

from engine.core.errors import Refused
from engine.services import accounts, second_factor, sign_in
from engine.services.accounts import Account
from engine.services.proving import prove
from web import forms
from web.auth import SignInFirst, session_cookie
from web.pages import go, page
from web.people_pages import shown_sessions
from web.permissions import Door
from web.refusals import sentence
from web.role_words import role_name
from web.visitor import AppRequest, Visitor, visitor

PLACE = "/profile"


@get(PLACE, permission=Door.SIGNED_IN, include_in_schema=False)
async def shown(request: AppRequest, done: FromQuery[str] = "") -> Response[str]:
    """All of it."""
    return await _page(request, done=done)


@post(PLACE, permission=Door.SIGNED_IN, include_in_schema=False, status_code=303)
async def rename(request: AppRequest) -> Redirect:
    """How one is called."""
    name = " ".join((await forms.fields(request)).get("name", "").split())[:80]
    await accounts.change_profile(request.app.state.runtime, _me(request).id, name=name)
    return go(PLACE, done="name")


@post(f"{PLACE}/password", permission=Door.SIGNED_IN, kept=False, include_in_schema=False, status_code=200)
async def password(request: AppRequest) -> Response[str] | Redirect:
    """A new password: other sessions end, and this one goes on under a new secret (SEC-S10)."""
    runtime, form, who = request.app.state.runtime, await forms.fields(request), visitor(request)
    old, new = form.get("old", ""), form.get("new", "")
    try:
        if who.there is not None:
            await prove(runtime, who.there, old, who.actor)  # which slows guesses down
        await accounts.change_password(runtime, _me(request).id, who.actor, old=old, new=new, keep=_here(who))
    except Refused as refused:
        return await _page(request, 422, problem=sentence(refused))
    response = go(PLACE, done="password")
    response.set_cookie(session_cookie(request, await sign_in.renewed(runtime, who.session or "")))
    return response


@post(f"{PLACE}/sessions", permission=Door.SIGNED_IN, include_in_schema=False, status_code=303)
async def end_sessions(request: AppRequest) -> Redirect:
    """End one session of one's own, or all others."""
    who = visitor(request)
    one = (await forms.fields(request)).get("session") or None
    await sign_in.revoke(request.app.state.runtime, _me(request).id, one, actor=who.actor, keep=_here(who))
    return go(PLACE, done="ended")


def _me(request: AppRequest) -> Account:
    account = visitor(request).account
    if account is None:  # the door lets nobody through without one
        raise SignInFirst("")
    return account


def _here(who: Visitor) -> str:
    return who.there.digest if who.there is not None else ""


async def _page(request: AppRequest, status: int = 200, *, problem: str | None = None, done: str = "") -> Response[str]:
    account = _me(request)
    runtime = request.app.state.runtime
    return page(
        request,
        "profile/profile.html",
        status,
        role=role_name(account.role),
        factor=await second_factor.standing(runtime, account),
        sessions=await shown_sessions(request, account.id),
        problem=problem,
        done=done,
    )
