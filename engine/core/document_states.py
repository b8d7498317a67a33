"""The `states` section, and how a state looks when the document does not say."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from engine.core.document_reader import Place
from engine.core.document_settings import read_debounce
from engine.core.flow import (
    PREVIOUS,
    TIMEOUT,
    EventType,
    Look,
    Millis,
    Source,
    State,
    StateKind,
    Transition,
)

MOST_STATES = 2_000
_KEYS = (
    "kind",
    "look",
    "deadline",
    "jitter",
    "waiting_for",
    "resting",
    "debounce",
    "approvers",
    "label",
    "note",
    "phase",
)
_ENDS = (StateKind.FINAL, StateKind.OPTOUT)


def read_states(place: Place) -> tuple[dict[str, State], frozenset[str]]:
    """Every state by its name, and the names whose look is written."""
    states: dict[str, State] = {}
    looked: set[str] = set()

    def one(name: str, entry: Place) -> None:
        keys = entry.table(_KEYS)
        states[name] = _state(name, keys)
        if "look" in keys:
            looked.add(name)

    place.named(MOST_STATES, one)
    if isinstance(place.value, Mapping) and not place.value:
        place.wrong("empty_table")
    return states, frozenset(looked)


def _state(name: str, keys: dict[str, Place]) -> State:
    kind = (keys["kind"].choice(StateKind) if "kind" in keys else None) or StateKind.NORMAL
    if kind in _ENDS and "deadline" in keys:
        keys["deadline"].wrong("final_deadline", kind=kind)
    if kind is not StateKind.APPROVAL and "approvers" in keys:
        keys["approvers"].wrong("approvers_kind")
    return State(
        name=name,
        kind=kind,
        look=(keys["look"].choice(Look) if "look" in keys else None) or Look.TALK,
        deadline=_ladder(keys["deadline"]) if "deadline" in keys else (),
        jitter=(keys["jitter"].duration(zero=True) or 0) if "jitter" in keys else 0,
        waiting_for=keys["waiting_for"].text() if "waiting_for" in keys else None,
        resting=keys["resting"].flag() if "resting" in keys else False,
        debounce=read_debounce(keys["debounce"]) if "debounce" in keys else None,
        approvers=keys["approvers"].strings(filled=True) if "approvers" in keys else (),
        label=keys["label"].text() if "label" in keys else None,
        note=keys["note"].string() if "note" in keys else None,
        phase=keys["phase"].string() if "phase" in keys else None,
    )


def _ladder(place: Place) -> tuple[Millis, ...]:
    """One duration, or one per rung (R11)."""
    rungs = (rung.duration() for rung in place.some(filled=True))
    return tuple(rung for rung in rungs if rung is not None)


def dressed(
    states: Mapping[str, State],
    looked: frozenset[str],
    initial: str,
    arrows: Sequence[Transition],
    events: Mapping[str, EventType],
) -> dict[str, State]:
    """Every state with a look: the written one, else by structure.

    By kind first (opt-out is out, approval is human), then: an end that a payment leads to is won, any other end is
    lost; the initial state and one with no way in are entries; staying on silence is recovery; what only a payment
    leads to is payment; everything else is talk. A state without a way out counts as an end.
    """
    return {
        name: state if name in looked else replace(state, look=_look(state, initial, arrows, events))
        for name, state in states.items()
    }


def _look(state: State, initial: str, arrows: Sequence[Transition], events: Mapping[str, EventType]) -> Look:
    if state.kind is StateKind.OPTOUT:
        return Look.OUT
    if state.kind is StateKind.APPROVAL:
        return Look.HUMAN
    entering = [a for a in arrows if a.to == state.name and a.frm != state.name]
    leaving = [a for a in arrows if a.frm == state.name and a.to != state.name]
    payments = [a for a in entering if events[a.on].source is Source.PAYMENT]
    if state.name != initial and (state.kind is StateKind.FINAL or (entering and not leaving)):
        return Look.WON if payments else Look.LOST
    if state.name == initial or not (entering or any(a.to == PREVIOUS for a in arrows)):
        return Look.ENTRY
    if any(a.on == TIMEOUT and a.frm == state.name == a.to for a in arrows):
        return Look.RECOVERY
    return Look.PAYMENT if len(payments) == len(entering) else Look.TALK
