"""From the forms of the understanding to edits of the draft.

Raises Refused: phrase_missing, phrase_too_long, event_missing, not_a_number.
"""

from collections.abc import Mapping

from engine.core.errors import Refused
from web.draft_edits import Edit, seen_value
from web.forms import whole

__all__ = ["changed_phrase", "priority_edit", "taught_phrase"]

LONGEST = 200
"""Characters of a phrase that a person writes."""


def changed_phrase(form: Mapping[str, str]) -> Edit:
    """Add or take away one phrase of a rule."""
    among, at = form.get("among", "any"), whole(form.get("at"))
    if form.get("do") == "delete":
        return {"op": "delete_phrase", "event": form.get("event", ""), "phrase": form.get("phrase", ""), "among": among}
    return {"op": "add_phrase", "event": _event(form), "phrase": _phrase(form), "among": among, "at": at}


def taught_phrase(form: Mapping[str, str]) -> Edit:
    """The words of a text that nobody understood, as a phrase of an event."""
    return {"op": "add_phrase", "event": _event(form), "phrase": _phrase(form), "among": "any"}


def priority_edit(form: Mapping[str, str]) -> Edit:
    """How strong an event is."""
    text = form.get("value", "").strip()
    negative, digits = text.startswith("-"), text.removeprefix("-")
    number = whole(digits)
    if number is None or number > 1_000_000:
        raise Refused("not_a_number")
    value = -number if negative else number
    seen = seen_value(form.get("seen"))
    return {"op": "set_event", "id": form.get("event", ""), "field": "priority", "value": value, "seen": seen}


def _event(form: Mapping[str, str]) -> str:
    event = form.get("event", "")
    if not event:
        raise Refused("event_missing")
    return event


def _phrase(form: Mapping[str, str]) -> str:
    phrase = form.get("phrase", "").strip()
    if not phrase:
        raise Refused("phrase_missing")
    if len(phrase) > LONGEST:
        raise Refused("phrase_too_long", longest=LONGEST)
    return phrase
