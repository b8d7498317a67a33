"""The mail server: setting it, trying it, doing without. For administrators alone."""

from collections.abc import Mapping

from litestar import get, post
from litestar.params import FromQuery
from litestar.response import Redirect, Response

from engine.core.errors import Refused
from engine.services import mail
from web import forms, mail_words
from web.mail_words import Sent
from web.pages import go, page
from web.permissions import Fresh, Permission
from web.refusals import sentence
from web.visitor import AppRequest, site_of, visitor

PLACE = "/settings/mail"
FIELDS = ("host", "port", "tls", "user", "password", "sender", "site")


@get(PLACE, permission=Permission.ADMINISTER, include_in_schema=False)
async def shown(request: AppRequest, done: FromQuery[str] = "") -> Response[str]:
    """What is set; the password never."""
    return await _page(request, done=done)


@post(PLACE, permission=Permission.ADMINISTER, fresh=Fresh.ALWAYS, include_in_schema=False, status_code=200)
async def change(request: AppRequest) -> Response[str] | Redirect:
    """Set it."""
    form = await forms.fields(request)
    given = {name: form[name] for name in FIELDS if name in form}
    try:
        await mail.set_server(request.app.state.runtime, visitor(request).actor, given)
    except Refused as refused:
        return await _page(request, 422, typed=given, problem=sentence(refused))
    return go(PLACE, done="changed")


@post(f"{PLACE}/test", permission=Permission.ADMINISTER, include_in_schema=False, status_code=200)
async def test(request: AppRequest) -> Response[str]:
    """A message to oneself; whatever keeps it from leaving is said."""
    sent = await mail_words.tried(request.app.state.runtime, visitor(request).actor.who)
    return await _page(request, 422 if sent.problem else 200, sent=sent)


@post(f"{PLACE}/remove", permission=Permission.ADMINISTER, fresh=Fresh.ALWAYS, include_in_schema=False, status_code=303)
async def remove(request: AppRequest) -> Redirect:
    """No mail any more."""
    await mail.remove(request.app.state.runtime, visitor(request).actor)
    return go(PLACE, done="removed")


async def _page(
    request: AppRequest,
    status: int = 200,
    *,
    typed: Mapping[str, str] | None = None,
    problem: str | None = None,
    sent: Sent | None = None,
    done: str = "",
) -> Response[str]:
    found = await mail.show(request.app.state.runtime)
    usual = {"host": "", "port": "587", "tls": "starttls", "user": "", "sender": "", "site": site_of(request)}
    if found is not None:
        server = found.server
        usual = {
            "host": server.host,
            "port": str(server.port),
            "tls": server.tls,
            "user": server.user,
            "sender": server.sender,
            "site": found.site,
        }
    return page(
        request,
        "settings/mail.html",
        status,
        values={**usual, **{name: value for name, value in (typed or {}).items() if name != "password"}},
        there=found is not None,
        secret=found is not None and found.server.password is not None,
        problem=problem,
        sent=sent,
        done=done,
    )
