"""Names of a draft that have no place in the drawing: events, actions and fields; renaming and taking away."""

from litestar import get, post, route
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect, Response

from engine.core.errors import InvalidDocument, NotFound, Refused
from web import forms
from web.draft_answers import NAMED, NAMES, refused, show, why
from web.draft_changes import changed, removed
from web.draft_edits import renaming
from web.fields import Typed
from web.i18n import gettext
from web.name_panel import KINDS
from web.permissions import Permission
from web.visitor import AppRequest

PLACE = "/flows/{slug:str}/draft/names"


@get(PLACE, permission=Permission.VIEW, include_in_schema=False)
async def listed(request: AppRequest, slug: FromPath[str], view: FromQuery[str] = "diagram") -> Response[str]:
    """The list of all names."""
    return await show(request, slug, NAMES, view, alone=True)


@get(f"{PLACE}/{{kind:str}}/{{name:str}}", permission=Permission.VIEW, include_in_schema=False)
async def panel(
    request: AppRequest,
    slug: FromPath[str],
    kind: FromPath[str],
    name: FromPath[str],
    view: FromQuery[str] = "diagram",
) -> Response[str]:
    """One name, and where it is used."""
    return await show(request, slug, f"{NAMED}:{kind}:{name}", view, alone=True)


@route(
    f"{PLACE}/{{kind:str}}/{{name:str}}",
    http_method=["PATCH", "POST"],
    permission=Permission.EDIT,
    include_in_schema=False,
    status_code=200,
)
async def rename(
    request: AppRequest, slug: FromPath[str], kind: FromPath[str], name: FromPath[str]
) -> Response[str] | Redirect:
    """Give it another name, everywhere."""
    if kind not in KINDS:
        raise NotFound("name", kind)
    return await changed(request, slug, f"{NAMED}:{kind}:{name}", "name", lambda values: renaming(kind, name, values))


@post(f"{PLACE}/{{kind:str}}/{{name:str}}/delete", permission=Permission.EDIT, include_in_schema=False, status_code=200)
async def delete(
    request: AppRequest, slug: FromPath[str], kind: FromPath[str], name: FromPath[str]
) -> Response[str] | Redirect:
    """Take it away; while something uses it, the panel says what."""
    if kind not in KINDS:
        raise NotFound("name", kind)
    sel, form = f"{NAMED}:{kind}:{name}", await forms.fields(request)
    removal = {"op": f"delete_{kind}", "id": name}
    try:
        return await removed(request, slug, sel, removal, gettext("%(name)s deleted.") % {"name": name})
    except (Refused, InvalidDocument) as error:
        return await refused(request, slug, sel, form.get("view", "diagram"), Typed("delete", (name,), why(error)))
