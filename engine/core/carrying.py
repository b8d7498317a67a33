"""Taking a state of one flow into another: with the actions, events, fields and phrases that it needs.

A parcel is a small document of its own, JSON: `states`, `transitions` (those that leave the states), `ignore`, `actions`,
`events`, `context`, `understanding`; `flow` is where it is from, `general` that flow's general message event.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from engine.core.canonical import canonical
from engine.core.document_events import CLOCK
from engine.core.document_fields import renamed_field
from engine.core.document_names import renamed_action, renamed_event, renamed_state
from engine.core.edits_arrows import fresh_id
from engine.core.edits_splits import kept_whole
from engine.core.edits_tree import Tree, rows_of, table_of
from engine.core.errors import NotFound
from engine.core.flow import PREVIOUS, Flow

__all__ = ["Carried", "LeftOut", "Renamed", "parcel", "unpacked"]

_Rename = Callable[[Mapping[str, object], str, str], Tree]
_SECTIONS: Mapping[str, tuple[str, _Rename]] = {
    "action": ("actions", renamed_action),
    "event": ("events", renamed_event),
    "field": ("context", renamed_field),
}


@dataclass(frozen=True, slots=True)
class Renamed:
    """A name that meant something else in the other flow, or the general event, which is that flow's own."""

    kind: str
    name: str
    to: str


@dataclass(frozen=True, slots=True)
class LeftOut:
    """An arrow whose target is not there."""

    frm: str
    on: str
    to: str


@dataclass(frozen=True, slots=True)
class Carried:
    """The other document with the states in it. `states` are their names there, `same` what was there already alike."""

    tree: Tree
    states: tuple[str, ...]
    renamed: tuple[Renamed, ...]
    same: tuple[str, ...]
    left_out: tuple[LeftOut, ...]


def parcel(tree: Mapping[str, object], flow: Flow, names: Sequence[str]) -> Tree:
    """The states with what they need. Raises NotFound for a state that is not there."""
    states = table_of(tree, "states")
    for name in names:
        if name not in states:
            raise NotFound("state", name)
    made: Tree = {
        "flow": flow.slug,
        "general": flow.general_message,
        "states": {name: states[name] for name in names},
        "transitions": [row for row in rows_of(tree, "transitions") if row.get("from") in names],
        "ignore": [row for row in rows_of(tree, "ignore") if row.get("state") in names],
        **{section: {} for section, _ in _SECTIONS.values()},
    }
    grown = True
    while grown:
        grown = False
        for section, rename in _SECTIONS.values():
            had = table_of(made, section)
            for name, entry in table_of(tree, section).items():
                if name not in had and name not in CLOCK and rename(made, name, "\x00") != made:
                    made[section] = {**table_of(made, section), name: entry}
                    grown = True
    events = table_of(made, "events")
    return {**made, "understanding": [row for row in rows_of(tree, "understanding") if row.get("event") in events]}


def unpacked(tree: Mapping[str, object], flow: Flow, packed: Mapping[str, object]) -> Carried:
    """The document with a parcel in it; whether it can be read is for `document.read` to say."""
    notes: list[Renamed] = []
    made: Tree = dict(packed)
    general = str(packed.get("general"))
    if general in table_of(made, "events"):
        made = {**made, "events": {key: one for key, one in table_of(made, "events").items() if key != general}}
        made["understanding"] = [row for row in rows_of(made, "understanding") if row.get("event") != general]
        if general != flow.general_message:
            made = renamed_event(made, general, flow.general_message)
            notes.append(Renamed("event", general, flow.general_message))
    made, renamed, same = _settled(tree, made)
    made, states = _named_states(tree, made)
    kept, left_out = _arrows(tree, made)
    new_events = set(table_of(made, "events")) - set(table_of(tree, "events"))
    whole: Tree = {**tree, "states": {**table_of(tree, "states"), **table_of(made, "states")}}
    for section, _ in _SECTIONS.values():
        if added := {**table_of(made, section), **table_of(tree, section)}:
            whole[section] = added
    whole["transitions"] = [*rows_of(tree, "transitions"), *kept]
    if phrases := [row for row in rows_of(made, "understanding") if row.get("event") in new_events]:
        whole["understanding"] = [*rows_of(tree, "understanding"), *phrases]
    if ignored := rows_of(made, "ignore"):
        whole["ignore"] = [*rows_of(tree, "ignore"), *ignored]
    return Carried(whole, states, (*notes, *renamed, *_moved(packed, states)), same, left_out)


