"""The panels of names: all events, actions and fields of a flow, and one of them with where it is used."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.core.edits_uses import Use, uses
from engine.core.flow import FieldType, Flow, Send, Source
from web.desk import Desk, source_names
from web.fields import Conflict, Field, Fields, Typed
from web.flow_words import event_label, labelled, line, text_of
from web.i18n import gettext, ngettext
from web.message_panel import Message, message
from web.new_names import FIELD_TYPES, SOURCES

__all__ = ["KINDS", "NamePanel", "NamesPanel", "all_names", "name_panel"]

KINDS = {"event": "events", "action": "actions", "field": "context"}
"""What has a name but no place in the drawing, and its section of the document."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a name is used."""

    words: str
    href: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NamePanel:
    """One event, action or field."""

    place: str
    kind: str
    heading: str
    name: str
    label: str
    fields: Mapping[str, Field]
    used: tuple[Place, ...]
    outside: str
    problem: str
    renaming: bool
    messages: tuple[Message, ...] = ()
    """The one that the action sends."""
    conflict: Conflict | None = None


@dataclass(frozen=True, slots=True)
class Named:
    """One name in the list."""

    name: str
    label: str
    href: str
    used: str


@dataclass(frozen=True, slots=True)
class NamesPanel:
    """All names, by kind."""

    groups: tuple[tuple[str, str, tuple[Named, ...]], ...]
    """Each with its kind and its heading."""
    sources: tuple[tuple[str, str], ...]
    types: tuple[tuple[str, str], ...]
    form: Mapping[str, str]
    """What was typed into the form of something new, and could not be taken."""
    typed: Typed | None = None
    conflict: None = None


def all_names(desk: Desk, form: Mapping[str, str] | None = None, typed: Typed | None = None) -> NamesPanel:
    """The list of names, and the forms for new ones."""
    words = source_names()
    return NamesPanel(
        groups=tuple((kind, _headings()[kind][1], _named(desk, kind)) for kind in KINDS),
        sources=tuple((source.value, words[source]) for source in SOURCES),
        types=tuple((kind.value, type_name(kind)) for kind in FIELD_TYPES),
        form=form or {},
        typed=typed,
    )


def type_name(kind: FieldType) -> str:
    """What a field holds, in words."""
    return {
        FieldType.INT: gettext("a whole number"),
        FieldType.MONEY: gettext("an amount in R$"),
        FieldType.TEXT: gettext("a text"),
        FieldType.BOOL: gettext("yes or no"),
        FieldType.ENUM: gettext("one of some values"),
        FieldType.DURATION: gettext("a span of time"),
        FieldType.TIMESTAMP: gettext("a moment"),
    }.get(kind, kind.value)


def _named(desk: Desk, kind: str) -> tuple[Named, ...]:
    rows = []
    for name in sorted(_section(desk, kind)):
        count = len(uses(desk.tree, kind, name))
        used = ngettext("used in %(num)s place", "used in %(num)s places", count) % {"num": count}
        label = _label(desk.flow, kind, name)
        rows.append(Named(name, label, f"n:{kind}:{name}", used if count else gettext("not used")))
    return tuple(rows)


def name_panel(
    desk: Desk, named: str, typed: Typed | None = None, conflict: Conflict | None = None
) -> NamePanel | None:
    """The panel of `kind:name`; None when there is no such thing."""
    kind, _, name = named.partition(":")
    if kind not in KINDS or name not in _section(desk, kind):
        return None
    place = f"{desk.base}/names/{kind}/{name}"
    fields = Fields(place, {}, typed)
    fields.add("name", name)
    return NamePanel(
        place=place,
        kind=kind,
        heading=_headings()[kind][0],
        name=name,
        label=_label(desk.flow, kind, name),
        fields=fields.made,
        used=tuple(_place(desk, use) for use in uses(desk.tree, kind, name)),
        outside=_outside(desk.flow, kind, name),
        problem=typed.problem if typed is not None and typed.key == "delete" else "",
        renaming=typed is not None and typed.key == "name",
        messages=_messages(desk, kind, name, typed),
        conflict=conflict,
    )


def _messages(desk: Desk, kind: str, name: str, typed: Typed | None) -> tuple[Message, ...]:
    action = desk.flow.actions.get(name) if kind == "action" else None
    return (message(desk, action, typed),) if isinstance(action, Send) else ()


def _section(desk: Desk, kind: str) -> Mapping[str, object]:
    found = desk.tree.get(KINDS[kind])
    return found if isinstance(found, Mapping) else {}


def _headings() -> dict[str, tuple[str, str]]:
    return {
        "event": (gettext("Event"), gettext("Events")),
        "action": (gettext("Action"), gettext("Actions")),
        "field": (gettext("Field"), gettext("Fields")),
    }


def _label(flow: Flow, kind: str, name: str) -> str:
    if kind == "event":
        return event_label(flow, name)
    if kind == "action":
        return labelled(flow.actions[name].label, name)
    return text_of(flow.context[name].label)


def _outside(flow: Flow, kind: str, name: str) -> str:
    """Who says the name outside the flow, where nothing follows a rename."""
    source = flow.events[name].source if kind == "event" else None
    if source is Source.PAYMENT:
        return gettext("Payment sources say which of their notices is this event: choose the new name there after it.")
    if source is Source.API:
        return gettext("Your own systems send this event by its name: tell them the new one.")
    return ""


def _place(desk: Desk, use: Use) -> Place:
    flow, base = desk.flow, desk.base
    if use.section in ("transitions", "globals"):
        return Place(line(flow, flow.arrows[use.name]).sentence, f"{base}?sel=t:{use.name}")
    if use.section == "actions":
        said = gettext("action %(name)s") % {"name": labelled(flow.actions[use.name].label, use.name)}
        return Place(said, f"{base}?sel=n:action:{use.name}")
    if use.section == "events":
        return Place(gettext("event %(name)s") % {"name": use.name}, f"{base}?sel=n:event:{use.name}")
    if use.section == "rules":
        said = gettext("safety rule %(number)s") % {"number": int(use.name) + 1}
        return Place(said, f"{base}?view=rules&sel=r:{use.name}")
    if use.section == "ignore":
        return Place(gettext("ignored on purpose in %(state)s") % {"state": use.name}, f"{base}?sel=s:{use.name}")
    said = gettext("what means %(event)s") % {"event": use.name}
    return Place(said, f"/settings/understanding?flow={desk.slug}")
