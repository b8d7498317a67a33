"""The body of an event from another system: read strictly, every mistake told with its place."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from engine.adapters.timestamps import to_millis
from engine.core.document_events import DECISIONS
from engine.core.errors import InvalidDocument, Mistake
from engine.core.flow import EventType, FieldType, Flow, Millis, Source, Value
from engine.core.folding import sanitise

__all__ = ["Asked", "data_of", "known_event", "read_body"]

KEYS = ("id", "contact", "flow", "type", "data", "at")
REQUIRED = ("id", "contact", "flow", "type")
LONGEST_ID = 128
LONGEST_TEXT = 4_096
MOST_ITEMS = 100
LARGEST = 2**63
SOURCES = (Source.API, Source.PAYMENT, Source.HUMAN)
_PHONE = re.compile(r"\+?[\d\s().\-/]{8,24}", re.ASCII)
_WHOLE = (FieldType.INT, FieldType.MONEY, FieldType.DURATION)
_WORDS: Mapping[FieldType, str] = {
    FieldType.INT: "a whole number",
    FieldType.MONEY: "a whole number of cents",
    FieldType.DURATION: "a whole number of milliseconds",
    FieldType.DOUBLE: "a number",
    FieldType.BOOL: "true or false",
    FieldType.TEXT: f"a text of at most {LONGEST_TEXT} characters",
    FieldType.ENUM: f"a text of at most {LONGEST_TEXT} characters",
    FieldType.TIMESTAMP: "an instant, such as 2026-08-01T10:00:00Z",
    FieldType.LIST: f"a list of at most {MOST_ITEMS} texts",
}


@dataclass(frozen=True, slots=True)
class Asked:
    """A body whose form is right. `phone` is as it was spelled; `at` None: when it arrives."""

    id: str
    phone: str
    flow: str
    type: str
    data: Mapping[str, object]
    at: Millis | None


def read_body(tree: Mapping[str, object]) -> Asked:
    """Raises InvalidDocument with every mistake in the form."""
    mistakes = [
        Mistake(str(key)[:64], f"is not known here; the keys are {', '.join(KEYS)}") for key in tree if key not in KEYS
    ]
    mistakes += [Mistake(key, "is missing") for key in REQUIRED if key not in tree]
    told: dict[str, str] = {}
    for key in REQUIRED:
        value = tree.get(key)
        if isinstance(value, str) and 0 < len(value) <= LONGEST_ID and value.isprintable():
            told[key] = value
        elif key in tree:
            mistakes.append(Mistake(key, f"must be a text of 1 to {LONGEST_ID} printable characters"))
    phone = told.get("contact", "").strip()
    if "contact" in told and not (_PHONE.fullmatch(phone) and 8 <= sum(map(str.isdigit, phone)) <= 15):
        mistakes.append(Mistake("contact", "must be a telephone number with its country code, such as 5541999990000"))
    data, at = tree.get("data"), tree.get("at")
    if data is not None and not isinstance(data, Mapping):
        mistakes.append(Mistake("data", "must be an object"))
    instant = to_millis(at, "UTC")
    if at is not None and instant is None:
        mistakes.append(Mistake("at", f"must be {_WORDS[FieldType.TIMESTAMP]}"))
    if mistakes:
        raise InvalidDocument(mistakes)
    return Asked(told["id"], phone, told["flow"], told["type"], data if isinstance(data, Mapping) else {}, instant)


def known_event(flow: Flow, name: str) -> EventType:
    """The event of the flow that another system may send. Raises InvalidDocument."""
    decisions = DECISIONS.keys() if flow.decides else ()
    allowed = sorted(n for n, kind in flow.events.items() if kind.source in SOURCES and n not in decisions)
    kind = flow.events.get(name)
    if kind is None or name not in allowed:
        only = "who may approve" if name in decisions else kind.source.value if kind else ""
        what = "does not exist in this flow" if kind is None else f"comes from {only} alone"
        raise InvalidDocument(
            [Mistake("type", f"{name} {what}; what may be sent is {', '.join(allowed) or 'nothing'}")]
        )
    return kind


def data_of(flow: Flow, name: str, given: Mapping[str, object]) -> dict[str, Value]:
    """The data as the flow declares it, or as what the event falls back to does. Raises InvalidDocument."""
    declared: dict[str, FieldType] = {}
    for event in reversed(flow.fallbacks(name)):
        if (kind := flow.events.get(event)) is not None:
            declared |= kind.data
    found, mistakes = dict[str, Value](), list[Mistake]()
    for key, value in given.items():
        if key not in declared:
            known = ", ".join(sorted(declared)) or "nothing"
            mistakes.append(Mistake(f"data.{str(key)[:64]}", f"is not declared by {name}; it brings {known}"))
        elif value is not None:
            read = _value(declared[key], value)
            if read is None:
                mistakes.append(Mistake(f"data.{key}", f"must be {_WORDS[declared[key]]}"))
            else:
                found[key] = read
    if mistakes:
        raise InvalidDocument(mistakes)
    return found


def _value(kind: FieldType, value: object) -> Value:
    """The value in its type, or None when it is of another."""
    if kind is FieldType.BOOL:
        return value if isinstance(value, bool) else None
    if kind is FieldType.LIST:
        return _texts(value)
    if kind is FieldType.TIMESTAMP:
        return to_millis(value, "UTC")
    if kind in (FieldType.TEXT, FieldType.ENUM):
        return _text(value)
    if isinstance(value, bool) or not isinstance(value, int | float) or not -LARGEST < value < LARGEST:
        return None  # too large for a database; no infinity and no NaN passes here either
    if kind in _WHOLE:
        return int(value) if value == int(value) else None
    return float(value)


def _texts(value: object) -> tuple[str, ...] | None:
    if not isinstance(value, list) or len(value) > MOST_ITEMS:
        return None
    texts = tuple(text for item in value if (text := _text(item)) is not None)
    return texts if len(texts) == len(value) else None


def _text(value: object) -> str | None:
    return sanitise(value)[0] if isinstance(value, str) and len(value) <= LONGEST_TEXT else None
