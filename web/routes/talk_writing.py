"""Writing in a conversation: messages, templates, files and notes. What is not sent comes back with all that was typed."""

from collections.abc import Awaitable, Callable, Mapping

from litestar import get, post
from litestar.params import FromQuery
from litestar.response import Redirect, Response

from engine.core.errors import Refused
from engine.services import canned, noting, own_files, supervise, write_template
from web import forms
from web.pages import go, page, wants_fragment
from web.permissions import Permission
from web.routes.conversations import Number
from web.talk_answers import parts, status_of, tab_of, token_of, whole
from web.talk_composer import composer, lost
from web.talk_pages import talk
from web.visitor import AppRequest, visitor

BODY = own_files.LARGEST + 64 * 1024
"""Bytes of a form with a file."""
Deed = Callable[[Mapping[str, str], str], Awaitable[bool]]
"""What a form asks for, with its fields and its token."""


@get("/conversations/{number:int}/compose", permission=Permission.CONVERSE, include_in_schema=False)
async def opened(
    request: AppRequest, number: Number, mode: FromQuery[str] = "", template: FromQuery[str] = ""
) -> Response[str]:
    """The composer for something else."""
    return await _composer(request, number, {"mode": mode, "template": template})


@post("/conversations/{number:int}/compose", permission=Permission.CONVERSE, include_in_schema=False, status_code=200)
async def filled_in(request: AppRequest, number: Number) -> Response[str]:
    """The composer with a reply put in, or with the template as the customer would read it."""
    form = dict(await forms.fields(request))
    reply = forms.whole(form.get("reply"))
    if reply is not None:
        words = await canned.filled(request.app.state.runtime, number, reply)
        before = form.get("text", "").strip()
        before = "" if before.startswith("/") and " " not in before else before
        form["text"] = f"{before}\n{words}" if before else words
    return await _composer(request, number, form)


@post("/conversations/{number:int}/messages", permission=Permission.CONVERSE, include_in_schema=False, status_code=200)
async def write(request: AppRequest, number: Number) -> Response[str] | Redirect:
    """A person's own message; 422 with the text kept when it cannot be sent. A form that was sent before does nothing."""
    runtime, actor = request.app.state.runtime, visitor(request).actor

    async def deed(form: Mapping[str, str], token: str) -> bool:
        there = await talk(runtime, number, visitor(request))
        if there.bar.locked:
            raise Refused("window_shut", since=there.bar.locked)
        text = form.get("text", "")
        return await supervise.write_by_hand(runtime, number, text, token, actor, seen=form.get("seen") or None)

    return await _done(request, number, "text", deed)


@post("/conversations/{number:int}/template", permission=Permission.CONVERSE, include_in_schema=False, status_code=200)
async def template(request: AppRequest, number: Number) -> Response[str] | Redirect:
    """An approved template with its values."""
    runtime, actor = request.app.state.runtime, visitor(request).actor

    async def deed(form: Mapping[str, str], token: str) -> bool:
        count = sum(name.startswith("value.") for name in form)
        values = [form.get(f"value.{n}", "") for n in range(1, count + 1)]
        key, seen = form.get("template", ""), form.get("seen") or None
        return await write_template.write_template(runtime, number, key, values, token, actor, seen=seen)

    return await _done(request, number, "template", deed)


@post(
    "/conversations/{number:int}/files",
    permission=Permission.CONVERSE,
    include_in_schema=False,
    status_code=200,
    request_max_body_size=BODY,
)
async def file(request: AppRequest, number: Number) -> Response[str] | Redirect:
    """A picture or an audio; the file itself has to be chosen again when it cannot be sent."""
    runtime, actor = request.app.state.runtime, visitor(request).actor

    async def deed(form: Mapping[str, str], token: str) -> bool:
        there = await talk(runtime, number, visitor(request))
        if there.bar.locked:
            raise Refused("window_shut", since=there.bar.locked)
        given = await forms.upload(request, "file", own_files.LARGEST)
        if given is None:
            raise Refused("no_file_chosen")
        caption, seen = form.get("text", ""), form.get("seen") or None
        return await own_files.send_file(runtime, number, *given, caption, token, actor, seen=seen)

    return await _done(request, number, "file", deed)


@post("/conversations/{number:int}/notes", permission=Permission.CONVERSE, include_in_schema=False, status_code=200)
async def note(request: AppRequest, number: Number) -> Response[str] | Redirect:
    """A note for the team."""
    runtime, actor = request.app.state.runtime, visitor(request).actor

    async def deed(form: Mapping[str, str], token: str) -> bool:
        return await noting.note(runtime, number, form.get("text", ""), token, actor)

    return await _done(request, number, "note", deed)


async def _done(request: AppRequest, number: int, mode: str, deed: Deed) -> Response[str] | Redirect:
    """Do it; the composer is empty afterwards, or as it was with the reason."""
    runtime, form, person = request.app.state.runtime, await forms.fields(request), visitor(request)
    refusal = None
    try:
        await deed(form, token_of(request, form.get("form", "")))
    except Refused as error:
        refusal = error
    plain = not wants_fragment(request)
    if plain and refusal is None:
        return go(f"/conversations/{number}", **({"mode": mode} if mode == "note" else {}))
    there = await talk(runtime, number, person, tab=tab_of(form.get("tab", "")), msg=form.get("msg", ""), others=plain)
    problem = "" if refusal is None else lost(refusal, there)
    status = 200 if refusal is None else status_of(refusal)
    typed = form if refusal is not None else {}
    if plain:
        return await whole(request, there, status, mode=mode, typed=typed, problem=problem)
    made = await composer(
        runtime, there, mode=mode if refusal is not None or mode == "note" else "", given=typed, problem=problem
    )
    return parts(request, there, "compose", status, compose=made)


async def _composer(request: AppRequest, number: int, form: Mapping[str, str]) -> Response[str]:
    runtime, plain = request.app.state.runtime, not wants_fragment(request)
    there = await talk(runtime, number, visitor(request), others=plain)
    mode = form.get("mode", "")
    if plain:
        return await whole(request, there, mode=mode, typed=form)
    made = await composer(runtime, there, mode=mode, given=form)
    fresh = runtime.ids.hex(8)
    return page(request, "conversations/_compose.html", 200, talk=there, compose=made, form=fresh, oob=False)
