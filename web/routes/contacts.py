"""People out of a file: chosen, looked at, taken in with the proof of their consent; what was left out comes back."""

from litestar import get, post
from litestar.params import FromPath
from litestar.response import Redirect, Response

from engine.core.contact_table import LARGEST
from engine.core.errors import Refused
from engine.services import contact_files
from engine.store.contact_files import DRAFT
from web import forms
from web.contact_pages import chosen_of, reasons, shown_file, shown_look
from web.i18n import gettext
from web.pages import go, page
from web.permissions import Permission
from web.refusals import sentence
from web.visitor import AppRequest, visitor

PLACE = "/contacts/import"
BODY = LARGEST + 64 * 1024
"""Bytes of a form with a file in it."""


@get(PLACE, permission=Permission.PUBLISH, include_in_schema=False)
async def start(request: AppRequest) -> Response[str]:
    """Choose a file; the files that were taken in."""
    return await _start(request)


async def _start(request: AppRequest, status: int = 200, problem: str = "") -> Response[str]:
    files = [shown_file(file) for file in await contact_files.done(request.app.state.runtime)]
    return page(request, "contacts/import.html", status, files=files, problem=problem)


@post(PLACE, permission=Permission.PUBLISH, include_in_schema=False, status_code=200, request_max_body_size=BODY)
async def receive(request: AppRequest) -> Response[str] | Redirect:
    """A file comes in; it is looked at first."""
    given = await forms.upload(request, "file", LARGEST)
    if given is None:
        return await _start(request, 422, sentence(Refused("file_missing")))
    try:
        number = await contact_files.upload(request.app.state.runtime, *given, visitor(request).actor)
    except Refused as refusal:
        return await _start(request, 422, sentence(refusal))
    return go(f"{PLACE}/{number}")


@get(f"{PLACE}/{{number:int}}", permission=Permission.PUBLISH, include_in_schema=False)
async def look(request: AppRequest, number: FromPath[int]) -> Response[str]:
    """A file before it is taken in, or what became of it."""
    file = await contact_files.one(request.app.state.runtime, number)
    if file.status == DRAFT:
        return await _look(request, number, {})
    return page(request, "contacts/taken.html", file=shown_file(file))


async def _look(
    request: AppRequest, number: int, typed: dict[str, str], status: int = 200, problem: str = ""
) -> Response[str]:
    found = await contact_files.look(request.app.state.runtime, number, chosen_of(typed))
    proof = typed.get("proof", "")
    return page(request, "contacts/look.html", status, look=shown_look(found), proof=proof, problem=problem)


@post(f"{PLACE}/{{number:int}}/columns", permission=Permission.PUBLISH, include_in_schema=False, status_code=200)
async def again(request: AppRequest, number: FromPath[int]) -> Response[str]:
    """The same file with other columns; nothing is taken in."""
    return await _look(request, number, dict(await forms.fields(request)))


@post(f"{PLACE}/{{number:int}}", permission=Permission.PUBLISH, include_in_schema=False, status_code=200)
async def take(request: AppRequest, number: FromPath[int]) -> Response[str] | Redirect:
    """Take it in."""
    typed = dict(await forms.fields(request))
    runtime, actor = request.app.state.runtime, visitor(request).actor
    try:
        await contact_files.take(runtime, number, typed.get("proof", ""), actor, chosen_of(typed))
    except Refused as refusal:
        return await _look(request, number, typed, 422, sentence(refusal))
    return go(f"{PLACE}/{number}")


@post(f"{PLACE}/{{number:int}}/drop", permission=Permission.PUBLISH, include_in_schema=False, status_code=303)
async def drop(request: AppRequest, number: FromPath[int]) -> Redirect:
    """Forget a draft."""
    await contact_files.discard(request.app.state.runtime, number)
    return go(PLACE)


@get(f"{PLACE}/{{number:int}}/problems.csv", permission=Permission.PUBLISH, include_in_schema=False)
async def problems(request: AppRequest, number: FromPath[int]) -> Response[bytes]:
    """The lines that were not taken or are left out, for a spreadsheet (SEC-S16)."""
    file = await contact_files.one(request.app.state.runtime, number)
    heads = (gettext("Line"), gettext("Reason"), gettext("What stands there"))
    text = contact_files.problems_table(file, heads, reasons())
    headers = {"Content-Disposition": f'attachment; filename="contatos-{number}.csv"', "Cache-Control": "no-store"}
    return Response(text.encode(), media_type="text/csv", headers=headers)
