"""The `context` section: the typed fields of a conversation."""

from datetime import datetime

from engine.core.document_reader import Place, shape
from engine.core.flow import Field, FieldType, Value

_KEYS = ("type", "default", "optional", "sensitive", "min", "max", "values", "label")
_BOUNDED = (FieldType.INT, FieldType.DOUBLE, FieldType.MONEY, FieldType.DURATION)
RESERVED = frozenset(
    [
        "true",
        "false",
        "null",
        "in",
        "has",
        "size",
        "startsWith",
        "endsWith",
        "contains",
        "now",
        "event",
        "contact",
        "state_age",
        "last_inbound",
        "otherwise",
    ]
)
"""Words of the condition language, which a field cannot take."""

_ZERO: dict[FieldType, Value] = {
    FieldType.INT: 0,
    FieldType.DOUBLE: 0.0,
    FieldType.BOOL: False,
    FieldType.TEXT: "",
    FieldType.DURATION: 0,
    FieldType.LIST: (),
    FieldType.MONEY: 0,
}
"""What a field starts with when the document does not say; an enum and a timestamp have no such value."""


def read_context(place: Place) -> dict[str, Field]:
    """Every field by its name. Money is integer cents, durations and timestamps integer ms."""
    fields: dict[str, Field] = {}

    def one(name: str, entry: Place) -> None:
        if name in RESERVED:
            entry.wrong("reserved_name", value=name)
        elif (made := _field(name, entry)) is not None:
            fields[name] = made

    place.named(500, one)
    return fields


def _field(name: str, place: Place) -> Field | None:
    keys = place.table(_KEYS, ("type",))
    kind = keys["type"].choice(FieldType) if "type" in keys else None
    if kind is None:
        return None
    low, high = _bounds(kind, keys)
    values = keys["values"].strings(filled=True) if "values" in keys else ()
    if kind is FieldType.ENUM and not values:
        place.wrong("values_missing")
    if kind is not FieldType.ENUM and "values" in keys:
        keys["values"].wrong("values_type")
    optional = keys["optional"].flag() if "optional" in keys else False
    default: Value = None
    if "default" in keys:
        default = _default(kind, keys["default"], values)
        if isinstance(default, int | float) and (
            (low is not None and default < low) or (high is not None and default > high)
        ):
            keys["default"].wrong("default_bounds")
    elif not optional:
        default = _start(kind, low, high)
        if default is None:
            place.wrong("default_missing")
    return Field(
        name=name,
        type=kind,
        default=default,
        optional=optional,
        sensitive=keys["sensitive"].flag() if "sensitive" in keys else False,
        min=low,
        max=high,
        values=values,
        label=keys["label"].text() if "label" in keys else None,
    )


def _bounds(kind: FieldType, keys: dict[str, Place]) -> tuple[int | float | None, int | float | None]:
    found: list[int | float | None] = []
    for key in ("min", "max"):
        if key in keys and kind not in _BOUNDED:
            keys[key].wrong("bounds_type", type=kind)
        found.append(_number(kind, keys[key]) if key in keys and kind in _BOUNDED else None)
    low, high = found
    if low is not None and high is not None and low > high:
        keys["min"].wrong("bounds_order")
        return None, None
    return low, high


def _number(kind: FieldType, place: Place) -> int | float | None:
    if kind is FieldType.DURATION:
        return place.duration(zero=True)
    if kind is not FieldType.DOUBLE:
        return place.integer()
    if isinstance(place.value, bool) or not isinstance(place.value, int | float):
        place.wrong("not_number", found=shape(place.value))
        return None
    return float(place.value)


def _start(kind: FieldType, low: float | None, high: float | None) -> Value:
    zero = _ZERO.get(kind)
    if kind not in _BOUNDED or not isinstance(zero, int | float):
        return zero
    return max(zero, low) if low is not None and low > 0 else min(zero, high) if high is not None else zero


def _default(kind: FieldType, place: Place, values: tuple[str, ...]) -> Value:
    given = place.value
    if kind is FieldType.DURATION:
        return place.duration(zero=True)
    if kind is FieldType.TIMESTAMP:
        return _instant(place)
    if kind is FieldType.LIST:
        return place.strings()
    fits = {
        FieldType.INT: isinstance(given, int) and not isinstance(given, bool),
        FieldType.MONEY: isinstance(given, int) and not isinstance(given, bool),
        FieldType.DOUBLE: isinstance(given, int | float) and not isinstance(given, bool),
        FieldType.BOOL: isinstance(given, bool),
        FieldType.TEXT: isinstance(given, str),
        FieldType.ENUM: isinstance(given, str),
    }
    if not fits[kind]:
        place.wrong("default_type", type=kind)
        return None
    if kind is FieldType.ENUM:
        if given not in values:
            place.wrong("not_a_choice", value=str(given)[:64], options=", ".join(values))
        return str(given)
    if isinstance(given, str):
        return place.string(blank=True)
    if isinstance(given, bool) or not isinstance(given, int | float):
        return bool(given)
    return float(given) if kind is FieldType.DOUBLE else given


def _instant(place: Place) -> Value:
    try:
        read = datetime.fromisoformat(str(place.value))
    except ValueError:
        read = None
    if read is None or read.tzinfo is None:
        place.wrong("not_instant", value=str(place.value)[:64])
        return None
    return round(read.timestamp() * 1000)
