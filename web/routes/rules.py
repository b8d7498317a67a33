"""Safety rules of a draft: the panel, a new one, changing one, taking one away."""

from collections.abc import Mapping

from litestar import get, post, route
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect, Response

from engine.core.errors import InvalidDocument, NotFound, Refused, Stale
from engine.services import edit
from web import forms
from web.draft_answers import NEW_RULE, RULE, refused, rule_collision, saved, show, stale, why
from web.draft_edits import Edit, seen_value
from web.fields import Typed
from web.i18n import gettext
from web.permissions import Permission
from web.rule_edits import LISTS, added, deletion, replaced, typed_rule
from web.visitor import AppRequest, visitor

VIEW = "rules"


@get("/flows/{slug:str}/draft/rules/new", permission=Permission.EDIT, include_in_schema=False)
async def blank(
    request: AppRequest, slug: FromPath[str], form: FromQuery[str] = "", view: FromQuery[str] = VIEW
) -> Response[str]:
    """The eight forms of a rule, or the sentence of one."""
    return await show(request, slug, NEW_RULE, view, form={"form": form}, alone=True)


@get("/flows/{slug:str}/draft/rules/{number:int}", permission=Permission.VIEW, include_in_schema=False)
async def panel(
    request: AppRequest, slug: FromPath[str], number: FromPath[int], view: FromQuery[str] = VIEW
) -> Response[str]:
    """The panel of a rule."""
    return await show(request, slug, f"{RULE}:{number}", view, alone=True)


@post("/flows/{slug:str}/draft/rules", permission=Permission.EDIT, include_in_schema=False, status_code=200)
async def add(request: AppRequest, slug: FromPath[str]) -> Response[str] | Redirect:
    """A new rule, from the fields of its sentence or whole, as a recommended one comes."""
    form = await _typed(request)
    try:
        rule = seen_value(form["rule"]) if "rule" in form else typed_rule(form)
        return await _changed(request, slug, added(rule), form, gettext("Rule added."))
    except (Refused, InvalidDocument) as error:
        return await refused(request, slug, NEW_RULE, VIEW, Typed("rule", (), why(error)), form)


@route(
    "/flows/{slug:str}/draft/rules/{number:int}",
    http_method=["PATCH", "POST"],
    permission=Permission.EDIT,
    include_in_schema=False,
    status_code=200,
)
async def change(request: AppRequest, slug: FromPath[str], number: FromPath[int]) -> Response[str] | Redirect:
    """Change a rule: 200, 422 with what was typed, 409 with both sentences."""
    form = await _typed(request)
    try:
        wanted = replaced(number, form)
    except Refused as error:
        return await refused(request, slug, f"{RULE}:{number}", VIEW, Typed("rule", (), why(error)), form)
    return await _kept(request, slug, number, wanted, form, gettext("Rule changed."))


@post(
    "/flows/{slug:str}/draft/rules/{number:int}/delete",
    permission=Permission.EDIT,
    include_in_schema=False,
    status_code=200,
)
async def delete(request: AppRequest, slug: FromPath[str], number: FromPath[int]) -> Response[str] | Redirect:
    """Take a rule away; somebody else may have done so already."""
    form = await _typed(request)
    return await _kept(request, slug, number, deletion(number, form), form, gettext("Rule deleted."))


async def _kept(
    request: AppRequest, slug: str, number: int, wanted: Edit, form: dict[str, str], text: str
) -> Response[str] | Redirect:
    sel = f"{RULE}:{number}"
    try:
        return await _changed(request, slug, wanted, form, text)
    except (Refused, InvalidDocument) as error:
        return await refused(request, slug, sel, VIEW, Typed("rule", (), why(error)), form)
    except Stale as error:
        there = await edit.opened(request.app.state.runtime, slug)
        return await stale(request, slug, sel, VIEW, rule_collision(error, request.url.path, there.flow), form)
    except NotFound as error:
        if error.kind != "rule" or wanted["op"] != "delete_rule":
            raise
        return await saved(request, slug, "", VIEW, await edit.opened(request.app.state.runtime, slug))


async def _changed(
    request: AppRequest, slug: str, wanted: Edit, form: Mapping[str, str], text: str
) -> Response[str] | Redirect:
    runtime = request.app.state.runtime
    was = wanted.get("was")
    opened = await edit.edit(
        runtime,
        slug,
        wanted,
        actor=visitor(request).actor,
        revision=forms.whole(form.get("revision")),
        base=was if isinstance(was, Mapping) else None,
    )
    rule = wanted.get("rule", wanted.get("value"))
    rows = opened.tree.get("rules")
    place = rows.index(rule) if isinstance(rows, list) and rule in rows else None
    sel = f"{RULE}:{place}" if place is not None else ""
    return await saved(request, slug, sel, VIEW, opened, undoable=text)


async def _typed(request: AppRequest) -> dict[str, str]:
    """The form; a field that may be given more than once is one text with commas."""
    form = dict(await forms.fields(request))
    for name in LISTS:
        if name in form:
            form[name] = ",".join(value for value in await forms.several(request, name) if value)
    return form
