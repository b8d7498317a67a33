"""Publishing a draft: the review of what would happen, and the act."""

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


@get("/flows/{slug:str}/publish", permission=Permission.VIEW, include_in_schema=False)
async def review(request: AppRequest, slug: FromPath[str]) -> Response[str]:
    """What publishing would do."""
    return await review_page(request, slug)


@post(
    "/flows/{slug:str}/publish",
    permission=Permission.PUBLISH,
    fresh=Fresh.PUBLISHING,
    include_in_schema=False,
    status_code=200,
)
async def act(request: AppRequest, slug: FromPath[str]) -> Response[str] | Redirect:
    """Publish, or ask for it where two decide; 422 with the review again when checks, note or people stand against it,
    409 when the draft moved on.
    """
    form = await forms.fields(request)

    async def deed(note: str) -> str:
        if two_decide(request):
            return await asked(request, slug, note, form)
        number = await publish.publish(
            request.app.state.runtime,
            slug,
            note,
            visitor(request).actor,
            forms.whole(form.get("revision")),
            seen=forms.whole(form.get("live")),
            plan=plan_from(form),
        )
        return f"/flows/{slug}/versions/{number}"

    return await done(request, slug, form, deed)
