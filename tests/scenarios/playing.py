"""Scenario files of this folder, each played once per test run, and copies of what they expect with one thing wrong."""

import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.services.scenarios.compare import Seen
from engine.services.scenarios.format import Scenario
from engine.services.scenarios.run import files, observe

FOLDER = Path(__file__).parent
FILES = files([FOLDER])
NAMES = [path.name for path in FILES]
OFF = 1009
"""Added to numbers; a prime that no scenario has as a difference of two of its values."""

_played: dict[str, tuple[Scenario, Seen]] = {}


async def came_of(name: str) -> tuple[Scenario, Seen]:
    if name not in _played:
        _played[name] = await observe(FOLDER / name)
    return _played[name]


def spoilt(expect: Any) -> Iterator[tuple[str, Any]]:
    """(where, copy with one thing wrong) for each value that is compared."""
    for place, wrong in _places(expect, ()):
        changed = copy.deepcopy(expect)
        holder = changed
        for name in place[:-1]:
            holder = holder[name]
        holder[place[-1]] = wrong
        yield ".".join(map(str, place)) + f" = {wrong!r}", changed
    for part in ("actions", "http"):
        if expect.get(part):
            yield f"{part} without its last", {**expect, part: expect[part][:-1]}
            yield f"{part} and one more", {**expect, part: [*expect[part], expect[part][-1]]}
    for index, entry in enumerate(expect.get("log", [])):
        if "times" in entry:
            for times in (entry["times"] - 1, entry["times"] + 1):
                changed = copy.deepcopy(expect)
                changed["log"][index]["times"] = times
                yield f"log.{index}.times = {times}", changed


def _places(value: Any, place: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], Any]]:
    if isinstance(value, dict):
        for name, inner in value.items():
            if name not in ("must_not", "times"):
                yield from _places(inner, (*place, name))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _places(inner, (*place, index))
    else:
        yield place, _wrong(value)


def _wrong(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + OFF
    return "~" if value is None else f"{value}~"
