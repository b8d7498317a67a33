"""From what a form says to an edit of the document: the words of people become the document's own words.

Raises Refused where words cannot be read: `not_a_time`, `not_positive`, `name_missing`, `word_missing`, `text_missing`, `stale_fix`,
`value_missing`, `noted_twice`.
"""

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from engine.core.durations import compact, parse_human
from engine.core.errors import Refused
from engine.core.flow import Flow, Send
from web.new_words import spoken

__all__ = ["Edit", "action_edit", "deletion", "fixed", "new_state", "new_transition", "renaming", "seen_value",
           "state_edit", "transition_edit"]  # fmt: skip

Edit = Mapping[str, object]
OTHERWISE = frozenset({"otherwise", "senão", "senao", "else"})
ANYWHERE = "*"


def state_edit(name: str, field: str, values: Sequence[str], raw: Mapping[str, object]) -> Edit:
    """The edit of one field of a state. `raw` is the state as the document has it."""
    text = values[0].strip() if values else ""
    if field == "name":
        return renaming("state", name, values)
    return {"op": "set_state", "id": name, "field": field, "value": _state_value(field, text, raw)}


def renaming(kind: str, name: str, values: Sequence[str]) -> Edit:
    """The edit that gives a state, event, action or field another name, everywhere."""
    text = values[0].strip() if values else ""
    if not text:
        raise Refused("name_missing" if kind == "state" else "word_missing")
    return {"op": f"rename_{kind}", "id": name, "name": text}


def deletion(name: str, form: Mapping[str, str]) -> Edit:
    """The edit that takes a state out: `all` and `to-<arrow>` say where its arrows lead then, `-` that they go too."""
    own = {key[3:]: _led(value) for key, value in form.items() if key.startswith("to-") and value}
    return {"op": "delete_state", "id": name, "redirect_to": _led(form.get("all", "")), "redirects": own}


def _led(value: str) -> str | None:
    return value if value not in ("", "-") else None


def _state_value(field: str, text: str, raw: Mapping[str, object]) -> object:
    match field:
        case "deadline":
            return ladder(text)
        case "jitter":
            return span(text)
        case "resting":
            return True if text == "yes" else None
        case "waiting_for":
            return spoken(text, raw.get("waiting_for"))
        case _:
            return text or None


def ladder(text: str) -> object:
    """Silences one after another: `["20h", "1d"]`, `"4h"` for one alone, None for none."""
    steps = [_duration(step) for step in text.replace(";", ",").split(",") if step.strip()]
    return steps[0] if len(steps) == 1 else (steps or None)


def span(text: str) -> str | None:
    """One duration or none."""
    return _duration(text) if text.strip() else None


def _duration(text: str) -> str:
    ms = parse_human(text)
    if ms is None:
        raise Refused("not_a_time", text=text.strip())
    if ms <= 0:
        raise Refused("not_positive")
    return compact(ms)


def transition_edit(ident: str, field: str, values: Sequence[str]) -> Edit:
    """The edit of one field of an arrow."""
    text = values[0].strip() if values else ""
    value: object = text or None
    if field == "do":
        value = [name for name in values if name] or None
    elif field == "when":
        value = condition(text)
    elif field == "set":
        value = _noted(values)
    return {"op": "set_transition", "id": ident, "field": field, "value": value}


def _noted(values: Sequence[str]) -> dict[str, str] | None:
    """What an arrow notes down, from fields and expressions in turn; a row without a field is taken away."""
    rows = [(name, text.strip()) for name, text in zip(values[::2], values[1::2], strict=False) if name]
    if any(not text for _, text in rows):
        raise Refused("value_missing")
    if len({name for name, _ in rows}) < len(rows):
        raise Refused("noted_twice")
    return dict(rows) or None


def condition(text: str) -> str | None:
    """A condition as the document has it; the typographic signs that people copy become the typed ones."""
    plain = text.strip()
    if plain.lower() in OTHERWISE:
        return "otherwise"
    for shown, typed in (("≥", ">="), ("≤", "<="), ("≠", "!=")):
        plain = plain.replace(shown, typed)
    return plain or None


def action_edit(name: str, field: str, values: Sequence[str], raw: Mapping[str, object]) -> Edit:
    """The edit of one field of an action: its text."""
    text = values[0].strip() if values else ""
    if field == "text" and not text:
        raise Refused("text_missing")
    return {"op": "set_action", "id": name, "field": field, "value": spoken(text, raw.get(field))}


def new_state(form: Mapping[str, str]) -> Edit:
    """A new state as the form describes it."""
    name = form.get("name", "").strip()
    if not name:
        raise Refused("name_missing")
    entry = {"look": form.get("look") or None, "deadline": ladder(form.get("deadline", ""))}
    return {"op": "add_state", "id": name, "fields": {key: value for key, value in entry.items() if value is not None}}


def new_transition(form: Mapping[str, str]) -> Edit:
    """A new arrow as the form describes it; `*` for any state."""
    frm = form.get("from", "")
    entry: dict[str, object] = {
        "from": None if frm == ANYWHERE else frm,
        "on": form.get("on", ""),
        "to": form.get("to", ""),
        "when": condition(form.get("when", "")),
        "do": [form["do"]] if form.get("do") else None,
    }
    return {"op": "add_transition", "fields": {key: value for key, value in entry.items() if value is not None}}


def fixed(text: str) -> list[Edit]:
    """The edits of a repair, as its form carried them."""
    try:
        found = _carried(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, list) or not all(isinstance(edit, dict) for edit in found):
        raise Refused("stale_fix")
    return found


def seen_value(text: str | None) -> object:
    """What the field held when the page was made, as the page carried it; None for nothing."""
    try:
        return _carried(text) if text else None
    except (ValueError, RecursionError):
        return None


def _carried(text: str) -> Any:
    """What a page carried as JSON. Raises ValueError, also for numbers that JSON does not have (NaN, 1e400)."""
    return json.loads(text, parse_constant=_finite, parse_float=_finite)


def _finite(text: str) -> float:
    if not math.isfinite(number := float(text)):
        raise ValueError(text)
    return number


def sends(flow: Flow, names: Sequence[str]) -> list[Send]:
    """The messages among some actions."""
    return [action for name in names if isinstance(action := flow.actions.get(name), Send)]
