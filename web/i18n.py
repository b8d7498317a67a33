"""The language of a page: choosing it and translating by the catalogues. Messages in code are English sentences."""

import gettext as stdlib_gettext
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from io import BytesIO
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

__all__ = ["DEFAULT", "LANGUAGES", "catalogue", "choose", "current", "gettext", "ngettext", "speaking", "use"]

DEFAULT = "pt-BR"
LANGUAGES: dict[str, str] = {"pt-BR": "Português (Brasil)", "en": "English"}
"""Language tag to its own name."""

LOCALES = Path(__file__).parent / "locales"
_current: ContextVar[str] = ContextVar("language", default=DEFAULT)


@cache
def catalogue(language: str) -> stdlib_gettext.GNUTranslations:
    """The translations of one language, compiled in memory: there is no build step to forget."""
    folder = language.replace("-", "_")
    with (LOCALES / folder / "LC_MESSAGES" / "trilho.po").open("rb") as source:
        messages = read_po(source, locale=folder)
    compiled = BytesIO()
    write_mo(compiled, messages)
    compiled.seek(0)
    return stdlib_gettext.GNUTranslations(compiled)


def choose(wanted: str | None, cookie: str | None, accepted: str) -> str:
    """The user's own setting, else the cookie, else the first language of `Accept-Language` that we speak."""
    for tag in (wanted, cookie, *_ranked(accepted)):
        found = _spoken(tag)
        if found is not None:
            return found
    return DEFAULT


def _spoken(tag: str | None) -> str | None:
    if not tag:
        return None
    start = tag.strip().lower().split("-")[0]
    return next((language for language in LANGUAGES if language.lower().split("-")[0] == start), None)


def _ranked(accepted: str) -> Iterator[str]:
    """The tags of an `Accept-Language` header, most wanted first; a malformed weight counts as none."""
    weighted: list[tuple[float, int, str]] = []
    for place, item in enumerate(accepted.split(",")[:20]):
        tag, _, weight = item.partition(";q=")
        try:
            weighted.append((-float(weight or 1), place, tag))
        except ValueError:
            weighted.append((0.0, place, tag))
    return (tag for _, _, tag in sorted(weighted))


def use(language: str) -> None:
    """Speak `language` for the rest of this request."""
    _current.set(language)


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Speak `language` inside the block."""
    token = _current.set(language)
    try:
        yield
    finally:
        _current.reset(token)


def current() -> str:
    """The tag of the language spoken now."""
    return _current.get()


def gettext(message: str) -> str:
    """The message in the current language."""
    return catalogue(_current.get()).gettext(message)


def ngettext(one: str, many: str, number: int) -> str:
    """The message in the current language, in the plural form that `number` needs."""
    return catalogue(_current.get()).ngettext(one, many, number)
