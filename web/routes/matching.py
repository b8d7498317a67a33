"""One person or two, and payments without a person: what waits for somebody's decision, and the decisions."""

from typing import Annotated, TypeAlias

from litestar import get, post
from litestar.params import FromQuery, PathParameter
from litestar.response import Redirect, Response

from engine.core.errors import NotFound, Refused
from engine.services import matching, unmatched
from web import forms
from web.matching_words import candidates, pair, stray
from web.pages import go, page
from web.permissions import Permission
from web.refusals import sentence
from web.visitor import AppRequest, visitor

ANSWERS = {"same": True, "different": False}
LONGEST = 100
"""Characters of a search."""
Number: TypeAlias = Annotated[int, PathParameter(le=2**53)]


@get("/matching", permission=Permission.VIEW, include_in_schema=False)
async def pairs(request: AppRequest) -> Response[str]:
    """The pairs that nobody decided about, side by side."""
    return await _pairs(request)


@post("/matching/{number:int}", permission=Permission.CONVERSE, include_in_schema=False, status_code=200)
async def decide(request: AppRequest, number: Number) -> Response[str] | Redirect:
    """One person or two; 409 when somebody was first."""
    answer = (await forms.fields(request)).get("answer", "")
    if answer not in ANSWERS:
        raise NotFound("answer", answer)
    try:
        await matching.decide(request.app.state.runtime, number, visitor(request).actor, same=ANSWERS[answer])
    except Refused as refusal:
        return await _pairs(request, 409, sentence(refusal))
    return go("/matching")


@get("/payments/unmatched", permission=Permission.VIEW, include_in_schema=False)
async def strays(request: AppRequest, event: FromQuery[str] = "", q: FromQuery[str] = "") -> Response[str]:
    """The payments that nobody could be tied to; with `event`, whom one of them may belong to."""
    return await _strays(request, event=event, words=q)


@post("/payments/unmatched", permission=Permission.CONVERSE, include_in_schema=False, status_code=200)
async def tie(request: AppRequest) -> Response[str] | Redirect:
    """Tie a payment to a person, or set it aside; 409 when it cannot be done any more or not yet."""
    runtime, form, actor = request.app.state.runtime, await forms.fields(request), visitor(request).actor
    event, contact = form.get("event", ""), forms.whole(form.get("contact"))
    try:
        if contact is not None:
            return go(f"/conversations/{await unmatched.tie(runtime, event, contact, actor)}")
        await unmatched.set_aside(runtime, event, actor)
    except Refused as refusal:
        return await _strays(request, 409, problem=sentence(refusal))
    return go("/payments/unmatched")


async def _pairs(request: AppRequest, status: int = 200, problem: str = "") -> Response[str]:
    phones = visitor(request).may(Permission.PHONES)
    there = await matching.questions(request.app.state.runtime)
    shown = [pair(question, there.now, phones=phones) for question in there.listed]
    return page(request, "matching/pairs.html", status, pairs=shown, waiting=there.waiting, problem=problem)


async def _strays(
    request: AppRequest, status: int = 200, *, event: str = "", words: str = "", problem: str = ""
) -> Response[str]:
    runtime, phones = request.app.state.runtime, visitor(request).may(Permission.PHONES)
    there, now = await unmatched.queue(runtime), runtime.clock.now()
    shown = [stray(each, now, phones=phones) for each in there.strays]
    chosen = next((each for each in shown if each.id == event), None)
    sought = words.strip()[:LONGEST]
    found = await unmatched.people(runtime, sought, by_phone=phones) if chosen is not None else []
    return page(
        request,
        "matching/strays.html",
        status,
        strays=shown,
        waiting=there.waiting,
        chosen=chosen,
        words=sought,
        people=candidates(found, phones=phones),
        problem=problem,
        phones=phones,
    )
