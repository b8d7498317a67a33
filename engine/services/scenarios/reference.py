"""The flow that a scenario runs on: a document of its own or a sample, with the changes that the scenario asks for."""

import copy
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from engine.core.errors import InvalidDocument, Mistake
from engine.samples import names, tree

VENDA: Mapping[str, object] = {
    "debounce": {"quiet": "4s", "ceiling": "20s"},
    "states.ENGAJADO.deadline": "2h",
    "states.NEGOCIANDO.deadline": "2h",
    "states.CHECKOUT_ENVIADO.deadline": "2h",
    "states.AGUARDANDO_PIX.deadline": "30m",
    "states.RECUPERANDO.deadline": ["20h", "1d", "1d"],
    "settings.human_pause": "30m",
    "settings.quiet_hours": None,
}
"""What every scenario on `venda` may count on, unless it says otherwise; jitter is off as well."""


NAMED = ("states", "actions", "events", "context")
"""Sections whose entries have names: a path can set a whole new entry, not a part of one that is not there."""


def document(flow: object, changes: Mapping[str, object]) -> dict[str, Any]:
    """The tree to publish. Raises InvalidDocument, NotFound."""
    if isinstance(flow, Mapping):
        found = flow.get("document")
        if not isinstance(found, Mapping):
            raise InvalidDocument([Mistake("setup.flow", "must be a slug or {document: …}")])
        result: dict[str, Any] = copy.deepcopy(dict(found))
    else:
        result = copy.deepcopy(dict(_sample(str(flow))))
        if flow == "venda":
            for state in result["states"].values():
                state.pop("jitter", None)
            for path, value in VENDA.items():
                assign(result, path, value)
    for path, value in changes.items():
        assign(result, path, value)
    return result


@lru_cache(maxsize=4)
def _sample(slug: str) -> Mapping[str, object]:
    """Read once: a sample takes longer to read than most scenarios to play. Raises InvalidDocument."""
    if slug not in names():
        raise InvalidDocument([Mistake("setup.flow", f"there is no sample {slug!r}")])
    return tree(slug)


def assign(result: dict[str, Any], path: str, value: object) -> None:
    """Set one place of a tree, `states.ENGAJADO.deadline`; None means "not set". Lists are reached by `id`."""
    *parents, last = path.split(".")
    place: Any = result
    for depth, name in enumerate(parents):
        if depth == 1 and parents[0] in NAMED and isinstance(place, dict) and name not in place:
            place = None  # a state that is only a deadline would be a slip of the pen
        elif isinstance(place, list):
            place = next((row for row in place if row.get("id") == name), None)
        else:
            place = place.setdefault(name, {})
        if place is None:
            raise InvalidDocument([Mistake(f"setup.set.{path}", "leads nowhere")])
    place[last] = copy.deepcopy(value)
