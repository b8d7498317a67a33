"""Edits of what has a name: states, actions, events, context fields, and the flow's own settings."""

from collections.abc import Mapping

from engine.core.document_events import CLOCK
from engine.core.document_fields import renamed_field
from engine.core.document_names import renamed_action, renamed_event, renamed_state, without_state
from engine.core.edits_splits import kept_whole
from engine.core.edits_tree import ARROWS, Tree, entry_of, names_of, new_name, replaced, rows_of, table_of
from engine.core.edits_uses import uses
from engine.core.errors import NotFound, Refused

STATE_FIELDS = (
    *("kind", "look", "deadline", "jitter", "waiting_for", "resting", "debounce", "approvers", "label", "note"),
    "phase",
)
EVENT_FIELDS = ("source", "falls_back_to", "priority", "data", "label")
FLOW_FIELDS = ("title", "timezone", "initial", "debounce", "settings", "understanding", "rules", "ignore")


def set_flow(tree: Mapping[str, object], field: str, value: object) -> Tree:
    """Set one of FLOW_FIELDS; None takes it out."""
    if field not in FLOW_FIELDS:
        raise Refused("unknown_field", field=field)
    return replaced(tree, field, value)


def set_setting(tree: Mapping[str, object], field: str, value: object) -> Tree:
    """Set one setting. Here None is kept, because `quiet_hours: null` has a meaning."""
    return {**tree, "settings": {**table_of(tree, "settings"), field: value}}


def set_entry(tree: Mapping[str, object], section: str, name: str, field: str, value: object) -> Tree:
    """Set a field of a state, action, event or context field; None takes it out."""
    entries = table_of(tree, section)
    if name not in entries:
        raise NotFound(section.rstrip("s"), name)
    allowed = {"states": STATE_FIELDS, "events": EVENT_FIELDS}.get(section)
    if allowed is not None and field not in allowed:
        raise Refused("unknown_field", field=field)
    return {**tree, section: {**entries, name: replaced(entry_of(entries[name]), field, value)}}


def add_entry(tree: Mapping[str, object], section: str, name: str, entry: Mapping[str, object]) -> Tree:
    """Add a state, action, event or context field under a new name."""
    entries = table_of(tree, section)
    new_name(name, entries)
    return {**tree, section: {**entries, name: dict(entry)}}


def set_state(tree: Mapping[str, object], name: str, field: str, value: object) -> Tree:
    return set_entry(tree, "states", name, field, value)


def add_state(tree: Mapping[str, object], name: str, fields: Mapping[str, object] | None = None) -> Tree:
    return add_entry(tree, "states", name, fields or {})


def set_action(tree: Mapping[str, object], name: str, field: str, value: object) -> Tree:
    return set_entry(tree, "actions", name, field, value)


def add_action(tree: Mapping[str, object], name: str, fields: Mapping[str, object]) -> Tree:
    return add_entry(tree, "actions", name, fields)


def rename_state(tree: Mapping[str, object], name: str, to: str) -> Tree:
    """Rename a state everywhere: arrows, exceptions, `ignore`, rules and `initial`."""
    return renamed_state(_renamed(tree, "states", name, to), name, to)


def rename_action(tree: Mapping[str, object], name: str, to: str) -> Tree:
    """Rename an action everywhere: arrows, rules, fallbacks and compensations."""
    return renamed_action(_renamed(tree, "actions", name, to), name, to)


def rename_event(tree: Mapping[str, object], name: str, to: str) -> Tree:
    """Rename an event everywhere: arrows, fallbacks, understanding, `ignore`, rules and results of calls.

    Refused for the clock's own events, and for a name that a button or row has as its id: it would mean the event then.
    """
    if name in CLOCK or to in CLOCK:
        raise Refused("clock_name", name=name if name in CLOCK else to)
    made = _renamed(tree, "events", name, to)
    if to != name and renamed_event(made, to, name) != renamed_event(made, to, name, choices=False):
        raise Refused("name_of_button", name=to)
    return renamed_event(made, name, to)


