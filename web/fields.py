"""Fields of the editor's panels: what they hold, what their author saw, what was typed and why it was not taken."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.core import sentences
from engine.core.durations import human, parse
from engine.core.flow import Look, Millis
from web.i18n import gettext

__all__ = ["Conflict", "Field", "Fields", "NewPanel", "Typed", "entry", "row", "shown_value"]


@dataclass(frozen=True, slots=True)
class Field:
    """One field that saves by itself. `seen` is the document's value as JSON: what the author saw."""

    key: str
    name: str
    action: str
    value: object
    seen: str
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Conflict:
    """Somebody changed the same field first. `theirs` is JSON for the next try, the rest is for reading.

    `by` is who and when, "" where it is not known.
    """

    action: str
    field: str
    mine: tuple[str, ...]
    mine_shown: str
    theirs: str
    theirs_shown: str
    by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPanel:
    """A form for something new, with what was typed so far."""

    form: Mapping[str, str]
    problem: str | None = None
    looks: tuple[tuple[str, str], ...] = ()
    events: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = ()
    actions: tuple[tuple[str, str], ...] = ()
    conflict: None = None


@dataclass(frozen=True, slots=True)
class Typed:
    """What a person typed into one field and why it was not taken."""

    key: str
    values: tuple[str, ...]
    problem: str


@dataclass
class Fields:
    """Makes the fields of one object, keeping what was typed in a field that has to be corrected."""

    action: str
    raw: Mapping[str, object]
    typed: Typed | None
    made: dict[str, Field] = field(default_factory=dict)

    def add(
        self, name: str, value: object, *, key: str = "", document_name: str = "", keep_empty: bool = False
    ) -> None:
        """`value` is a tuple where there is more than one; of those that were typed, empty ones stay only on demand."""
        key, document_name = key or name, document_name or name
        seen = json.dumps(self.raw.get(document_name), ensure_ascii=False)
        problem = None
        if self.typed is not None and self.typed.key == key:
            problem = self.typed.problem
            several = tuple(v for v in self.typed.values if v or keep_empty)
            value = several if isinstance(value, tuple) else "".join(self.typed.values)
        self.made[name] = Field(key, document_name, self.action, value, seen, problem)


def shown_value(field_name: str, value: object, language: str) -> str:
    """A document's value as a person reads it, for the card of a conflict."""
    if value is None or value == []:
        return gettext("nothing")
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if field_name == "look" and value in list(Look):
        return sentences.look_name(Look(str(value)), language)
    if field_name == "shares" and isinstance(value, Mapping):
        return " / ".join(f"{share} %" for share in value.values())
    if isinstance(value, Mapping) and "rows" in value:
        return shown_value(field_name, value["rows"], language)
    if isinstance(value, Mapping) and "title" in value:
        return shown_value(field_name, value["title"], language)
    if isinstance(value, Mapping) and (said := value.get("caption", value.get("text"))) is not None:
        return shown_value(field_name, said, language)
    if isinstance(value, Mapping):
        return str(value.get(language) or next(iter(value.values()), ""))
    if isinstance(value, list):
        return ", ".join(shown_value(field_name, one, language) for one in value)
    if field_name in ("deadline", "jitter") and isinstance(value, str):
        return _span(value, language)
    return str(value)


def _span(value: str, language: str) -> str:
    ms: Millis | None = parse(value)
    return human(ms, language) if ms is not None else value


def entry(tree: Mapping[str, object], section: str, name: str) -> Mapping[str, object]:
    table = tree.get(section)
    found = table.get(name) if isinstance(table, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def row(tree: Mapping[str, object], ident: str) -> Mapping[str, object]:
    for section in ("transitions", "globals"):
        rows = tree.get(section)
        for one in rows if isinstance(rows, list) else ():
            if isinstance(one, Mapping) and one.get("id") == ident:
                return one
    return {}
