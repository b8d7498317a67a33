"""Holds what happened against what was expected. Only the keys that are present are compared, and every one of them.

Nothing here plays anything: one play can be held against many expectations.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.core.identity import key

NEAR = 0.5
"""Seconds by which `at_about` may be off."""
_MISSING = object()


@dataclass(frozen=True, slots=True)
class Seen:
    """What a play came to, in the words of the format.

    `conversations` carry the names of their contact under `names`; `left` is (label, key) of everything that left or
    ran, `replies` how many of them were automatic messages, `texts` the words of each bubble that left; `http` has one status for each input, in the file's order.
    """

    conversations: tuple[Mapping[str, Any], ...]
    left: tuple[tuple[str, str | None], ...]
    replies: int
    records: tuple[Mapping[str, Any], ...]
    http: tuple[int | None, ...]
    texts: tuple[str, ...] = ()


def differences(expect: Mapping[str, Any], seen: Seen) -> list[str]:
    """Everything that is not as expected, as sentences; `must_not` is for readers."""
    found: list[str] = []
    for number, wanted in enumerate(expect.get("conversations", ())):
        found += _conversation(f"conversations[{number}]", wanted, seen.conversations)
    if "replies" in expect and not _equal(expect["replies"], seen.replies):
        found.append(f"replies: {expect['replies']!r} expected, {seen.replies} left")
    if "actions" in expect:
        found += _actions(expect["actions"], seen.left)
    if "texts" in expect and not _equal(expect["texts"], seen.texts):
        found.append(f"texts: {list(expect['texts'])!r} expected, {list(seen.texts)!r} left")
    found += _log(expect.get("log", ()), seen.records)
    if "http" in expect and not _equal(list(expect["http"]), list(seen.http)):
        found.append(f"http: {expect['http']!r} expected, {list(seen.http)!r} answered")
    return found


def _conversation(place: str, wanted: Mapping[str, Any], all_of_them: Sequence[Mapping[str, Any]]) -> list[str]:
    """One expected conversation against those that may be meant."""
    named = str(wanted["contact"]) if "contact" in wanted else None
    found = all_of_them if named is None else [c for c in all_of_them if _normal(named) in map(_normal, c["names"])]
    keys = [name for name in wanted if name not in ("contact", "count")]
    attempts = [
        [
            f"{place}.{name}: {wanted[name]!r} expected, {c[name]!r} found"
            for name in keys
            if not _same(name, wanted[name], c[name])
        ]
        for c in found
    ]
    if "count" in wanted:
        matching = sum(not attempt for attempt in attempts)
        return [] if _equal(wanted["count"], matching) else [f"{place}: {wanted['count']} expected, {matching} found"]
    return min(attempts, key=len) if attempts else [f"{place}: {named} has no conversation"]


def _actions(expected: Sequence[str], left: Sequence[tuple[str, str | None]]) -> list[str]:
    """The exact list of what left. An entry without a key stands for whatever key the action had."""
    shown = [label if once is None else f"{label}:{once}" for label, once in left]
    same = len(expected) == len(left) and all(
        wanted in (label, full) for wanted, (label, _), full in zip(expected, left, shown, strict=True)
    )
    return [] if same else [f"actions: {list(expected)} expected, {shown} left"]


def _log(expected: Sequence[Mapping[str, Any]], records: Sequence[Mapping[str, Any]]) -> list[str]:
    """An ordered subset: each entry is found after the one before it. `times: N` means N of them and not one more
    before the next entry is met.
    """
    entries = [({k: v for k, v in entry.items() if k != "times"}, entry.get("times")) for entry in expected]
    position = 0
    for number, (wanted, times) in enumerate(entries):
        for count in range(1 if times is None else times):
            found = next(_places(wanted, records, position), None)
            if found is None:
                of = "" if times is None else f" ({count} of {times})"
                return [f"log[{number}]: {_short(wanted)} is not recorded{of}"]
            position = found + 1
        if times is None:
            continue
        following = entries[number + 1][0] if number + 1 < len(entries) else None
        stop = None if following is None else next(_places(following, records, position), None)
        if next(_places(wanted, records[:stop], position), None) is not None:
            return [f"log[{number}]: {_short(wanted)} is recorded more than {times} times"]
    return []


def _places(wanted: Mapping[str, Any], records: Sequence[Mapping[str, Any]], start: int) -> Iterator[int]:
    for index in range(start, len(records)):
        if all(_matches(name, value, records[index].get(name, _MISSING)) for name, value in wanted.items()):
            yield index


def _matches(name: str, wanted: object, found: object) -> bool:
    if name == "at_about" and isinstance(wanted, int | float) and isinstance(found, int | float):
        return abs(wanted - found) <= NEAR
    return _equal(wanted, found)


def _same(name: str, wanted: object, found: object) -> bool:
    if name == "identifiers" and isinstance(wanted, list) and isinstance(found, list):
        return {_normal(str(w)) for w in wanted} == {_normal(str(f)) for f in found}
    if name == "tags" and isinstance(wanted, list) and isinstance(found, list):
        return _equal(sorted(map(str, wanted)), sorted(map(str, found)))
    if name == "phone" and isinstance(wanted, str) and isinstance(found, str):
        return key(wanted) == key(found)
    if name == "context" and isinstance(wanted, Mapping) and isinstance(found, Mapping):
        return all(_equal(value, found.get(field)) for field, value in wanted.items())
    return _equal(wanted, found)


def _equal(wanted: object, found: object) -> bool:
    """Equal in value and in kind: a truth value is no number."""
    if isinstance(wanted, Mapping) and isinstance(found, Mapping):
        return wanted.keys() == found.keys() and all(_equal(value, found[name]) for name, value in wanted.items())
    if isinstance(wanted, list | tuple) and isinstance(found, list | tuple):
        return len(wanted) == len(found) and all(_equal(w, f) for w, f in zip(wanted, found, strict=True))
    return wanted == found and isinstance(wanted, bool) == isinstance(found, bool)


def _normal(name: str) -> str:
    """A name to compare by: two spellings of a phone are one."""
    return key(name)


def _short(wanted: Mapping[str, Any]) -> str:
    return "{" + ", ".join(f"{name}: {value!r}" for name, value in wanted.items()) + "}"
