"""Setting up one's second factor: the picture, the first code, the codes for the day the telephone is lost."""

from litestar import get, post
from litestar.response import Redirect, Response

from engine.core.errors import Refused
from engine.services import second_factor, sign_in
from engine.services.accounts import Account
from web import forms
from web.auth import SignInFirst, session_cookie
from web.pages import go, page
from web.permissions import Door, Fresh
from web.qr import code_of
from web.refusals import sentence
from web.visitor import AppRequest, visitor

PLACE = "/profile/second-factor"


@get(PLACE, permission=Door.SIGNED_IN, before_factor=True, include_in_schema=False)
async def shown(request: AppRequest) -> Response[str]:
    """What to scan; where it is on already, what can be done about it."""
    return await _page(request)


@post(
    f"{PLACE}/begin",
    permission=Door.SIGNED_IN,
    fresh=Fresh.ALWAYS,
    before_factor=True,
    include_in_schema=False,
    status_code=200,
)
async def begin(request: AppRequest) -> Response[str] | Redirect:
    """Make the key that the picture shows."""
    try:
        await second_factor.begin(request.app.state.runtime, _me(request).id)
    except Refused as refused:
        return await _page(request, 422, problem=sentence(refused))
    return go(PLACE)


@post(
    PLACE,
    permission=Door.SIGNED_IN,
    fresh=Fresh.ALWAYS,
    before_factor=True,
    include_in_schema=False,
    status_code=200,
)
async def confirm(request: AppRequest) -> Response[str]:
    """The first code turns it on; the recovery codes are on the answer, and nowhere afterwards."""
    runtime, who, account = request.app.state.runtime, visitor(request), _me(request)
    code, here = (await forms.fields(request)).get("code", ""), who.there.digest if who.there is not None else ""
    try:
        codes = await second_factor.confirm(runtime, account.id, code, who.actor, keep=here)
    except Refused as refused:
        return await _page(request, 422, problem=sentence(refused))
    response = page(request, "profile/codes.html", codes=codes, first=True)
    response.set_cookie(session_cookie(request, await sign_in.renewed(runtime, who.session or "")))
    return response


@post(f"{PLACE}/codes", permission=Door.SIGNED_IN, fresh=Fresh.ALWAYS, include_in_schema=False, status_code=200)
async def codes(request: AppRequest) -> Response[str]:
    """New recovery codes; the old ones are void."""
    try:
        made = await second_factor.fresh_codes(request.app.state.runtime, _me(request).id, visitor(request).actor)
    except Refused as refused:
        return await _page(request, 422, problem=sentence(refused))
    return page(request, "profile/codes.html", codes=made, first=False)


@post(f"{PLACE}/off", permission=Door.SIGNED_IN, fresh=Fresh.ALWAYS, include_in_schema=False, status_code=200)
async def off(request: AppRequest) -> Response[str] | Redirect:
    """Without it from now on; refused where it is required."""
    try:
        await second_factor.turn_off(request.app.state.runtime, _me(request).id, visitor(request).actor, own=True)
    except Refused as refused:
        return await _page(request, 422, problem=sentence(refused))
    return go("/profile", done="factor")


async def _page(request: AppRequest, status: int = 200, problem: str | None = None) -> Response[str]:
    runtime, account = request.app.state.runtime, _me(request)
    standing = await second_factor.standing(runtime, account)
    offered = await second_factor.offered(runtime, account.id)
    return page(
        request,
        "profile/second_factor.html",
        status,
        factor=standing,
        qr=code_of(offered.address) if offered is not None else None,
        spelled=offered.spelled if offered is not None else "",
        problem=problem,
    )


def _me(request: AppRequest) -> Account:
    account = visitor(request).account
    if account is None:  # the door lets nobody through without one
        raise SignInFirst("")
    return account
