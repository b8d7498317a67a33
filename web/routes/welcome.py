"""The first steps: a list that reads what was really done, with the one next thing to do for each."""

from litestar import get, post
from litestar.params import FromQuery
from litestar.response import Redirect, Response

from engine.services import first_steps
from web.pages import go, page
from web.permissions import Permission
from web.visitor import AppRequest, visitor
from web.welcome_steps import steps


@get("/welcome", permission=Permission.EDIT, include_in_schema=False)
async def welcome(request: AppRequest, step: FromQuery[str] = "") -> Response[str]:
    """The steps, one of them open: the one that is asked for, else the first that is not done."""
    runtime, person = request.app.state.runtime, visitor(request)
    account = person.account
    assert account is not None
    found = await first_steps.progress(runtime, account.id)
    await first_steps.seen(runtime, account.id)
    listed = steps(found, administers=person.may(Permission.ADMINISTER))
    first = next((one.number for one in listed if not one.done), len(listed))
    number = int(step) if step in {str(one.number) for one in listed} else first
    return page(
        request,
        "welcome/steps.html",
        name=(account.name or "").split(" ")[0],
        steps=listed,
        current=listed[number - 1],
        following=listed[number] if number < len(listed) else None,
        made=sum(one.done for one in listed),
        sample=found.sample,
        complete=found.complete,
    )


@post("/welcome/dismiss", permission=Permission.EDIT, include_in_schema=False, status_code=303)
async def dismiss(request: AppRequest) -> Redirect:
    """They are not wanted; the menu still leads here."""
    account = visitor(request).account
    assert account is not None
    await first_steps.dismiss(request.app.state.runtime, account.id)
    return go("/flows")
