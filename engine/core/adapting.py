"""A conversation's context as another version of its flow knows it (R61).

A value stays when the new version has the field and the value fits it; else the field starts at its default, as in a
new conversation, and a field that is gone is dropped.
"""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from engine.core.flow import Field, FieldType, Flow, Value

__all__ = ["Adapted", "adapting"]

Adapted: TypeAlias = Callable[[Mapping[str, Value]], dict[str, Value]]
_WHOLE = (FieldType.INT, FieldType.TIMESTAMP, FieldType.DURATION, FieldType.MONEY)


def adapting(old: Flow, new: Flow) -> Adapted | None:
    """What to do with each context, or None when both versions declare the same fields."""
    if {**old.context} == {**new.context}:
        return None

    def adapted(context: Mapping[str, Value]) -> dict[str, Value]:
        found = {name: _kept(field, context.get(name)) for name, field in new.context.items()}
        return {name: value for name, value in found.items() if value is not None}

    return adapted


def _kept(field: Field, value: Value) -> Value:
    if value is None:
        return field.default
    if not _fits(field, value):
        return field.default
    if isinstance(value, int | float) and not isinstance(value, bool):
        if field.min is not None and value < field.min:
            return field.min
        if field.max is not None and value > field.max:
            return field.max
    return value


def _fits(field: Field, value: Value) -> bool:
    if isinstance(value, bool):
        return field.type is FieldType.BOOL
    if isinstance(value, int):
        return field.type in _WHOLE or field.type is FieldType.DOUBLE
    if isinstance(value, float):
        return field.type is FieldType.DOUBLE
    if isinstance(value, tuple):
        return field.type is FieldType.LIST
    return field.type is FieldType.TEXT or (field.type is FieldType.ENUM and value in field.values)
