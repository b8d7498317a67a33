"""What differs between two documents, entry by entry: which states, transitions, actions… are new, gone or changed."""

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["Change", "changes"]

SECTIONS = ("states", "transitions", "globals", "actions", "events", "context", "understanding", "ignore", "rules")
"""The parts that hold entries; every other key of a document is one entry of the part `flow`."""


@dataclass(frozen=True, slots=True)
class Change:
    """One entry that differs. `kind`: added, removed, changed. `fields` names what differs in a changed one."""

    section: str
    name: str
    kind: str
    fields: tuple[str, ...] = ()


def changes(old: Mapping[str, object], new: Mapping[str, object]) -> tuple[Change, ...]:
    """Every difference from the old document to the new one, in the order of sections and names."""
    found = []
    for section in SECTIONS:
        found += _compared(section, _entries(old.get(section)), _entries(new.get(section)))
    return (*_compared("flow", _plain(old), _plain(new)), *found)


def _plain(tree: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in tree.items() if name not in SECTIONS}


def _entries(part: object) -> dict[str, object]:
    """The entries by name: a table's keys, a row's `id`, and else its place in the list."""
    if isinstance(part, Mapping):
        return dict(part)
    if not isinstance(part, list | tuple):
        return {}
    return {
        str(row.get("id") or row.get("event") or row.get("state") or "") + ("" if row.get("id") else f"[{place}]")
        if isinstance(row, Mapping)
        else f"[{place}]": row
        for place, row in enumerate(part)
    }


def _compared(section: str, old: Mapping[str, object], new: Mapping[str, object]) -> list[Change]:
    found = []
    for name in sorted({*old, *new}):
        if name not in old:
            found.append(Change(section, name, "added"))
        elif name not in new:
            found.append(Change(section, name, "removed"))
        elif old[name] != new[name]:
            found.append(Change(section, name, "changed", _fields(old[name], new[name])))
    return found


def _fields(old: object, new: object) -> tuple[str, ...]:
    if not isinstance(old, Mapping) or not isinstance(new, Mapping):
        return ()
    return tuple(sorted(name for name in {*old, *new} if old.get(name) != new.get(name)))
