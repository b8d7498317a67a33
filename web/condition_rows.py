"""The condition of an arrow as a person chooses it: rows of field, sign and value, and from the form to a condition."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from engine.core.durations import human, parse_human
from engine.core.errors import Refused
from engine.core.flow import FieldType, Flow, Transition
from engine.core.guards.kinds import Kind, Scope
from engine.core.guards.rows import SIGNS, WITHOUT_VALUE, Row, Value, condition, rows
from engine.core.guards.scope import KINDS, declare
from web import i18n
from web.amounts import cents
from web.desk_words import money
from web.fields import Typed
from web.flow_words import labelled
from web.i18n import gettext

__all__ = ["ConditionPanel", "ShownRow", "condition_of", "condition_panel", "field_name", "value_words"]

OTHERWISE = "otherwise"
_UNTOLD = frozenset({"contact.timezone", "contact.tracking", "last_inbound"})
"""What a condition may read and nobody would choose from a list."""
_WHOLE = re.compile(r"-?\d{1,15}", re.ASCII)
_REAL = re.compile(r"-?\d{1,15}(?:[.,]\d{1,6})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class ShownRow:
    """One row of the form. `choices` are all values there are; `quiet`: this sign takes no value."""

    field: str
    sign: str
    value: str
    signs: tuple[tuple[str, str], ...]
    choices: tuple[str, ...]
    quiet: bool


@dataclass(frozen=True, slots=True)
class ConditionPanel:
    """`rows` is None where the condition is more than a list; the last row is empty. `fields` are (group, (name, label))."""

    rows: tuple[ShownRow, ...] | None
    fields: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    otherwise: bool


def condition_panel(flow: Flow, arrow: Transition, typed: Typed | None) -> ConditionPanel:
    """What the panel shows of the arrow's condition, or of what was typed and could not be taken."""
    scope, types = _scope(flow, arrow.on), _types(flow, arrow.on)
    if typed is not None and typed.key == "rows":
        values = typed.values
        given = zip(values[::3], values[1::3], values[2::3], strict=False)
        shown: Sequence[ShownRow] | None = [_shown(scope, *row) for row in given if row[0] in scope]
    else:
        found = rows(arrow.when) if arrow.when is not None else ()
        shown = None
        if found is not None and all(_is_typed(row, scope, types) for row in found):
            shown = [_shown(scope, row.field, row.sign, value_words(row.value, types[row.field])) for row in found]
    empty = ShownRow("", "", "", (), (), quiet=True)
    return ConditionPanel(
        rows=None if shown is None else (*shown, empty), fields=_fields(flow, scope), otherwise=arrow.otherwise
    )


def condition_of(flow: Flow, on: str, given: Iterable[tuple[str, str, str]]) -> str:
    """The condition that rows of (field, sign, value) make, "" for none. Raises Refused: row_field, value_missing,
    not_a_number, not_a_real, not_a_time, amount_unreadable.
    """
    chosen = [row for row in given if row[0]]
    if any(name == OTHERWISE for name, _, _ in chosen):
        return OTHERWISE
    scope, types = _scope(flow, on), _types(flow, on)
    if any(name not in scope for name, _, _ in chosen):
        raise Refused("row_field")
    found = [_read(name, sign, value.strip(), scope[name].kind, types[name]) for name, sign, value in chosen]
    return condition(found, scope) if found else ""


def _is_typed(row: Row, scope: Scope, types: Mapping[str, FieldType]) -> bool:
    """Whether the row's words would be read as the row again: a list with a comma in one of its texts would not."""
    if row.field not in scope:
        return False
    try:
        said = value_words(row.value, types[row.field])
        return _read(row.field, row.sign, said, scope[row.field].kind, types[row.field]) == row
    except Refused:
        return False


def _read(name: str, sign: str, text: str, kind: Kind, kept_as: FieldType) -> Row:
    sign = sign if sign in SIGNS[kind] else SIGNS[kind][0]
    if sign in WITHOUT_VALUE:
        return Row(name, sign)
    if not text:
        raise Refused("value_missing", field=name)
    if sign == "one_of":
        items = tuple(item.strip() for item in text.split(",") if item.strip())
        if not items:
            raise Refused("value_missing", field=name)
        return Row(name, sign, items)
    return Row(name, sign, _value(text, kept_as))