def _settled(tree: Mapping[str, object], made: Tree) -> tuple[Tree, list[Renamed], tuple[str, ...]]:
    """What has the name of something else gets a free one; what is alike is left to the flow that has it.

    A renamed event changes the actions that lead to it, so this goes on until nothing meets anything else.
    """
    notes: list[Renamed] = []
    meets = _meeting(tree, made)
    while meets:
        kind, name = meets
        section, rename = _SECTIONS[kind]
        to = _free(name, {**table_of(tree, section), **table_of(made, section)})
        entry = table_of(made, section)[name]
        # What an earlier paste brought under another name is used again.
        to = next((key for key in _numbered(name, tree, section) if _same(entry, table_of(tree, section)[key])), to)
        made = rename(made, name, to)
        entries = table_of(made, section)
        made[section] = {(to if key == name else key): entry for key, entry in entries.items()}
        notes.append(Renamed(kind, name, to))
        meets = _meeting(tree, made)
    same = tuple(
        name for section, _ in _SECTIONS.values() for name in table_of(made, section) if name in table_of(tree, section)
    )
    return made, notes, same


def _meeting(tree: Mapping[str, object], made: Mapping[str, object]) -> tuple[str, str] | None:
    for kind, (section, _) in _SECTIONS.items():
        there = table_of(tree, section)
        for name, entry in table_of(made, section).items():
            if name in there and not _same(entry, there[name]):
                return kind, name
    return None


def _named_states(tree: Mapping[str, object], made: Tree) -> tuple[Tree, tuple[str, ...]]:
    """The states under free names."""
    names = []
    for name in list(table_of(made, "states")):
        to = name
        if name in table_of(tree, "states"):
            to = _free(name, {**table_of(tree, "states"), **table_of(made, "states")})
            made = renamed_state(made, name, to)
            made["states"] = {(to if key == name else key): one for key, one in table_of(made, "states").items()}
        names.append(to)
    return made, tuple(names)


def _moved(packed: Mapping[str, object], states: Sequence[str]) -> list[Renamed]:
    pairs = zip(table_of(packed, "states"), states, strict=True)
    return [Renamed("state", name, to) for name, to in pairs if name != to]


def _arrows(tree: Mapping[str, object], made: Mapping[str, object]) -> tuple[list[Tree], tuple[LeftOut, ...]]:
    """The arrows that lead somewhere, under ids of their own, and those that do not, whose shares the others take."""
    there = {*table_of(tree, "states"), *table_of(made, "states"), PREVIOUS}
    leading = [row for row in rows_of(made, "transitions") if row.get("to") in there]
    kept: list[Tree] = []
    for row in rows_of(kept_whole(made, {**made, "transitions": leading}), "transitions"):
        ident = fresh_id({**tree, "transitions": [*rows_of(tree, "transitions"), *kept]})
        kept.append({**row, "id": ident})
    left = [row for row in rows_of(made, "transitions") if row not in leading]
    return kept, tuple(LeftOut(str(row.get("from")), str(row.get("on")), str(row.get("to"))) for row in left)


def _numbered(name: str, tree: Mapping[str, object], section: str) -> list[str]:
    return [key for key in table_of(tree, section) if key.removeprefix(f"{name}_").isdecimal()]


def _same(one: object, other: object) -> bool:
    return canonical(one) == canonical(other)


def _free(name: str, taken: Mapping[str, object]) -> str:
    number = 2
    while f"{name}_{number}" in taken:
        number += 1
    return f"{name}_{number}"
