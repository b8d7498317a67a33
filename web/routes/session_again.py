"""Coming back: a form that an ended session could not send, and a page that goes on after a sign-in beside it."""

from litestar import get, post
from litestar.response import Redirect, Response

from engine.services import kept_forms
from web import kept_form
from web.pages import go, page
from web.permissions import Door
from web.visitor import AppRequest, visitor


@get("/session/mine", permission=Door.SIGNED_IN, include_in_schema=False, media_type="application/json")
async def mine(request: AppRequest) -> dict[str, object]:
    """For a page that was open while its session ended: whose session there is now, and the token for its forms."""
    who = visitor(request)
    return {"account": who.account.id if who.account is not None else 0, "csrf": who.csrf}


@get("/session/back", permission=Door.SIGNED_IN, include_in_schema=False)
async def back(request: AppRequest) -> Response[str]:
    """The end of a sign-in in another tab."""
    return page(request, "session/back.html")


@get("/kept", permission=Door.SIGNED_IN, include_in_schema=False)
async def kept(request: AppRequest) -> Response[str] | Redirect:
    """The form again, with what was typed, to be sent by whoever typed it."""
    found = kept_form.of_session(request)
    if found is None:
        return go("/")
    return page(request, "session/kept.html", kept=found, shown=kept_form.shown(found))


@post("/kept", permission=Door.SIGNED_IN, include_in_schema=False, status_code=303)
async def drop(request: AppRequest) -> Redirect:
    """It is not wanted any more."""
    found, there = kept_form.of_session(request), visitor(request).there
    if there is not None:
        await kept_forms.drop(request.app.state.runtime, there.digest)
    return go(found.page if found is not None else "/")
