"""A person's data: what is held, all of it as one file, and erasing (LGPD, art. 18). For administrators alone."""

from litestar import get, post
from litestar.params import FromPath
from litestar.response import Response

from engine.core.errors import Refused
from engine.services import erase as erasing
from engine.services import portrait
from web import forms
from web.desk_words import called
from web.pages import page
from web.permissions import Fresh, Permission
from web.privacy_words import kinds, words
from web.refusals import sentence
from web.visitor import AppRequest, visitor

PLACE = "/contacts/{number:int}"


@get(f"{PLACE}/data", permission=Permission.ADMINISTER, include_in_schema=False)
async def shown(request: AppRequest, number: FromPath[int]) -> Response[str]:
    """What is held, in counts. Raises NotFound."""
    return await _shown(request, number)


async def _shown(request: AppRequest, number: int, status: int = 200, problem: str = "") -> Response[str]:
    held = await erasing.held(request.app.state.runtime, number)
    rows = [(name, held.rows.get(table, 0)) for table, name in kinds().items() if held.rows.get(table)]
    who = called(held.name, held.phone, whole=True)
    return page(request, "contacts/data.html", status, held=held, rows=rows, who=who, problem=problem)


@post(f"{PLACE}/export", permission=Permission.ADMINISTER, fresh=Fresh.ALWAYS, include_in_schema=False, status_code=200)
async def export(request: AppRequest, number: FromPath[int]) -> Response[bytes]:
    """Everything as a ZIP. Raises NotFound."""
    found = await portrait.export(request.app.state.runtime, number, visitor(request).actor)
    headers = {"Content-Disposition": f'attachment; filename="pessoa-{number}.zip"', "Cache-Control": "no-store"}
    return Response(portrait.archive(found, words()), media_type="application/zip", headers=headers)


@post(f"{PLACE}/erase", permission=Permission.ADMINISTER, fresh=Fresh.ALWAYS, include_in_schema=False, status_code=200)
async def erase(request: AppRequest, number: FromPath[int]) -> Response[str]:
    """Erase, once the person's number was typed. Raises NotFound."""
    if (await forms.fields(request)).get("sure", "").strip().lstrip("#") != str(number):
        return await _shown(request, number, 422, sentence(Refused("erase_unsure", number=number)))
    erased = await erasing.erase(request.app.state.runtime, number, visitor(request).actor)
    rows = [(name, erased.rows.get(table, 0)) for table, name in kinds().items() if erased.rows.get(table)]
    return page(request, "contacts/erased.html", erased=erased, rows=rows)
