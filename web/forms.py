"""What a form sent, as plain values: one text per field, nothing else."""

from collections.abc import Mapping

from litestar.datastructures import FormMultiDict, UploadFile
from litestar.exceptions import ClientException

from web.visitor import AppRequest

LONGEST = 20_000
"""Characters of one field; a whole form is limited by the route."""
HELD = "held_form"


async def read(request: AppRequest) -> FormMultiDict:
    """The form as it came, or the one that waited for a password. Raises ClientException (400) for one that is written
    in no alphabet that there is.
    """
    held = request.scope["state"].get(HELD)
    if isinstance(held, FormMultiDict):
        return held
    try:
        return await request.form()
    except (LookupError, UnicodeError) as error:
        raise ClientException("the form cannot be read") from error


async def fields(request: AppRequest) -> Mapping[str, str]:
    """The fields of a form, the last one of a name. Files and NUL characters never get through."""
    form = await read(request)
    return {name: _clean(value) for name, value in _pairs(form) if isinstance(value, str)}


async def several(request: AppRequest, name: str) -> tuple[str, ...]:
    """All values of a field that may be given more than once, in order."""
    form = await read(request)
    return tuple(_clean(value) for key, value in _pairs(form) if key == name and isinstance(value, str))


async def pairs(request: AppRequest) -> list[tuple[str, str]]:
    """All fields in order, files left out."""
    return [(name, _clean(value)) for name, value in _pairs(await read(request)) if isinstance(value, str)]


def put(request: AppRequest, fields: list[tuple[str, str]]) -> None:
    """From here on the request's form is this one."""
    request.scope["state"][HELD] = FormMultiDict(fields)


def _pairs(form: FormMultiDict) -> list[tuple[str, object]]:
    return [(str(name), value) for name, value in form.multi_items()]


def _clean(value: str) -> str:
    # A browser sends line ends as CR LF; the store takes neither NUL nor half a surrogate pair.
    kept = value.replace("\r\n", "\n").replace("\x00", "").encode("utf-8", "ignore").decode()
    return kept[:LONGEST]


async def upload(request: AppRequest, name: str, most: int) -> tuple[str, bytes] | None:
    """A file of a form: its name, and its first `most` bytes and one more; None where none was chosen."""
    form = await read(request)
    found = form.get(name)
    if not isinstance(found, UploadFile) or not found.filename:
        return None
    return found.filename, await found.read(most + 1)


async def drop(request: AppRequest) -> None:
    """Let go of the files of a form that nobody will read; the framework does so only after a handler."""
    if "multipart" in request.headers.get("content-type", ""):
        await (await read(request)).close()


def whole(text: str | None) -> int | None:
    """A whole number from 0, or None."""
    return int(text) if text and text.isascii() and text.isdecimal() and len(text) < 16 else None