def rename_field(tree: Mapping[str, object], name: str, to: str) -> Tree:
    """Rename a field of the context everywhere: conditions, what arrows note down, gaps in texts."""
    return renamed_field(_renamed(tree, "context", name, to), name, to)


def delete_state(
    tree: Mapping[str, object],
    name: str,
    redirect_to: str | None = None,
    redirects: Mapping[str, str | None] | None = None,
) -> Tree:
    """Take a state out with the arrows that leave it.

    Arrows into it go where `redirects` says for their ids (None: they go too), all others to `redirect_to`, or go too
    where there is none. Refused for the initial state and for one that a rule names unless there is a `redirect_to`.
    """
    states = table_of(tree, "states")
    if name not in states:
        raise NotFound("state", name)
    own = redirects or {}
    for target in (redirect_to, *own.values()):
        if target is not None and target not in states:
            raise NotFound("state", target)
        if target == name:
            raise Refused("same_state", state=name)
    if redirect_to is None and tree.get("initial") == name:
        raise Refused("initial_state", state=name)
    left = {**tree, "states": {key: entry for key, entry in states.items() if key != name}}
    return kept_whole(tree, without_state(_led_elsewhere(left, name, own), name, redirect_to))


def _led_elsewhere(tree: Tree, name: str, redirects: Mapping[str, str | None]) -> Tree:
    """The arrows into a state that have a choice of their own lead there, or are gone."""
    made = dict(tree)
    for key in ARROWS:
        if key not in tree:
            continue
        rows = []
        for row in rows_of(tree, key):
            ident = str(row.get("id"))
            if row.get("to") != name or ident not in redirects:
                rows.append(row)
            elif (target := redirects[ident]) is not None:
                rows.append({**row, "to": target})
        made[key] = rows
    return made


def delete_action(tree: Mapping[str, object], name: str) -> Tree:
    """Take an action out; Refused while an arrow, rule or other action uses it."""
    actions = table_of(tree, "actions")
    if name not in actions:
        raise NotFound("action", name)
    using = [str(row.get("id")) for key in ARROWS for row in rows_of(tree, key) if name in names_of(row.get("do"))]
    if using:
        raise Refused("used_by_transition", action=name, transitions=using)
    left = {**tree, "actions": {key: entry for key, entry in actions.items() if key != name}}
    if renamed_action(left, name, "_") != left:
        raise Refused("used_by_rule", action=name)
    return left


def delete_event(tree: Mapping[str, object], name: str) -> Tree:
    """Take an event and its understanding rules out; Refused while an arrow, rule or other event uses it."""
    events = table_of(tree, "events")
    if name not in events:
        raise NotFound("event", name)
    using = [str(row.get("id")) for key in ARROWS for row in rows_of(tree, key) if row.get("on") == name]
    if using:
        raise Refused("used_by_transition", event=name, transitions=using)
    left = {**tree, "events": {key: entry for key, entry in events.items() if key != name}}
    if "understanding" in tree:
        left["understanding"] = [row for row in rows_of(tree, "understanding") if row.get("event") != name]
    if renamed_event(left, name, "_", choices=False) != left:
        raise Refused("used_by_rule", event=name)
    return left


def delete_field(tree: Mapping[str, object], name: str) -> Tree:
    """Take a field of the context out; Refused while an arrow or an action uses it."""
    fields = table_of(tree, "context")
    if name not in fields:
        raise NotFound("field", name)
    if used := uses(tree, "field", name):
        raise Refused("field_used", field=name, places=[use.name for use in used])
    return {**tree, "context": {key: entry for key, entry in fields.items() if key != name}}


def _renamed(tree: Mapping[str, object], section: str, name: str, to: str) -> Tree:
    """The key itself, in its place."""
    entries = table_of(tree, section)
    if name not in entries:
        raise NotFound({"context": "field"}.get(section, section.removesuffix("s")), name)
    if to == name:
        return dict(tree)
    new_name(to, entries)
    return {**tree, section: {(to if key == name else key): entry for key, entry in entries.items()}}
