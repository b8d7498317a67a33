"""Conditions and assignments of the arrows: the typed language, read where a document holds it."""

from collections.abc import Mapping
from functools import cache

from engine.core.document_messages import condition_facts
from engine.core.document_reader import Place, shape
from engine.core.errors import GuardError
from engine.core.flow import Assignment, EventType, Field, FieldType
from engine.core.guards import language, scope
from engine.core.guards.kinds import Kind
from engine.core.guards.language import Expr
from engine.core.guards.syntax import Literal


class Conditions:
    """Reads `when` and `set` of arrows over one flow's fields and events. Not shared between documents."""

    def __init__(self, fields: Mapping[str, Field], events: Mapping[str, EventType]) -> None:
        self._fields, self._events = fields, events
        self._scope = cache(lambda event: scope.declare(self._fields, self._events[event].data))

    def condition(self, place: Place, event: str) -> Expr | None:
        """A guard on an event; what it says about a mistake is the language's own sentence."""
        source = place.string()
        if source is None:
            return None
        try:
            return language.parse_guard(source, self._scope(event))
        except GuardError as error:
            place.wrong("guard", **condition_facts(error))
            return None

    def assignments(self, place: Place, event: str) -> tuple[Assignment, ...]:
        """`{toques: "toques + 1"}`; plain numbers and flags may stand without quotes."""
        made = []
        for name, entry in place.entries(500).items():
            key = Place(name, entry.path, entry.notes)
            if key.known("field", self._fields) is None:
                continue
            source = _source(entry, self._fields[name])
            if source is not None and (value := self._expression(entry, source, event, self._fields[name])) is not None:
                made.append(Assignment(name, value))
        return tuple(made)

    def _expression(self, place: Place, source: str, event: str, target: Field) -> Expr | None:
        try:
            value = language.parse(source, self._scope(event))
        except GuardError as error:
            place.wrong("expression", **condition_facts(error))
            return None
        clears = value.kind is Kind.NULL and target.optional
        if value.kind is not scope.KINDS[target.type] and not clears:
            place.wrong("set_type", field=target.name, type=target.type, found=value.kind)
            return None
        if target.type is FieldType.ENUM and isinstance(value.root, Literal) and value.root.value not in target.values:
            options = ", ".join(target.values)
            place.wrong("set_value", value=str(value.root.value)[:64], field=target.name, options=options)
            return None
        return value


def _source(place: Place, target: Field) -> str | None:
    given = place.value
    if isinstance(given, bool):
        return str(given).lower()
    if isinstance(given, int | float):
        return repr(float(given)) if target.type is FieldType.DOUBLE else repr(given)
    if isinstance(given, str):
        return place.string()
    place.wrong("not_text", found=shape(given))
    return None
