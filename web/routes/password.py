"""A forgotten password: the form, and the same answer for whoever has an account and whoever has none (SEC-S8)."""

from litestar import get, post
from litestar.background_tasks import BackgroundTask
from litestar.response import Response

from engine.core.errors import Refused
from engine.runtime import Runtime
from engine.services import forgotten, mail
from web import forms, mail_words
from web.pages import page
from web.permissions import Door
from web.refusals import sentence
from web.visitor import AppRequest, visitor

PLACE = "/password/reset"


@get(PLACE, permission=Door.PUBLIC, include_in_schema=False)
async def blank(request: AppRequest) -> Response[str]:
    """The form; where no mail server is set it says whom to ask."""
    mails = await mail.show(request.app.state.runtime) is not None
    return page(request, "session/forgotten.html", mails=mails, email="", asked=False, problem=None)


@post(PLACE, permission=Door.PUBLIC, include_in_schema=False, status_code=200)
async def ask(request: AppRequest) -> Response[str]:
    """What was asked is answered before anybody looks whether there is such an account."""
    runtime, who = request.app.state.runtime, visitor(request)
    email, mails = (await forms.fields(request)).get("email", ""), await mail.show(runtime) is not None
    if not mails:
        return page(request, "session/forgotten.html", 422, mails=False, email=email, asked=False, problem=None)
    try:
        await forgotten.ask(runtime, email, who.address)
    except Refused as refused:
        words = sentence(refused)
        return page(request, "session/forgotten.html", 429, mails=True, email=email, asked=False, problem=words)
    answer = page(request, "session/forgotten.html", mails=True, email=email, asked=True, problem=None)
    answer.background = BackgroundTask(_written, runtime, email, who.address)
    return answer


async def _written(runtime: Runtime, email: str, address: str) -> None:
    found = await forgotten.link(runtime, email, address)
    if found is not None:
        await mail_words.reset(runtime, found.account, found.token)
