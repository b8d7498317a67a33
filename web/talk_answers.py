"""How a conversation's routes answer: the page, or for htmx the parts that changed."""

from collections.abc import Mapping

from litestar.response import Redirect, Response

from engine.core.errors import Refused
from engine.runtime import Runtime
from web import forms
from web.pages import go, page, wants_fragment
from web.talk_composer import composer, lost
from web.talk_pages import TABS, Talk, talk
from web.visitor import AppRequest, visitor

__all__ = ["changed", "parts", "refused", "tab_of", "token_of", "whole"]

CONFLICTS = ("state_changed", "taken_already", "assigned_meanwhile", "held_undecided", "send_is_settled")
"""Refusals because somebody or something else was first."""


async def changed(
    request: AppRequest, number: int, said: str, *, tab: str = "", main: str = "head"
) -> Response[str] | Redirect:
    """The parts for htmx, with the panel as it stood; without it the page again."""
    if not wants_fragment(request):
        return go(f"/conversations/{number}", **({"tab": tab} if tab else {}))
    form = await forms.fields(request)
    shown = tab or tab_of(form.get("tab", ""))
    there = await talk(
        request.app.state.runtime,
        number,
        visitor(request),
        tab=shown,
        msg=form.get("msg", ""),
        depth=form.get("depth", ""),
    )
    return parts(request, there, main, toast=said)


async def refused(request: AppRequest, number: int, refusal: Refused, *, tab: str = "") -> Response[str]:
    """What was not done and why, 409 where somebody was first: beside it everything as it is now, and what was typed."""
    form, runtime = await forms.fields(request), request.app.state.runtime
    plain = not wants_fragment(request)
    there = await talk(runtime, number, visitor(request), tab=tab or tab_of(form.get("tab", "")), others=plain)
    status, problem = status_of(refusal), lost(refusal, there)
    if plain:
        return await whole(
            request, there, status, hand_problem=problem, given=form, toast="" if there.tab == "hand" else problem
        )
    main = "facts" if there.tab == "hand" else "head"
    return parts(
        request, there, main, status, hand_problem=problem, given=form, toast="" if main == "facts" else problem
    )


def status_of(refusal: Refused) -> int:
    """409 where somebody or something else was first, else 422."""
    return 409 if refusal.code in CONFLICTS else 422


def parts(request: AppRequest, there: Talk, main: str, status: int = 200, **values: object) -> Response[str]:
    """One part as the answer, everything else that may have changed beside it."""
    return page(request, "conversations/changed.html", status, talk=there, main=main, **{**_rest(request), **values})


async def whole(
    request: AppRequest,
    there: Talk,
    status: int = 200,
    *,
    mode: str = "",
    typed: Mapping[str, str] | None = None,
    problem: str = "",
    **values: object,
) -> Response[str]:
    """The whole page, with the composer as a form left it."""
    runtime: Runtime = request.app.state.runtime
    made = await composer(runtime, there, mode=mode, given=typed, problem=problem)
    rest = {**_rest(request), "compose": made, **values}
    return page(request, "conversations/page.html", status, talk=there, **rest)


def _rest(request: AppRequest) -> dict[str, object]:
    """What the templates ask for beside the conversation, as it is on most days."""
    fresh = request.app.state.runtime.ids.hex(8)
    return {"asking": False, "toast": "", "form": fresh, "hand_problem": "", "given": {}}


def tab_of(tab: str) -> str:
    """A tab's name, "" for none of ours."""
    return tab if tab in TABS else ""


def token_of(request: AppRequest, given: str) -> str:
    """The token of the form that was sent; one of our own when it is not ours."""
    ours = len(given) == 16 and all(c in "0123456789abcdef" for c in given)
    return given if ours else str(request.app.state.runtime.ids.hex(8))
