"""People of the team: inviting, one-time links, roles, shutting out, ending sessions. For administrators alone."""

from typing import Annotated, TypeAlias

from litestar import get, post
from litestar.params import FromQuery, PathParameter
from litestar.response import Redirect, Response

from engine.core.errors import NotFound, Refused
from engine.services import accounts, safeguards, second_factor, sign_in
from engine.services.accounts import Account
from engine.services.safeguards import Safeguards
from web import forms, mail_words
from web.pages import go
from web.people_pages import people_page, person_page
from web.permissions import Fresh, Permission
from web.refusals import sentence
from web.visitor import AppRequest, site_of, visitor

PLACE = "/settings/people"
ONE = f"{PLACE}/{{number:int}}"
Number: TypeAlias = Annotated[int, PathParameter(le=2**53)]


@get(PLACE, permission=Permission.ADMINISTER, include_in_schema=False)
async def listed(request: AppRequest, done: FromQuery[str] = "") -> Response[str]:
    """Everybody, and what each role may do."""
    return await people_page(request, done=done)


@post(PLACE, permission=Permission.ADMINISTER, fresh=Fresh.ALWAYS, include_in_schema=False, status_code=200)
async def invite(request: AppRequest) -> Response[str]:
    """A new account; its one-time link is on the answer, and nowhere afterwards."""
    runtime, form = request.app.state.runtime, await forms.fields(request)
    email, role, name = form.get("email", ""), form.get("role", ""), form.get("name", "")[:80]
    try:
        token = await accounts.invite(runtime, email, role, visitor(request).actor, name)
    except Refused as refused:
        return await people_page(request, 422, typed=form, problem=sentence(refused))
    return await people_page(request, link=await _shown_link(request, accounts.normal(email), token))


@post(
    "/settings/safeguards",
    permission=Permission.ADMINISTER,
    fresh=Fresh.ALWAYS,
    include_in_schema=False,
    status_code=200,
)
async def rules(request: AppRequest) -> Response[str] | Redirect:
    """What is asked of people beyond a password."""
    form = await forms.fields(request)
    wanted = Safeguards(form.get("second_factor", ""), "four_eyes" in form, "ask_to_publish" in form)
    try:
        await safeguards.change(request.app.state.runtime, visitor(request).actor, wanted)
    except Refused as refused:
        return await people_page(request, 422, rules_problem=sentence(refused))
    return go(PLACE, done="rules")


@get(ONE, permission=Permission.ADMINISTER, include_in_schema=False)
async def person(request: AppRequest, number: Number, done: FromQuery[str] = "") -> Response[str]:
    """One of them."""
    return await person_page(request, await _account(request, number), done=done)


@post(f"{ONE}/link", permission=Permission.ADMINISTER, fresh=Fresh.ALWAYS, include_in_schema=False, status_code=200)
async def link(request: AppRequest, number: Number) -> Response[str]:
    """A new one-time link, for whoever lost the first one or the password; those before are void."""
    account = await _account(request, number)
    token = await accounts.reset_link(request.app.state.runtime, number, visitor(request).actor)
    return await person_page(request, account, link=await _shown_link(request, account.email, token))


@post(f"{ONE}/role", permission=Permission.ADMINISTER, fresh=Fresh.ALWAYS, include_in_schema=False, status_code=200)
async def role(request: AppRequest, number: Number) -> Response[str] | Redirect:
    """Another role; the person signs in anew."""
    form = await forms.fields(request)
    account = await _account(request, number)
    try:
        await accounts.change_role(request.app.state.runtime, number, form.get("role", ""), visitor(request).actor)
    except Refused as refused:
        return await person_page(request, account, 422, problem=sentence(refused))
    return go(PLACE, done="role")


@post(f"{ONE}/disable", permission=Permission.ADMINISTER, fresh=Fresh.ALWAYS, include_in_schema=False, status_code=200)
async def disable(request: AppRequest, number: Number) -> Response[str] | Redirect:
    """Out at once."""
    account = await _account(request, number)
    try:
        await accounts.disable(request.app.state.runtime, number, visitor(request).actor)
    except Refused as refused:
        return await person_page(request, account, 422, problem=sentence(refused))
    return go(PLACE, done="disabled")


@post(f"{ONE}/enable", permission=Permission.ADMINISTER, fresh=Fresh.ALWAYS, include_in_schema=False, status_code=303)
async def enable(request: AppRequest, number: Number) -> Redirect:
    """In again."""
    await _account(request, number)
    await accounts.enable(request.app.state.runtime, number, visitor(request).actor)
    return go(PLACE, done="enabled")


@post(f"{ONE}/sessions", permission=Permission.ADMINISTER, include_in_schema=False, status_code=303)
async def end_sessions(request: AppRequest, number: Number) -> Redirect:
    """End one session of somebody, or all. Nothing is asked for it: it can only make things safer."""
    await _account(request, number)
    one = (await forms.fields(request)).get("session") or None
    await sign_in.revoke(request.app.state.runtime, number, one, actor=visitor(request).actor)
    return go(f"{PLACE}/{number}", done="ended")


@post(
    f"{ONE}/second-factor",
    permission=Permission.ADMINISTER,
    fresh=Fresh.ALWAYS,
    include_in_schema=False,
    status_code=303,
)
async def factor_off(request: AppRequest, number: Number) -> Redirect:
    """For somebody who lost the telephone and the codes."""
    await second_factor.turn_off(request.app.state.runtime, number, visitor(request).actor, own=False)
    return go(f"{PLACE}/{number}", done="factor")


async def _account(request: AppRequest, number: int) -> Account:
    everybody = await accounts.everybody(request.app.state.runtime)
    found = next((one for one in everybody if one.id == number), None)
    if found is None:
        raise NotFound("account", number)
    return found


async def _shown_link(request: AppRequest, email: str, token: str) -> dict[str, object]:
    runtime = request.app.state.runtime
    account = next(one for one in await accounts.everybody(runtime) if one.email == email)
    sent = await mail_words.invited(runtime, account, token)
    return {"address": f"{site_of(request)}/setup/{token}", "email": email, "sent": sent}
