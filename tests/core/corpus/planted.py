"""The corpus: flows with one planted fault each, and their repaired twins, as changes of a flow in which all is well.

A change is a place of the document and its new value, `transitions.t14.when: "toques >= 2"`; null takes the place out.
Rows of lists are reached, and added, by their id, rules of the understanding by their event.
"""

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from engine.notation import load

FOLDER = Path(__file__).parent
FILES = ("conditions", "paths", "rules", "words")


@dataclass(frozen=True, kw_only=True)
class Planted:
    """One entry. `at` has the parts of the place that are told; `also` are other codes that the fault brings along."""

    name: str
    fault: str
    code: str
    plant: Mapping[str, Any]
    repair: Mapping[str, Any]
    at: Mapping[str, Any] = field(default_factory=dict)
    variant: str | None = None
    also: tuple[str, ...] = ()
    base: str = "base"

    @property
    def faulty(self) -> dict[str, Any]:
        """The flow with its fault."""
        return changed(_base(self.base), self.plant)

    @property
    def repaired(self) -> dict[str, Any]:
        """The same flow with the fault mended."""
        return changed(self.faulty, self.repair)


@cache
def corpus() -> tuple[Planted, ...]:
    """Every entry."""
    rows = [row for name in FILES for row in load((FOLDER / f"{name}.yaml").read_text())]
    return tuple(Planted(**{**row, "also": tuple(row.get("also", ()))}) for row in rows)


def changed(tree: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """A copy of a document with places changed."""
    result = deepcopy(dict(tree))
    for path, value in changes.items():
        *parents, last = path.split(".")
        holder: Any = result
        for name in parents:
            holder = _row(holder, name) if isinstance(holder, list) else holder.setdefault(name, _empty(name))
        _put(holder, last, _grown(deepcopy(value)))
    return result


@cache
def _base(name: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] = load((FOLDER / f"{name}.yaml").read_text())
    return found


def _empty(name: str) -> Any:
    return [] if name in ("transitions", "globals", "understanding") else {}


def _row(rows: list[dict[str, Any]], name: str) -> dict[str, Any]:
    return next(row for row in rows if name in (row.get("id"), row.get("event")))


def _put(holder: Any, name: str, value: Any) -> None:
    if isinstance(holder, list):
        place = next((n for n, row in enumerate(holder) if row.get("id") == name), len(holder))
        holder[place : place + 1] = [] if value is None else [{"id": name, **value}]
    elif value is None:
        holder.pop(name, None)
    else:
        holder[name] = value


def _grown(value: Any) -> Any:
    """`{times: [4097, a]}` is that many letters and `{rows: 11}` that many rows of a list: too long to write out."""
    match value:
        case {"times": [count, letter]}:
            return letter * count
        case {"rows": int(count)}:
            return [{"id": f"linha{n}", "title": f"Linha {n}"} for n in range(count)]
        case dict():
            return {key: _grown(item) for key, item in value.items()}
        case _:
            return value
