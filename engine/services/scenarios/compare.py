"""Holds what happened against what was expected. Only the keys that are present are compared, and every one of them."""

from collections.abc import Mapping, Sequence
from typing import Any

from engine.core.identity import key

NEAR = 0.5
CONVERSATION = {
    "contact", "state", "flow", "flow_version", "context", "deadline", "ladder_step", "needs_attention", "name", "phone",
    "opt_out", "paused", "tags", "identifiers", "count",
}  # fmt: skip


def log_differences(expected: Sequence[Mapping[str, Any]], records: Sequence[Mapping[str, Any]]) -> list[str]:
    """An ordered subset: each entry is found after the one before it. `times: N` means N of them, not one more,
    before the next entry is met.
    """
    differences: list[str] = []
    position = 0
    for number, entry in enumerate(expected):
        wanted = {name: value for name, value in entry.items() if name != "times"}
        times = entry.get("times", 1)
        for round_ in range(int(times)):
            found = _find(wanted, records, position)
            if found is None:
                missing = f" ({round_} of {times})" if "times" in entry else ""
                differences.append(f"log[{number}]: {_short(wanted)} is not recorded{missing}")
                return differences
            position = found + 1
        if "times" in entry:
            following = expected[number + 1] if number + 1 < len(expected) else None
            stop = len(records) if following is None else _find(_plain(following), records, position)
            extra = _find(wanted, records[: len(records) if stop is None else stop], position)
            if extra is not None:
                differences.append(f"log[{number}]: {_short(wanted)} is recorded more than {times} times")
    return differences


def conversation_differences(number: int, wanted: Mapping[str, Any], found: Sequence[Mapping[str, Any]]) -> list[str]:
    """One expected conversation against those that may be meant."""
    place = f"conversations[{number}]"
    unknown = sorted(set(wanted) - CONVERSATION)
    if unknown:
        return [f"{place}: nobody knows the key {name!r}" for name in unknown]
    if "count" in wanted:
        keys = [name for name in wanted if name not in ("count", "contact")]
        matching = [c for c in found if all(_same(name, wanted[name], c[name]) for name in keys)]
        if len(matching) != wanted["count"]:
            return [f"{place}: {wanted['count']} expected, {len(matching)} found"]
        return []
    if not found:
        return [f"{place}: {wanted.get('contact')} has no conversation"]
    attempts = [_mismatches(place, wanted, c) for c in found]
    return min(attempts, key=len)


def action_differences(expected: Sequence[str], left: Sequence[tuple[str, str | None]]) -> list[str]:
    """The exact list of what left. An entry without a key stands for whatever key the action had."""
    shown = [label if once is None else f"{label}:{once}" for label, once in left]
    same = len(expected) == len(left) and all(
        wanted in (label, full) for wanted, (label, _), full in zip(expected, left, shown, strict=True)
    )
    return [] if same else [f"actions: {list(expected)} expected, {shown} left"]


def plain_difference(name: str, expected: object, found: object) -> list[str]:
    """Two values that must be equal."""
    return [] if expected == found else [f"{name}: {expected!r} expected, {found!r} found"]


def _find(wanted: Mapping[str, Any], records: Sequence[Mapping[str, Any]], start: int) -> int | None:
    for index in range(start, len(records)):
        if all(_matches(name, value, records[index].get(name)) for name, value in wanted.items()):
            return index
    return None


def _matches(name: str, wanted: object, found: object) -> bool:
    if name == "at_about" and isinstance(wanted, int | float) and isinstance(found, int | float):
        return abs(wanted - found) <= NEAR
    if isinstance(wanted, bool) or isinstance(found, bool):
        return wanted is found
    return wanted == found


def _mismatches(place: str, wanted: Mapping[str, Any], found: Mapping[str, Any]) -> list[str]:
    return [
        f"{place}.{name}: {value!r} expected, {found.get(name)!r} found"
        for name, value in wanted.items()
        if name != "contact" and not _same(name, value, found.get(name))
    ]


def _same(name: str, wanted: object, found: object) -> bool:
    if name == "identifiers" and isinstance(wanted, list) and isinstance(found, list):
        return {_key(w) for w in wanted} <= {_key(f) for f in found}
    if name == "phone" and isinstance(wanted, str) and isinstance(found, str):
        return key(wanted) == key(found)
    if name == "context" and isinstance(wanted, Mapping) and isinstance(found, Mapping):
        return all(found.get(field) == value for field, value in wanted.items())
    return wanted == found and isinstance(wanted, bool) == isinstance(found, bool)


def _key(name: object) -> str:
    text = str(name)
    return key(text) if text.isdigit() else text


def _plain(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in entry.items() if name != "times"}


def _short(wanted: Mapping[str, Any]) -> str:
    return "{" + ", ".join(f"{name}: {value!r}" for name, value in wanted.items()) + "}"
