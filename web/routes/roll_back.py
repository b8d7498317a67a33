"""Going back to an older version: what it would do, and the act."""

from litestar import get, post
from litestar.params import FromPath
from litestar.response import Redirect, Response

from engine.services import publish
from web import forms
from web.permissions import Fresh, Permission
from web.publish_deeds import asked, done, two_decide
from web.publish_pages import review_page
from web.publish_words import plan_from
from web.visitor import AppRequest, visitor


@get("/flows/{slug:str}/versions/{number:int}/rollback", permission=Permission.VIEW, include_in_schema=False)
async def look(request: AppRequest, slug: FromPath[str], number: FromPath[int]) -> Response[str]:
    """What publishing the content of a version again would do, to its people too."""
    return await review_page(request, slug, source=number)


@post(
    "/flows/{slug:str}/versions/{number:int}/rollback",
    permission=Permission.PUBLISH,
    fresh=Fresh.PUBLISHING,
    include_in_schema=False,
    status_code=200,
)
async def act(request: AppRequest, slug: FromPath[str], number: FromPath[int]) -> Response[str] | Redirect:
    """Publish it again and take the people back; refused as publishing is."""
    form = await forms.fields(request)

    async def deed(note: str) -> str:
        if two_decide(request):
            return await asked(request, slug, note, form, source=number)
        made = await publish.roll_back(
            request.app.state.runtime,
            slug,
            number,
            note,
            visitor(request).actor,
            seen=forms.whole(form.get("live")),
            plan=plan_from(form),
        )
        return f"/flows/{slug}/versions/{made}"

    return await done(request, slug, form, deed, source=number)
