"""A new event, message or field as a form describes it, with a name made from the words that were typed."""

from collections.abc import Mapping

from engine.core.errors import Refused
from engine.core.flow import FieldType, Flow, Source
from web import i18n
from web.draft_edits import Edit
from web.i18n import gettext
from web.new_words import name_of_words

__all__ = ["FIELD_TYPES", "SOURCES", "new_message", "new_name"]

SOURCES = (Source.MESSAGE, Source.PAYMENT, Source.HUMAN, Source.API)
"""Where an event that somebody adds may come from; the clock and effects have their own."""
FIELD_TYPES = (
    FieldType.INT, FieldType.MONEY, FieldType.TEXT, FieldType.BOOL, FieldType.ENUM, FieldType.DURATION, FieldType.TIMESTAMP,
)  # fmt: skip


def new_name(flow: Flow, kind: str, form: Mapping[str, str]) -> Edit:
    """The edit that adds an `event`, an `action` (a message) or a `field`. Raises Refused."""
    if kind == "action":
        return new_message(form)
    words = form.get("words", "").strip()
    entry = _event(flow, form) if kind == "event" else _field(form)
    return {"op": f"add_{kind}", "id": name_of_words(words), "fields": {**entry, **_label(words)}}


def new_message(form: Mapping[str, str]) -> Edit:
    """The edit that adds a message. Raises Refused: word_missing, text_missing."""
    words, text = form.get("words", "").strip(), form.get("text", "").strip()
    name = name_of_words(words)
    if not text:
        raise Refused("text_missing")
    return {"op": "add_action", "id": name, "fields": {"kind": "send", "text": text, **_label(words)}}


def _label(words: str) -> dict[str, object]:
    """The words as they were typed, where the name is not the same."""
    return {"label": {i18n.current(): words}} if words != name_of_words(words) else {}


def _event(flow: Flow, form: Mapping[str, str]) -> dict[str, object]:
    source = form.get("source", "")
    if source not in SOURCES:
        raise Refused("choice_missing", what=gettext("where it comes from"))
    # What a customer says is at least a message: where a state does not wait for it, it counts as one (R2).
    falls = {"falls_back_to": flow.general_message, "priority": 10} if source == Source.MESSAGE else {}
    return {"source": source, **falls}


def _field(form: Mapping[str, str]) -> dict[str, object]:
    kind = form.get("type", "")
    if kind not in FIELD_TYPES:
        raise Refused("choice_missing", what=gettext("what it holds"))
    if kind == FieldType.ENUM:
        values = list(dict.fromkeys(value.strip() for value in form.get("values", "").split(",") if value.strip()))
        if len(values) < 2:
            raise Refused("values_few")
        return {"type": kind, "values": values, "default": values[0]}
    counted = kind in (FieldType.INT, FieldType.MONEY, FieldType.BOOL)
    return {"type": kind, **({} if counted else {"optional": True})}
