"""Publishing at a set time, and taking that back."""

from litestar import post
from litestar.params import FromPath
from litestar.response import Redirect, Response

from engine.core.contact_dates import moment
from engine.core.errors import Refused
from engine.services import edit, schedule
from web import forms
from web.pages import go, local_path
from web.permissions import Fresh, Permission
from web.publish_deeds import asked, done, two_decide
from web.publish_words import plan_from
from web.visitor import AppRequest, visitor


@post(
    "/flows/{slug:str}/publish/schedule",
    permission=Permission.PUBLISH,
    fresh=Fresh.PUBLISHING,
    include_in_schema=False,
    status_code=200,
)
async def book(request: AppRequest, slug: FromPath[str]) -> Response[str] | Redirect:
    """Have the reviewed draft published at a day and an hour of the flow's time zone; refused as publishing is."""
    form, runtime = await forms.fields(request), request.app.state.runtime

    async def deed(note: str) -> str:
        opened = await edit.opened(runtime, slug)
        at = moment(f"{form.get('day', '')} {form.get('hour', '')}", opened.flow.timezone)
        if at is None or not form.get("day") or not form.get("hour"):
            raise Refused("not_a_moment")
        if two_decide(request):
            return await asked(request, slug, note, form, at=at)
        revision = forms.whole(form.get("revision"))
        await schedule.schedule(
            runtime,
            slug,
            at,
            note,
            visitor(request).actor,
            opened.revision if revision is None else revision,
            plan_from(form),
        )
        return f"/flows/{slug}/publish"

    return await done(request, slug, form, deed)


@post("/flows/{slug:str}/publish/unschedule", permission=Permission.PUBLISH, include_in_schema=False, status_code=303)
async def cancel(request: AppRequest, slug: FromPath[str]) -> Redirect:
    """Take it back; one that was not kept has been seen."""
    form = await forms.fields(request)
    await schedule.cancel(request.app.state.runtime, slug, visitor(request).actor)
    return go(local_path(form.get("back"), f"/flows/{slug}/publish"))
