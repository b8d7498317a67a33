"""The `events` and `understanding` sections: what may happen, and the phrases that mean it."""

from collections.abc import Mapping
from dataclasses import replace

from engine.core.document_reader import Place
from engine.core.flow import APPROVED, EXHAUSTED, REJECTED, TIMEOUT, EventType, FieldType, PhraseRule, Source, StateKind

_KEYS = ("source", "falls_back_to", "priority", "data", "label")
CLOCK = (TIMEOUT, EXHAUSTED)
DECISIONS: Mapping[str, Mapping[str, FieldType]] = {APPROVED: {}, REJECTED: {"reason": FieldType.TEXT}}
"""What a person decides where a flow has a state of the kind approval (R7), and the data that it brings."""

STANDARD_DATA: Mapping[Source, Mapping[str, FieldType]] = {
    Source.MESSAGE: {"text": FieldType.TEXT, "media": FieldType.TEXT, "button": FieldType.TEXT},
}
"""What every event of a source brings without being asked: the words of the batch, the kind of its medium and the id
of the button that was tapped. Each may be unset in one event, so conditions ask `has(event.media)` first."""


def read_events(place: Place, *, decides: bool = False) -> dict[str, EventType]:
    """Every event by its name; `timeout` and `exhausted` are added where they are not written, and `approved` and `rejected`
    where somebody `decides`.
    """
    events: dict[str, EventType] = {}

    def one(name: str, entry: Place) -> None:
        if (made := _event(name, entry)) is not None:
            events[name] = made

    place.named(1_000, one)
    for name in CLOCK:
        events.setdefault(name, EventType(name=name, source=Source.CLOCK))
    for name, data in DECISIONS.items() if decides else ():
        known = events.setdefault(name, EventType(name=name, source=Source.HUMAN))
        if known.source is not Source.HUMAN or known.falls_back_to is not None:
            Place(None, place.at(name), place.notes).wrong("decision_event", value=name)
        events[name] = replace(known, data={**data, **known.data})
    _fallbacks(place, events)
    _general(place, events)
    return events


def decides(states: object) -> bool:
    """Whether the `states` section has one in which a person decides, told before it is read."""
    entries = states.values() if isinstance(states, Mapping) else ()
    return any(isinstance(entry, Mapping) and entry.get("kind") == StateKind.APPROVAL for entry in entries)


def _event(name: str, place: Place) -> EventType | None:
    keys = place.table(_KEYS, ("source",))
    source = keys["source"].choice(Source) if "source" in keys else None
    if name in CLOCK and (source is not Source.CLOCK or "falls_back_to" in keys):
        place.wrong("clock_event", value=name)
        return None
    if source is None:
        return None
    return EventType(
        name=name,
        source=source,
        falls_back_to=keys["falls_back_to"].string() if "falls_back_to" in keys else None,
        priority=(keys["priority"].integer(-1_000_000, 1_000_000) or 0) if "priority" in keys else 0,
        data=_data(source, keys.get("data")),
        label=keys["label"].text() if "label" in keys else None,
    )


def _data(source: Source, place: Place | None) -> dict[str, FieldType]:
    standard = STANDARD_DATA.get(source, {})
    data = dict(standard)
    if place is None:
        return data

    def one(name: str, entry: Place) -> None:
        kind = entry.choice(FieldType)
        if name in standard and kind is not None and kind is not standard[name]:
            entry.wrong("standard_data", source=source, field=name, type=standard[name])
        elif kind is not None:
            data[name] = kind

    place.named(100, one)
    return data


def _fallbacks(place: Place, events: dict[str, EventType]) -> None:
    """Cut what is wrong, so that the flow that the other sections see never turns in a circle."""
    for event in list(events.values()):
        target = event.falls_back_to
        if target is None:
            continue
        where = Place(target, f"{place.at(event.name)}.falls_back_to", place.notes)
        if where.known("event", events) is None:
            events[event.name] = replace(event, falls_back_to=None)
        elif events[target].source is not event.source:
            where.wrong("fallback_source", value=target, source=event.source)
        elif (circle := _circle(event.name, events)) is not None:
            where.wrong("fallback_cycle", path=" → ".join(circle))
            events[event.name] = replace(event, falls_back_to=None)


def _circle(start: str, events: Mapping[str, EventType]) -> list[str] | None:
    chain = [start]
    while (following := events[chain[-1]].falls_back_to) in events:
        chain.append(str(following))
        if following == start:
            return chain
        if len(chain) > len(events):
            return None  # the circle lies further on and is reported by its own members
    return None


def _general(place: Place, events: Mapping[str, EventType]) -> None:
    """Exactly one message event takes what nothing else matches."""
    written = place.value if isinstance(place.value, Mapping) else {}
    candidates = [e for e in events.values() if e.source is Source.MESSAGE and _falls_nowhere(written.get(e.name))]
    if not candidates:
        place.wrong("no_general_event")
        return
    lowest = min(event.priority for event in candidates)
    general = sorted(event.name for event in candidates if event.priority == lowest)
    if len(general) > 1:
        place.wrong("two_general_events", events=", ".join(general))


def _falls_nowhere(entry: object) -> bool:
    return isinstance(entry, Mapping) and entry.get("falls_back_to") is None


def read_understanding(place: Place, events: Mapping[str, EventType]) -> tuple[PhraseRule, ...]:
    """The rules in their order, which has a meaning (R24)."""
    rules = []
    for entry in place.items(limit=5_000):
        keys = entry.table(("event", "any", "none", "buttons"), ("event",))
        event = keys["event"].known("event", events) if "event" in keys else None
        phrases = keys["any"].strings(filled=True) if "any" in keys else ()
        vetoes = keys["none"].strings() if "none" in keys else ()
        buttons = keys["buttons"].strings(filled=True) if "buttons" in keys else ()
        if "any" not in keys and "buttons" not in keys:
            entry.wrong("missing", key="any")
        if event is None:
            continue
        if events[event].source is not Source.MESSAGE:
            keys["event"].wrong("not_message_event", value=event)
        rules.append(PhraseRule(event=event, any=phrases, none=vetoes, buttons=buttons))
    return tuple(rules)
