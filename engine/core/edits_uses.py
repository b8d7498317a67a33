"""Where a name of a document is used, so that a page can say it and a deletion can be refused with it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from engine.core.document_fields import renamed_field
from engine.core.document_names import renamed_action, renamed_event, renamed_state
from engine.core.patching import patch

__all__ = ["Use", "uses"]

_NOBODY = "\x00"
"""A name that nothing has."""
_RENAMED: Mapping[str, Callable[[Mapping[str, object], str, str], Mapping[str, object]]] = {
    "state": renamed_state,
    "action": renamed_action,
    "event": lambda tree, name, to: renamed_event(tree, name, to, choices=False),
    "field": renamed_field,
}


@dataclass(frozen=True, slots=True, order=True)
class Use:
    """A place that uses a name: `section` of the document, and which of its entries; the number of a rule from 0."""

    section: str
    name: str


def uses(tree: Mapping[str, object], kind: str, name: str) -> tuple[Use, ...]:
    """Every entry that names it: what a renaming of it would change, but for the entry itself."""
    found: set[Use] = set()
    for section, rows in _sections(tree).items():
        for ident, row in rows:
            alone = {section: [row] if isinstance(tree[section], list | tuple) else {ident: row}}
            if patch(alone, _RENAMED[kind](alone, name, _NOBODY)):
                found.add(Use(section, ident))
    if kind == "state" and tree.get("initial") == name:
        found.add(Use("initial", name))
    return tuple(sorted(found))


def _sections(tree: Mapping[str, object]) -> dict[str, list[tuple[str, object]]]:
    found: dict[str, list[tuple[str, object]]] = {}
    for section, part in tree.items():
        if isinstance(part, Mapping):
            found[section] = list(part.items())
        elif isinstance(part, list | tuple):
            found[section] = [(_name(row, at), row) for at, row in enumerate(part)]
    return found


def _name(row: object, at: int) -> str:
    known = row if isinstance(row, Mapping) else {}
    return str(known.get("id") or known.get("event") or known.get("state") or at)
