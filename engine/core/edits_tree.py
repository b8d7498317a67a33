"""Reading and changing one level of a document's tree without touching the tree that was given."""

from collections.abc import Container, Mapping

from engine.core.document_reader import LONGEST_NAME, NAME
from engine.core.errors import Refused

Tree = dict[str, object]
ARROWS = ("transitions", "globals")
"""The two lists of arrows."""


def new_name(name: str, taken: Container[object]) -> None:
    """Refuse a name that is taken or cannot be one."""
    if not NAME.fullmatch(name) or len(name) > LONGEST_NAME:
        raise Refused("bad_name", name=name)
    if name in taken:
        raise Refused("name_taken", name=name)


def replaced(entry: Mapping[str, object], field: str, value: object) -> Tree:
    """The entry with a field set; None takes the field out."""
    if value is None:
        return {key: kept for key, kept in entry.items() if key != field}
    return {**entry, field: value}


def table_of(tree: Mapping[str, object], section: str) -> Mapping[str, object]:
    return entry_of(tree.get(section))


def entry_of(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}


def rows_of(tree: Mapping[str, object], section: str) -> list[Mapping[str, object]]:
    """The tables of a list; none where the section is missing."""
    found = tree.get(section)
    return [row for row in found if isinstance(row, Mapping)] if isinstance(found, list | tuple) else []


def names_of(value: object) -> list[object]:
    """One name or several, as a list."""
    return list(value) if isinstance(value, list | tuple) else [value]
