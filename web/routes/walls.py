"""Keys of wall screens: made, shown once, and revoked. For administrators alone."""

from litestar import get, post
from litestar.response import Redirect, Response

from engine.core.errors import Refused
from engine.services import live, wall_keys
from web import forms
from web.pages import go, page
from web.permissions import Fresh, Permission
from web.refusals import sentence
from web.visitor import AppRequest, site_of, visitor

PLACE = "/settings/walls"


@get(PLACE, permission=Permission.ADMINISTER, include_in_schema=False)
async def listed(request: AppRequest) -> Response[str]:
    """All keys, and the form for another."""
    return await _page(request)


@post(PLACE, permission=Permission.ADMINISTER, fresh=Fresh.ALWAYS, include_in_schema=False, status_code=200)
async def add(request: AppRequest) -> Response[str]:
    """A fresh key; its address is on this answer and nowhere else."""
    form = await forms.fields(request)
    try:
        key = await wall_keys.add(
            request.app.state.runtime, form.get("name", ""), form.get("flow", ""), visitor(request).actor
        )
    except Refused as refusal:
        return await _page(request, 422, problem=sentence(refusal), name=form.get("name", ""))
    return await _page(request, address=f"{site_of(request)}/live?view=columns&key={key}")


@post(f"{PLACE}/revoke", permission=Permission.ADMINISTER, include_in_schema=False, status_code=303)
async def revoke(request: AppRequest) -> Redirect:
    """The screens with this key go dark within a minute."""
    form = await forms.fields(request)
    await wall_keys.revoke(request.app.state.runtime, form.get("digest", ""), visitor(request).actor)
    return go(PLACE)


async def _page(
    request: AppRequest, status: int = 200, *, address: str = "", problem: str = "", name: str = ""
) -> Response[str]:
    runtime = request.app.state.runtime
    flows = await live.live_slugs(runtime)
    return page(
        request,
        "settings/walls.html",
        status,
        keys=await wall_keys.everything(runtime),
        flows=flows,
        titles=dict(flows),
        address=address,
        problem=problem,
        name=name,
    )
