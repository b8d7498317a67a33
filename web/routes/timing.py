"""Waits and hours of a flow: edits of its draft, each card on its own."""

from collections.abc import Mapping

from litestar import get, post
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect, Response

from engine.core.errors import InvalidDocument, Refused, Stale
from engine.services import edit
from engine.services.draft_standing import standing
from engine.services.edit import Opened
from web import forms
from web.draft_answers import why
from web.flow_choices import chosen_flow, flow_choices
from web.i18n import gettext
from web.pages import go, page, wants_fragment
from web.permissions import Permission
from web.timing_edits import timing_edit
from web.timing_pages import Clash, Wrong, timing
from web.visitor import AppRequest, visitor

PLACE = "/settings/timing"


@get(PLACE, permission=Permission.VIEW, include_in_schema=False)
async def listed(request: AppRequest, flow: FromQuery[str] = "") -> Response[str]:
    """The waits and hours of a flow's draft."""
    slug = await chosen_flow(request, flow)
    if slug is None:
        return page(request, "settings/no_flow.html", title=gettext("Waits and hours"))
    return await _page(request, await edit.opened(request.app.state.runtime, slug))


async def _page(
    request: AppRequest,
    opened: Opened,
    status: int = 200,
    *,
    wrong: Wrong | None = None,
    clash: Clash | None = None,
    only: str = "",
) -> Response[str]:
    """The whole page, or with `only` the card of one field and what changed with it."""
    there = await standing(request.app.state.runtime, opened)
    shown = timing(opened, there, wrong=wrong, clash=clash)
    base = f"{PLACE}/{opened.draft.slug}"
    if only:
        card = next(card for card in shown.cards if card.field == only)
        return page(request, "settings/_timing_answer.html", status, t=shown, c=card, base=base, saved=status == 200)
    flows = await flow_choices(request)
    return page(request, "settings/timing.html", status, t=shown, flows=flows, base=base, saved=False)


@post(f"{PLACE}/{{slug:str}}", permission=Permission.EDIT, include_in_schema=False, status_code=200)
async def change(request: AppRequest, slug: FromPath[str]) -> Response[str] | Redirect:
    """Change one card: 422 with the words beside it, 409 with both values where somebody was first."""
    runtime, form = request.app.state.runtime, await forms.fields(request)
    before, field = await edit.opened(runtime, slug), form.get("field", "")
    typed: Mapping[str, str] = {
        name: value for name, value in form.items() if name not in ("seen", "revision", "_csrf")
    }
    try:
        wanted = timing_edit(form)
        revision = forms.whole(form.get("revision"))
        opened = await edit.edit(runtime, slug, wanted, actor=visitor(request).actor, revision=revision)
    except (Refused, InvalidDocument) as error:
        only = field if wants_fragment(request) else ""
        return await _page(request, before, 422, wrong=Wrong(field, why(error), typed), only=only)
    except Stale as error:
        only, clash = field if wants_fragment(request) else "", Clash(field, typed, error.theirs)
        return await _page(request, await edit.opened(runtime, slug), 409, clash=clash, only=only)
    if wants_fragment(request):
        return await _page(request, opened, only=field)
    return go(PLACE, flow=slug)
