"""How a draft stands to what is live: so that no page lets anybody believe that an edit holds already."""

import json
from dataclasses import dataclass

from engine.runtime import Runtime
from engine.services.edit import Opened
from engine.store import flows

__all__ = ["Standing", "standing"]


@dataclass(frozen=True, slots=True)
class Standing:
    """`live` is the number of the live version, None while nothing is; `changed` names the sections that differ."""

    live: int | None
    changed: frozenset[str]


async def standing(runtime: Runtime, opened: Opened) -> Standing:
    """Compare a draft with the version that newcomers enter."""
    number = opened.draft.live
    if number is None:
        return Standing(None, frozenset())
    text = await runtime.store.read(lambda tx: flows.document(tx, opened.draft.slug, number))
    live = json.loads(text or "{}")
    sections = {*live, *opened.tree}
    return Standing(number, frozenset(name for name in sections if live.get(name) != opened.tree.get(name)))
