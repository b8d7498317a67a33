"""Who else is editing, in words."""

from collections.abc import Iterable
from dataclasses import dataclass

from engine.services.presence import Present
from web.i18n import gettext

__all__ = ["Person", "presences"]


@dataclass(frozen=True, slots=True)
class Person:
    """One chip: whose, what it says, where a click leads."""

    name: str
    words: str
    sel: str


def presences(people: Iterable[Present]) -> tuple[Person, ...]:
    """A chip for each."""
    return tuple(Person(one.name, _words(one), one.sel if one.sel.startswith(("s:", "t:")) else "") for one in people)


def _words(one: Present) -> str:
    kind, _, name = one.sel.partition(":")
    if kind in ("s", "t") and name:
        return gettext("%(who)s is editing %(what)s") % {"who": one.name, "what": name}
    return gettext("%(who)s is editing") % {"who": one.name}
