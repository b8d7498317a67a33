"""Taking one's own changes of a draft back, and making them again."""

from litestar import post
from litestar.params import FromPath
from litestar.response import Redirect, Response

from engine.core.errors import Refused
from engine.services import edit, undoing
from engine.services.undoing import Asked
from web import forms
from web.draft_answers import saved, show
from web.i18n import gettext
from web.pages import wants_fragment
from web.permissions import Permission
from web.refusals import sentence
from web.undo_panel import asked_panel
from web.undo_words import selected_by, told
from web.visitor import AppRequest, visitor


@post("/flows/{slug:str}/draft/undo", permission=Permission.EDIT, include_in_schema=False, status_code=200)
async def undo(request: AppRequest, slug: FromPath[str]) -> Response[str] | Redirect:
    """Take a change of the reader's back: 200 with all that changed, 409 when somebody has to be asked."""
    return await _turned(request, slug, back=True)


@post("/flows/{slug:str}/draft/redo", permission=Permission.EDIT, include_in_schema=False, status_code=200)
async def redo(request: AppRequest, slug: FromPath[str]) -> Response[str] | Redirect:
    """Make a change again that was taken back."""
    return await _turned(request, slug, back=False)


async def _turned(request: AppRequest, slug: str, *, back: bool) -> Response[str] | Redirect:
    form, runtime, actor = await forms.fields(request), request.app.state.runtime, visitor(request).actor
    number, view = forms.whole(form.get("step")), form.get("view", "diagram")
    if "leave" in form and number is not None:
        await undoing.leave(runtime, slug, number, actor)
        return await saved(request, slug, "", view, await edit.opened(runtime, slug))
    try:
        done = await undoing.turn(runtime, slug, back=back, actor=actor, number=number, anyway=form.get("anyway", ""))
    except Refused as error:  # a second click on what is done already
        toast: dict[str, object] = {"text": sentence(error), "step": None}
        return await saved(request, slug, "", view, await edit.opened(runtime, slug), toast=toast)
    if isinstance(done, Asked):
        return await _asked(request, slug, view, done)
    opened, change = done
    sel = selected_by(change, opened.flow.states, opened.flow.arrows) or form.get("sel", "")
    said = gettext("Undone: %(what)s") if back else gettext("Done again: %(what)s")
    return await saved(request, slug, sel, view, opened, toast={"text": said % {"what": told(change)}, "step": None})


async def _asked(request: AppRequest, slug: str, view: str, asked: Asked) -> Response[str]:
    """409: both values and the choice, in the place of the panel."""
    panel = "draft/_asked.html", await asked_panel(request.app.state.runtime, f"/flows/{slug}/draft", asked)
    return await show(request, slug, "", view, status=409, alone=wants_fragment(request), panel=panel)
