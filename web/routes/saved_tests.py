"""Saved tests of a flow: their names, their files, their end. They are played where publishing is reviewed."""

import json
from typing import Annotated, TypeAlias

from litestar import get, post
from litestar.params import FromPath, PathParameter
from litestar.response import Redirect, Response

from engine.core.errors import Refused
from engine.services import edit, saved_tests
from web import forms
from web.pages import go, page
from web.permissions import Permission
from web.refusals import sentence
from web.sim_tests import start_page
from web.visitor import AppRequest, visitor

Number: TypeAlias = Annotated[int, PathParameter(ge=1, le=2**53)]
"""No database holds a larger one."""


@post(
    "/flows/{slug:str}/tests/{number:int}/rename", permission=Permission.EDIT, include_in_schema=False, status_code=200
)
async def rename(request: AppRequest, slug: FromPath[str], number: Number) -> Response[str] | Redirect:
    """Call a test otherwise."""
    form, runtime = await forms.fields(request), request.app.state.runtime
    try:
        await saved_tests.rename(runtime, slug, number, form.get("name", ""))
    except Refused as error:
        made = await start_page(runtime, slug, visitor(request), problem=sentence(error))
        return page(request, "simulator/start.html", 422, s=made)
    return go(f"/flows/{slug}/simulator")


@post(
    "/flows/{slug:str}/tests/{number:int}/delete", permission=Permission.EDIT, include_in_schema=False, status_code=303
)
async def delete(request: AppRequest, slug: FromPath[str], number: Number) -> Redirect:
    """Let go of a test; publishing does not play it any more."""
    await saved_tests.delete(request.app.state.runtime, slug, number, visitor(request).actor)
    return go(f"/flows/{slug}/simulator")


@get("/flows/{slug:str}/tests/{number:int}/scenario.json", permission=Permission.EDIT, include_in_schema=False)
async def file(request: AppRequest, slug: FromPath[str], number: Number) -> Response[str]:
    """A test as a file for `trilho scenario`, on the draft as it is now."""
    runtime = request.app.state.runtime
    opened = await edit.opened(runtime, slug)
    made = await saved_tests.document(runtime, slug, number, opened.tree)
    headers = {"Content-Disposition": f'attachment; filename="{slug}-test-{number}.json"'}
    text = json.dumps(made, ensure_ascii=False, indent=1) + "\n"
    return Response(text, media_type="application/json", headers=headers)