def _value(text: str, kept_as: FieldType) -> Value:
    match kept_as:
        case FieldType.MONEY:
            return cents(text)
        case FieldType.INT:
            if not _WHOLE.fullmatch(text):
                raise Refused("not_a_number", text=text)
            return int(text)
        case FieldType.DOUBLE:
            if not _REAL.fullmatch(text):
                raise Refused("not_a_real", text=text)
            return float(text.replace(",", "."))
        case FieldType.DURATION:
            if (span := parse_human(text)) is None:
                raise Refused("not_a_time", text=text)
            return span
    return text


def value_words(value: object, kept_as: FieldType) -> str:
    """A value as the form shows it and reads it again."""
    if value is None:
        return ""
    if isinstance(value, tuple):
        return ", ".join(value)
    if kept_as is FieldType.MONEY and isinstance(value, int):
        return money(value).replace("\xa0", " ") if value >= 0 else str(value)
    if kept_as is FieldType.DURATION and isinstance(value, int):
        said = human(value, i18n.current())
        return said if parse_human(said) == value else f"{value}ms"
    if kept_as is FieldType.DOUBLE and isinstance(value, float):
        return f"{value:g}" if i18n.current().startswith("en") else f"{value:g}".replace(".", ",")
    return str(value)


def _shown(scope: Scope, name: str, sign: str, value: str) -> ShownRow:
    declared = scope[name]
    signs = SIGNS[declared.kind]
    sign = sign if sign in signs else signs[0]
    choices = declared.values if sign in ("==", "!=") else ()
    words = _signs(declared.kind)
    optional = declared.optional or sign in ("set", "unset")
    offered = tuple((one, words[one]) for one in signs if optional or one not in ("set", "unset"))
    return ShownRow(name, sign, value, offered, choices, quiet=sign in WITHOUT_VALUE)


def field_name(flow: Flow, name: str) -> str:
    """A field as people call it."""
    if (own := flow.context.get(name)) is not None:
        return labelled(own.label, name)
    known = {
        "event.text": gettext("what was written"),
        "event.media": gettext("the file that came"),
        "event.button": gettext("the button"),
        "contact.name": gettext("the customer's name"),
        "contact.first_name": gettext("the customer's first name"),
        "contact.phone": gettext("the customer's phone"),
        "contact.email": gettext("the customer's e-mail"),
        "contact.language": gettext("the customer's language"),
        "contact.tags": gettext("the customer's tags"),
        "state_age": gettext("time in this state"),
    }
    return known.get(name, name.removeprefix("event."))


def _fields(flow: Flow, scope: Scope) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    groups: dict[str, list[tuple[str, str]]] = {}
    for name, declared in scope.items():
        if declared.kind in SIGNS and name not in _UNTOLD:
            groups.setdefault(_group(name), []).append((name, field_name(flow, name)))
    return tuple((title, tuple(names)) for title, names in groups.items())


def _group(name: str) -> str:
    if name.startswith("event."):
        return gettext("What just came")
    if name.startswith("contact."):
        return gettext("The customer")
    return gettext("The clock") if name == "state_age" else gettext("Fields of this flow")


def _signs(kind: Kind) -> Mapping[str, str]:
    return {
        "==": gettext("is") if kind is Kind.TEXT else "=",
        "!=": gettext("is not") if kind is Kind.TEXT else "≠",
        "<": "<",
        "<=": "≤",
        ">": ">",
        ">=": "≥",
        "contains": gettext("contains"),
        "startsWith": gettext("begins with"),
        "endsWith": gettext("ends with"),
        "one_of": gettext("is one of"),
        "set": gettext("has a value"),
        "unset": gettext("has no value"),
        "yes": gettext("is true"),
        "no": gettext("is false"),
        "includes": gettext("include"),
        "excludes": gettext("do not include"),
    }


def _scope(flow: Flow, on: str) -> Scope:
    return declare(flow.context, _data(flow, on))


def _data(flow: Flow, on: str) -> Mapping[str, FieldType]:
    return flow.events[on].data if on in flow.events else {}


def _types(flow: Flow, on: str) -> Mapping[str, FieldType]:
    """How each field is kept: money and numbers are one kind to a condition, and typed differently."""
    plain = {kind: kept_as for kept_as, kind in KINDS.items() if kept_as not in (FieldType.MONEY, FieldType.ENUM)}
    named: Sequence[tuple[str, FieldType]] = [
        *((name, field.type) for name, field in flow.context.items()),
        *((f"event.{name}", kind) for name, kind in _data(flow, on).items()),
    ]
    return {name: plain[declared.kind] for name, declared in _scope(flow, on).items()} | dict(named)
