"""A flow document, read: from a tree (of JSON or YAML) to a `Flow`, or to the list of everything wrong with it."""

import json
from collections.abc import Mapping
from functools import lru_cache
from re import fullmatch
from typing import TypeVar
from zoneinfo import ZoneInfo, available_timezones

from engine.core.canonical import digest
from engine.core.document_actions import read_actions
from engine.core.document_conditions import Conditions
from engine.core.document_context import read_context
from engine.core.document_entry import read_entry
from engine.core.document_events import decides, read_events, read_understanding
from engine.core.document_messages import sentence
from engine.core.document_reader import Notes, Place, close, shape
from engine.core.document_rules import Names, read_rules
from engine.core.document_settings import read_debounce, read_settings
from engine.core.document_states import dressed, read_states
from engine.core.document_transitions import Arrows, check_groups, read_ignored, read_transitions
from engine.core.errors import InvalidDocument
from engine.core.flow import Flow, Text

__all__ = ["DEFAULT_ZONE", "SCHEMA", "read", "read_text", "sentence"]

SCHEMA = 1
DEFAULT_ZONE = "America/Sao_Paulo"
TEXTS_KEPT = 64
_DEEPEST = 32
_REQUIRED = ("schema", "slug", "initial", "events", "states")
_KEYS = (
    *_REQUIRED,
    *("title", "timezone", "debounce", "context", "understanding", "actions", "transitions", "globals", "ignore"),
    *("rules", "settings", "entry"),
)
_Empty = TypeVar("_Empty", Mapping[str, object], tuple[object, ...])


def read(tree: object) -> Flow:
    """The flow that a document's tree describes. Raises InvalidDocument with all mistakes, sorted as they stand."""
    notes = Notes()
    root = Place(tree, "", notes)
    if _deeper_than(tree, _DEEPEST):
        root.wrong("too_deep")
        raise InvalidDocument(notes.mistakes)
    flow = _flow(root)
    if notes.mistakes or flow is None:
        raise InvalidDocument(tuple(dict.fromkeys(notes.mistakes)))
    return flow


@lru_cache(maxsize=TEXTS_KEPT)
def read_text(text: str) -> Flow:
    """The flow of a stored document's JSON, read once: a page asks for the same draft several times. Raises as `read`."""
    return read(json.loads(text))


def _flow(root: Place) -> Flow | None:
    keys = root.table(_KEYS, _REQUIRED)
    if not isinstance(root.value, Mapping):
        return None
    if "schema" in keys and (keys["schema"].value != SCHEMA or isinstance(keys["schema"].value, bool)):
        keys["schema"].wrong("schema", value=shape(keys["schema"].value))
    slug = _slug(keys["slug"]) if "slug" in keys else ""
    title = keys["title"].text() if "title" in keys else None
    zone = _zone(keys["timezone"]) if "timezone" in keys else DEFAULT_ZONE
    debounce = read_debounce(_section(root, keys, "debounce", {}))
    settings = read_settings(_section(root, keys, "settings", {}))
    entry = read_entry(_section(root, keys, "entry", {}))

    context = read_context(_section(root, keys, "context", {}))
    people = "states" in keys and decides(keys["states"].value)
    events = read_events(keys["events"], decides=people) if "events" in keys else {}
    understanding = read_understanding(_section(root, keys, "understanding", ()), events)
    actions = read_actions(_section(root, keys, "actions", {}), events)
    states, looked = read_states(keys["states"]) if "states" in keys else ({}, frozenset())
    initial = keys["initial"].known("state", states) if "initial" in keys else None

    arrows = Arrows(states, events, actions, Conditions(context, events))
    transitions = read_transitions(_section(root, keys, "transitions", ()), arrows, from_anywhere=False)
    everywhere = read_transitions(_section(root, keys, "globals", ()), arrows, from_anywhere=True)
    check_groups(transitions, everywhere, arrows, root)
    ignored = read_ignored(_section(root, keys, "ignore", ()), arrows)
    rules = read_rules(_section(root, keys, "rules", ()), Names(states, events, actions))
    sha256 = "" if root.notes.mistakes else _sha256(root)
    if root.notes.mistakes or initial is None:
        return None
    return Flow(
        slug=slug,
        title=title or Text((("", slug),)),
        timezone=zone,
        initial=initial,
        debounce=debounce,
        context=context,
        events=events,
        understanding=understanding,
        actions=actions,
        states=dressed(states, looked, initial, (*transitions, *everywhere), events),
        transitions=transitions,
        globals=everywhere,
        ignored=ignored,
        rules=rules,
        settings=settings,
        sha256=sha256,
        entry=entry,
    )


def _sha256(root: Place) -> str:
    try:
        return digest(root.value)
    except ValueError:  # a value that no reader of a section looks at, but that could not be stored
        root.wrong("odd_value")
        return ""


def _section(root: Place, keys: Mapping[str, Place], name: str, empty: _Empty) -> Place:
    """A section that may be left out."""
    return keys.get(name) or Place(empty, root.at(name), root.notes)


def _slug(place: Place) -> str:
    value = place.string() or ""
    if value and not fullmatch(r"[a-z][a-z0-9-]{0,63}", value):
        place.wrong("not_a_slug", value=value[:64])
    return value


def _zone(place: Place) -> str:
    value = place.string() or DEFAULT_ZONE
    try:
        ZoneInfo(value)
    except (ValueError, OSError, LookupError):  # OSError: the name of a folder of the zone database
        place.wrong("not_a_zone", value=value[:64], close=close(value, available_timezones()))
    return value


def _deeper_than(tree: object, levels: int) -> bool:
    """Whether a tree nests deeper; walked without recursion, because the tree may be anybody's."""
    layer = [tree]
    for _ in range(levels):
        following: list[object] = []
        for value in layer:
            if isinstance(value, Mapping):
                following.extend(value.values())
            elif isinstance(value, list | tuple):
                following.extend(value)
        if not following:
            return False
        layer = following
    return True
