"""From the forms of waits and hours to edits of the draft.

Raises Refused: not_a_time, not_hours, same_hours, and NotFound for a field that there is none of.
"""

import re
from collections.abc import Mapping

from engine.core.durations import compact, human, parse, parse_human
from engine.core.errors import NotFound, Refused
from web import i18n
from web.draft_edits import Edit, seen_value

__all__ = ["DEBOUNCE", "FIELDS", "HUMAN_PAUSE", "MAX_AGE", "QUIET_HOURS", "timing_edit"]

DEBOUNCE, HUMAN_PAUSE, MAX_AGE, QUIET_HOURS = "debounce", "human_pause", "max_age", "quiet_hours"
FIELDS = (DEBOUNCE, HUMAN_PAUSE, MAX_AGE, QUIET_HOURS)
_HOUR = re.compile(r"([01]?\d|2[0-3])[:h]([0-5]\d)", re.ASCII)


def timing_edit(form: Mapping[str, str]) -> Edit:
    """The edit that a form asks for."""
    field, seen = form.get("field", ""), seen_value(form.get("seen"))
    if field == DEBOUNCE:
        value = {name: _span(form, name, _within(seen, name)) for name in ("quiet", "ceiling")}
        return {"op": "set_debounce", "value": value, "seen": seen}
    if field not in FIELDS:
        raise NotFound("field", field)
    if field == QUIET_HOURS:
        return {"op": "set_setting", "field": field, "value": _hours(form), "seen": seen}
    return {"op": "set_setting", "field": field, "value": _span(form, field, seen), "seen": seen}


def _within(value: object, name: str) -> object:
    return value.get(name) if isinstance(value, Mapping) else None


def _span(form: Mapping[str, str], name: str, seen: object) -> str:
    """What was typed as the document has it. A field that was not touched stays as it was: a page shows two units."""
    text = form.get(name, "").strip()
    before = parse(seen) if isinstance(seen, str) else None
    if before is not None and human(before, i18n.current()) == text:
        return str(seen)
    ms = parse_human(text)
    if ms is None:
        raise Refused("not_a_time", text=text)
    return compact(ms)


def _hours(form: Mapping[str, str]) -> str | None:
    """`21:00-08:00`, None where the clock may write at any hour."""
    if form.get("always") == "yes":
        return None
    begin, end = _hour(form.get("begin", "")), _hour(form.get("end", ""))
    if begin == end:
        raise Refused("same_hours")
    return f"{begin}-{end}"


def _hour(text: str) -> str:
    found = _HOUR.fullmatch(text.strip())
    if found is None:
        raise Refused("not_hours", text=text.strip())
    return f"{int(found[1]):02d}:{found[2]}"
