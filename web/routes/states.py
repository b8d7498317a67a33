"""States of a draft: the panel, one field at a time, a new one, taking one away."""

from litestar import get, post, route
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect, Response

from engine.core.errors import InvalidDocument, NotFound, Refused
from engine.services import edit
from web import forms
from web.desk import desk
from web.draft_answers import NEW_STATE, refused, saved, show, why
from web.draft_changes import changed, removed
from web.draft_edits import deletion, new_state, state_edit
from web.fields import Typed, entry
from web.i18n import gettext
from web.leading_panel import asks, leading_panel
from web.pages import wants_fragment
from web.permissions import Permission
from web.visitor import AppRequest, visitor


@get("/flows/{slug:str}/draft/states/new", permission=Permission.EDIT, include_in_schema=False)
async def blank(request: AppRequest, slug: FromPath[str], view: FromQuery[str] = "diagram") -> Response[str]:
    """The form for a new state."""
    return await show(request, slug, NEW_STATE, view, alone=True)


@post("/flows/{slug:str}/draft/states", permission=Permission.EDIT, include_in_schema=False, status_code=200)
async def add(request: AppRequest, slug: FromPath[str]) -> Response[str] | Redirect:
    """A new state."""
    form = dict(await forms.fields(request))
    view = form.get("view", "diagram")
    try:
        change = new_state(form)
        opened = await edit.edit(request.app.state.runtime, slug, change, actor=visitor(request).actor)
    except (Refused, InvalidDocument) as error:
        return await refused(request, slug, NEW_STATE, view, Typed("new", (), why(error)), form)
    return await saved(request, slug, f"s:{change['id']}", view, opened)


@get("/flows/{slug:str}/draft/states/{name:str}", permission=Permission.VIEW, include_in_schema=False)
async def panel(
    request: AppRequest, slug: FromPath[str], name: FromPath[str], view: FromQuery[str] = "diagram"
) -> Response[str]:
    """The panel of a state."""
    return await show(request, slug, f"s:{name}", view, alone=True)


@route(
    "/flows/{slug:str}/draft/states/{name:str}",
    http_method=["PATCH", "POST"],
    permission=Permission.EDIT,
    include_in_schema=False,
    status_code=200,
)
async def change(request: AppRequest, slug: FromPath[str], name: FromPath[str]) -> Response[str] | Redirect:
    """Change one field of a state."""
    field = (await forms.fields(request)).get("field", "")
    raw = entry((await edit.opened(request.app.state.runtime, slug)).tree, "states", name)
    return await changed(request, slug, f"s:{name}", field, lambda values: state_edit(name, field, values, raw))


@post(
    "/flows/{slug:str}/draft/states/{name:str}/delete",
    permission=Permission.EDIT,
    include_in_schema=False,
    status_code=200,
)
async def delete(request: AppRequest, slug: FromPath[str], name: FromPath[str]) -> Response[str] | Redirect:
    """Take a state away; when arrows lead there, a card asks first where they go."""
    form, runtime = dict(await forms.fields(request)), request.app.state.runtime
    view = form.get("view", "diagram")
    if "decided" not in form and asks((await edit.opened(runtime, slug)).tree, name):
        return await _leading(request, slug, name, view, form)
    try:
        said = gettext("State %(name)s deleted.") % {"name": name}
        return await removed(request, slug, f"s:{name}", deletion(name, form), said)
    except (Refused, InvalidDocument) as error:
        return await _leading(request, slug, name, view, form, why(error))


async def _leading(
    request: AppRequest, slug: str, name: str, view: str, form: dict[str, str], problem: str = ""
) -> Response[str]:
    """The card: alone with scripts, without them in the page."""
    made = await desk(request.app.state.runtime, slug, view=view, pictures=False)
    if name not in made.flow.states:
        raise NotFound("state", name)
    panel = "draft/_leading.html", leading_panel(made, name, form, problem)
    alone, status = wants_fragment(request), 422 if problem else 200
    return await show(request, slug, f"s:{name}", view, status=status, alone=alone, panel=panel)
