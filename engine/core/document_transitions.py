"""The `transitions`, `globals` and `ignore` sections: the arrows of a flow."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from engine.core.document_conditions import Conditions
from engine.core.document_reader import Place
from engine.core.flow import PREVIOUS, Action, EventType, State, Transition
from engine.core.splits import POINTS, heads, split_of

MOST_TRANSITIONS = 20_000
_KEYS = ("id", "on", "to", "when", "set", "do", "keep_deadline", "share", "label", "note")
OTHERWISE = "otherwise"


@dataclass
class Arrows:
    """What the arrows may name, and the ids given so far with their places."""

    states: Mapping[str, State]
    events: Mapping[str, EventType]
    actions: Mapping[str, Action]
    conditions: Conditions
    places: dict[str, str] = field(default_factory=dict)


def read_transitions(place: Place, arrows: Arrows, *, from_anywhere: bool) -> tuple[Transition, ...]:
    """Every arrow of one section that could be understood."""
    made = (_transition(entry, arrows, from_anywhere) for entry in place.items(limit=MOST_TRANSITIONS))
    return tuple(transition for transition in made if transition is not None)


def _transition(place: Place, arrows: Arrows, from_anywhere: bool) -> Transition | None:
    if from_anywhere and isinstance(place.value, Mapping) and "from" in place.value:
        Place(None, place.at("from"), place.notes).wrong("from_global")
        place = Place({k: v for k, v in place.value.items() if k != "from"}, place.path, place.notes)
    keys = place.table((*_KEYS, "except" if from_anywhere else "from"), ("id", "on", "to"))
    ident = _id(keys["id"], arrows) if "id" in keys else None
    start = keys["from"].known("state", arrows.states) if "from" in keys else None
    if not from_anywhere and "from" not in keys and isinstance(place.value, Mapping):
        place.wrong("missing", key="from")
    event = keys["on"].known("event", arrows.events) if "on" in keys else None
    target = keys["to"].known("state", {**arrows.states, PREVIOUS: None}) if "to" in keys else None
    exempt = keys["except"].some() if "except" in keys else ()
    excepting = frozenset(name for entry in exempt if (name := entry.known("state", arrows.states)))
    otherwise = "when" in keys and keys["when"].value == OTHERWISE
    doing = [action.known("action", arrows.actions) for action in keys["do"].some()] if "do" in keys else []
    share = keys["share"].integer() if "share" in keys else None
    if share is not None and not 0 <= share <= 100:
        keys["share"].wrong("not_share")
    if event is None:
        return None
    when = arrows.conditions.condition(keys["when"], event) if "when" in keys and not otherwise else None
    assigned = arrows.conditions.assignments(keys["set"], event) if "set" in keys else ()
    label = keys["label"].text() if "label" in keys else None
    note = keys["note"].string() if "note" in keys else None
    if ident is None or target is None or (start is None and not from_anywhere):
        return None
    return Transition(
        id=ident,
        frm=start,
        on=event,
        to=target,
        when=when,
        otherwise=otherwise,
        set=assigned,
        do=tuple(name for name in doing if name is not None),
        excepting=excepting,
        keep_deadline=keys["keep_deadline"].flag() if "keep_deadline" in keys else False,
        share=share,
        label=label,
        note=note,
    )


def _id(place: Place, arrows: Arrows) -> str | None:
    ident = place.name()
    if ident is None:
        return None
    if ident in arrows.places:
        place.wrong("duplicate_id", value=ident, other=arrows.places[ident])
        return None
    arrows.places[ident] = place.path.removesuffix(".id")
    return ident


def check_groups(
    transitions: Sequence[Transition], everywhere: Sequence[Transition], arrows: Arrows, root: Place
) -> None:
    """At most one `otherwise` a group (R3), and the shares of a split add up to 100."""
    own = [(t.frm or "", t) for t in transitions]
    shared = [(name, t) for t in everywhere for name in arrows.states if name not in t.excepting]
    found: dict[str, tuple[str, dict[str, object]]] = {}
    for rows in (own, shared):
        for (state, event), group in _grouped(rows).items():
            rest = [t for t in heads(group) if t.otherwise]
            for extra in rest[1:]:
                facts: dict[str, object] = {"state": state, "event": event, "other": rest[0].id}
                found.setdefault(f"{arrows.places[extra.id]}.when", ("two_otherwise", facts))
    for first, total in _uneven((*transitions, *everywhere)):
        facts = {"state": first.frm or "*", "event": first.on, "sum": total}
        found.setdefault(f"{arrows.places[first.id]}.share", ("share_sum", facts))
    for place, (code, facts) in found.items():
        root.notes.add(place, code, **facts)


def _grouped(rows: Sequence[tuple[str, Transition]]) -> dict[tuple[str, str], list[Transition]]:
    groups: dict[tuple[str, str], list[Transition]] = {}
    for state, transition in rows:
        groups.setdefault((state, transition.on), []).append(transition)
    return groups


def _uneven(arrows: Sequence[Transition]) -> list[tuple[Transition, int]]:
    """The first arrow of each split that does not make 100, and what it makes."""
    splits: dict[object, list[Transition]] = {}
    for transition in arrows:
        if transition.share is not None:
            splits.setdefault(split_of(transition), []).append(transition)
    totals = [(split[0], sum(t.share or 0 for t in split)) for split in splits.values()]
    return [(first, total) for first, total in totals if total != POINTS]


def read_ignored(place: Place, arrows: Arrows) -> frozenset[tuple[str, str]]:
    """Every (state, event) that is ignored on purpose."""
    ignored: set[tuple[str, str]] = set()
    for entry in place.items(limit=MOST_TRANSITIONS):
        keys = entry.table(("state", "on", "note"), ("state", "on"))
        state = keys["state"].known("state", arrows.states) if "state" in keys else None
        for named in keys["on"].some(filled=True) if "on" in keys else ():
            event = named.known("event", arrows.events)
            if state is not None and event is not None:
                ignored.add((state, event))
    return frozenset(ignored)
