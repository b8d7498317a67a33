"""What the bot understands: rules whose phrases are edits of the draft, a text to try, texts that nobody understood."""

from collections.abc import Callable, Mapping

from litestar import get, post
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect, Response

from engine.core.errors import InvalidDocument, NotFound, Refused, Stale
from engine.core.trying import attempt
from engine.services import edit, review_texts, undoing
from engine.services.draft_standing import standing
from engine.services.edit import Opened
from engine.services.undoing import Asked
from web import forms
from web.draft_answers import why
from web.draft_edits import Edit
from web.flow_choices import chosen_flow, flow_choices
from web.i18n import gettext
from web.pages import go, page, wants_fragment
from web.permissions import Permission
from web.phrase_edits import changed_phrase, priority_edit, taught_phrase
from web.understanding_view import Problem, understanding
from web.visitor import AppRequest, visitor

PLACE = "/settings/understanding"
LONGEST = 4_096
MOST_LINES = 20


@get(PLACE, permission=Permission.VIEW, include_in_schema=False)
async def listed(request: AppRequest, flow: FromQuery[str] = "") -> Response[str]:
    """The rules of a flow's draft, a text to try, the texts to review."""
    slug = await chosen_flow(request, flow)
    if slug is None:
        return page(request, "settings/no_flow.html", title=gettext("Understanding"))
    return await _page(request, await edit.opened(request.app.state.runtime, slug))


async def _page(
    request: AppRequest,
    opened: Opened,
    status: int = 200,
    *,
    text: str = "",
    problem: Problem | None = None,
    toast: Mapping[str, object] | None = None,
    part: str = "",
) -> Response[str]:
    """The whole page, or with `part` what htmx asked for. `text` is being tried: each line a message of one burst."""
    runtime = request.app.state.runtime
    now, tried_text = runtime.clock.now(), text[:LONGEST]
    lines = [line for line in tried_text.split("\n") if line.strip()][:MOST_LINES]
    texts, more = ([], False) if part == TRIAL else await review_texts.unclear(runtime, opened.flow)
    shown = understanding(
        opened,
        await standing(runtime, opened),
        text=tried_text,
        trial=attempt(opened.flow, lines, now) if lines else None,
        texts=texts,
        more=more,
        now=now,
        problem=problem,
    )
    choices = () if part else await flow_choices(request)
    template, place = part or "settings/understanding.html", f"{PLACE}/{opened.draft.slug}"
    return page(request, template, status, u=shown, flows=choices, toast=toast, base=place)


TRIAL, EDITED = "settings/_trial_answer.html", "settings/_rules_answer.html"
"""The templates of what htmx gets: after a trial, after an edit."""


@post(f"{PLACE}/{{slug:str}}/test", permission=Permission.VIEW, include_in_schema=False, status_code=200)
async def tried(request: AppRequest, slug: FromPath[str]) -> Response[str]:
    """Try a text. Nothing is written."""
    form = await forms.fields(request)
    opened = await edit.opened(request.app.state.runtime, slug)
    return await _page(request, opened, text=form.get("text", ""), part=TRIAL if wants_fragment(request) else "")


@post(f"{PLACE}/{{slug:str}}/phrases", permission=Permission.EDIT, include_in_schema=False, status_code=200)
async def change(request: AppRequest, slug: FromPath[str]) -> Response[str] | Redirect:
    """Add a phrase to a rule, or take one away."""
    form = await forms.fields(request)
    key = f"{form.get('at', 'new')}-{form.get('among', 'any')}"
    return await _edited(request, slug, form, changed_phrase, key, form.get("phrase", ""))


@post(f"{PLACE}/{{slug:str}}/priority", permission=Permission.EDIT, include_in_schema=False, status_code=200)
async def order(request: AppRequest, slug: FromPath[str]) -> Response[str] | Redirect:
    """How strong the event of a rule is: of the rules that match the strongest wins."""
    form = await forms.fields(request)
    return await _edited(request, slug, form, priority_edit, f"{form.get('at', '')}-priority", form.get("value", ""))


@post(f"{PLACE}/{{slug:str}}/review", permission=Permission.EDIT, include_in_schema=False, status_code=200)
async def review(request: AppRequest, slug: FromPath[str]) -> Response[str] | Redirect:
    """A text that nobody understood: it is right so, or its words mean an event from now on."""
    form, runtime = await forms.fields(request), request.app.state.runtime
    digest = form.get("digest", "")
    if form.get("verdict") != "right":
        return await _edited(request, slug, form, taught_phrase, digest, form.get("phrase", ""))
    opened = await edit.opened(runtime, slug)
    await review_texts.call_right(runtime, slug, digest, visitor(request).actor)
    return await _answer(request, opened, form)


@post(f"{PLACE}/{{slug:str}}/undo", permission=Permission.EDIT, include_in_schema=False, status_code=200)
async def undo(request: AppRequest, slug: FromPath[str]) -> Response[str] | Redirect:
    """Take the reader's change of the step back."""
    form, runtime = await forms.fields(request), request.app.state.runtime
    done = await undoing.turn(
        runtime, slug, back=True, actor=visitor(request).actor, number=forms.whole(form.get("step")) or 0
    )
    if isinstance(done, Asked):
        raise Refused("changed_since")
    return await _answer(request, done[0], form)


async def _edited(
    request: AppRequest,
    slug: str,
    form: Mapping[str, str],
    read: Callable[[Mapping[str, str]], Edit],
    key: str,
    typed: str,
) -> Response[str] | Redirect:
    """Make an edit: 200 with what it changed and how to take it back, else the words beside the field `key`."""
    runtime, revision = request.app.state.runtime, forms.whole(form.get("revision"))
    before = await edit.opened(runtime, slug)
    status, told = 422, ""
    try:
        wanted = read(form)
        opened = await edit.edit(runtime, slug, wanted, actor=visitor(request).actor, revision=revision)
    except (Refused, InvalidDocument) as error:
        told = why(error)
    except NotFound:  # of a phrase or an event: the flow itself was there a moment ago
        told = why(Refused("stale_fix"))
    except Stale as error:
        status, told = 409, gettext("Somebody else changed it to %(theirs)s first.") % {"theirs": error.theirs or 0}
    if told:
        part = EDITED if wants_fragment(request) else ""
        problem, text = Problem(key, told, typed), form.get("text", "")
        return await _page(request, before, status, problem=problem, text=text, part=part)
    back = (await undoing.standing(runtime, slug, visitor(request).actor.who)).back
    changed = opened.revision != before.revision and back is not None
    toast: dict[str, object] = {"text": gettext("Saved in the draft."), "step": back.number if back else None}
    return await _answer(request, opened, form, toast if changed else None)


async def _answer(
    request: AppRequest, opened: Opened, form: Mapping[str, str], toast: Mapping[str, object] | None = None
) -> Response[str] | Redirect:
    if not wants_fragment(request):
        return go(PLACE, flow=opened.draft.slug)
    return await _page(request, opened, text=form.get("text", ""), toast=toast, part=EDITED)
