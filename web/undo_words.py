"""A change of a draft in a few words, for the buttons that take it back or make it again: `deadline of NOVO 2 h → 4 h`."""

from collections.abc import Mapping

from engine.core.patching import Clash, Step
from engine.core.splitting import shortened
from engine.services.undoing import Told
from web import i18n
from web.fields import shown_value
from web.i18n import gettext

__all__ = ["field_name", "selected_by", "there", "told", "wanted"]

LONGEST = 40
"""Characters of one value in a title."""


def told(change: Told) -> str:
    """The change, from what it replaced to what it wrote."""
    what = change.what
    operation, ident = str(what.get("op", "")), str(what.get("id", ""))
    verb, _, kind = operation.partition("_")
    if verb == "set" and len(change.steps) == 1 and kind not in ("rule", "shares", "piece"):
        return _field(change.steps[0])
    if verb == "rename":
        return gettext("%(one)s renamed to %(other)s") % {"one": ident, "other": what.get("name")}
    if kind == "transition" and (arrow := _arrow(change)):
        ident = arrow
    said = _sentences().get(operation)
    given = {name: what.get(name, "") for name in ("phrase", "event")}
    return said % {"name": ident, "piece": _piece(str(what.get("piece", ""))), **given} if said else _rest()


def _piece(kind: str) -> str:
    return {
        "buttons": gettext("a button"),
        "rows": gettext("an option"),
        "parts": gettext("a part"),
        "media": gettext("the file"),
        "opener": gettext("what opens the list"),
        "header": gettext("the head"),
    }.get(kind, kind)


def _sentences() -> dict[str, str]:
    return {
        "add_state": gettext("state %(name)s added"),
        "delete_state": gettext("state %(name)s deleted"),
        "add_transition": gettext("arrow %(name)s added"),
        "delete_transition": gettext("arrow %(name)s deleted"),
        "add_action": gettext("action %(name)s added"),
        "delete_action": gettext("action %(name)s deleted"),
        "add_event": gettext("event %(name)s added"),
        "delete_event": gettext("event %(name)s deleted"),
        "add_field": gettext("field %(name)s added"),
        "delete_field": gettext("field %(name)s deleted"),
        "add_phrase": gettext("phrase “%(phrase)s” of %(event)s added"),
        "delete_phrase": gettext("phrase “%(phrase)s” of %(event)s deleted"),
        "add_rule": gettext("a safety rule added"),
        "set_rule": gettext("a safety rule changed"),
        "delete_rule": gettext("a safety rule deleted"),
        "split_transition": gettext("variant of %(name)s added"),
        "set_shares": gettext("shares of the variants of %(name)s changed"),
        "end_split": gettext("variant %(name)s chosen"),
        "delete_split": gettext("variants of %(name)s deleted"),
        "add_piece": gettext("%(piece)s of %(name)s added"),
        "set_piece": gettext("%(piece)s of %(name)s changed"),
        "delete_piece": gettext("%(piece)s of %(name)s deleted"),
        "move_piece": gettext("%(piece)s of %(name)s moved"),
        "ask_approval": gettext("%(name)s asks for an approval"),
        "drop_approval": gettext("%(name)s asks for no approval any more"),
        "paste": gettext("%(name)s pasted"),
        "replace": gettext("the whole document replaced"),
    }


def _rest() -> str:
    return gettext("a change of the flow")


def _arrow(change: Told) -> str:
    return next((step.place[1] for step in change.steps if len(step.place) > 1), "")


def _field(step: Step) -> str:
    name = step.place[1] if len(step.place) > 2 else gettext("the flow")
    field = step.place[-1]
    values = {"was": _value(field, step.was), "now": _value(field, step.now)}
    return gettext("%(field)s of %(name)s %(was)s → %(now)s") % {"field": field_name(field), "name": name, **values}


def _value(field: str, value: tuple[object, ...]) -> str:
    shown = shown_value(field, value[0], i18n.current()) if value else gettext("nothing")
    return shortened(" ".join(shown.split()), LONGEST)


def field_name(field: str) -> str:
    """A field of the document as the panels call it, inside a sentence; its own word where no panel shows it."""
    return {
        "title": gettext("title"),
        "look": gettext("kind"),
        "kind": gettext("what it is for"),
        "deadline": gettext("deadline"),
        "jitter": gettext("spread of the deadline"),
        "waiting_for": gettext("what is waited for"),
        "resting": gettext("silence on purpose"),
        "note": gettext("note"),
        "from": gettext("origin"),
        "on": gettext("event"),
        "when": gettext("condition"),
        "to": gettext("destination"),
        "do": gettext("actions"),
        "text": gettext("text"),
        "buttons": gettext("buttons"),
        "list": gettext("list"),
        "media": gettext("file"),
        "parts": gettext("parts"),
        "priority": gettext("priority"),
        "debounce": gettext("wait for more"),
    }.get(field, field)


def wanted(clash: Clash) -> str:
    """The value that the place would get."""
    return _clashing(clash, clash.step.now)


def there(clash: Clash) -> str:
    """The value that stands there now."""
    return _clashing(clash, clash.there)


def _clashing(clash: Clash, value: tuple[object, ...]) -> str:
    if len(clash.step.place) > 2 or (len(clash.step.place) == 1 and clash.step.at is None):
        return _value(clash.step.place[-1], value)
    return gettext("something else") if value else gettext("nothing")


def selected_by(change: Told, names: Mapping[str, object], arrows: Mapping[str, object]) -> str:
    """What to show after it: the state or arrow that it is about, if there is one by now."""
    for step in change.steps:
        section, name = step.place[0], step.place[1] if len(step.place) > 1 else ""
        if section == "states" and name in names:
            return f"s:{name}"
        if section in ("transitions", "globals") and name in arrows:
            return f"t:{name}"
    return ""
