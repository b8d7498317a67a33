"""What a form sent, as plain values: one text per field, nothing else."""

from collections.abc import Mapping

from litestar.datastructures import FormMultiDict
from litestar.exceptions import ClientException

from web.visitor import AppRequest

LONGEST = 20_000
"""Characters of one field; a whole form is limited by the route."""


async def read(request: AppRequest) -> FormMultiDict:
    """The form as it came. Raises ClientException (400) for one that is written in no alphabet that there is."""
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


def _pairs(form: FormMultiDict) -> list[tuple[str, object]]:
    return [(str(name), value) for name, value in form.multi_items()]


def _clean(value: str) -> str:
    # A browser sends line ends as CR LF; the store takes neither NUL nor half a surrogate pair.
    kept = value.replace("\r\n", "\n").replace("\x00", "").encode("utf-8", "ignore").decode()
    return kept[:LONGEST]


def whole(text: str | None) -> int | None:
    """A whole number from 0, or None."""
    return int(text) if text and text.isascii() and text.isdecimal() and len(text) < 16 else None
