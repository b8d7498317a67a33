"""Copying states of one draft and pasting them into another, on the server: it needs no browser's leave and stays."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.core.canonical import canonical
from engine.core.carrying import Carried, parcel, unpacked
from engine.core.errors import Refused
from engine.core.permissions import Actor
from engine.runtime import Runtime
from engine.services import edit
from engine.services.edit import Opened
from engine.store import clipboard

__all__ = ["Held", "copy", "held", "paste"]


@dataclass(frozen=True, slots=True)
class Held:
    """What somebody copied: states, and the flow that they are from."""

    flow: str
    states: tuple[str, ...]


async def copy(runtime: Runtime, slug: str, names: Sequence[str], actor: Actor) -> Held:
    """Copy states of a draft as they are now. Raises NotFound."""
    there = await edit.opened(runtime, slug)
    packed, now = parcel(there.tree, there.flow, names), runtime.clock.now()
    await runtime.store.write(actor.who, lambda tx: clipboard.put(tx, who=actor.who, at=now, parcel=canonical(packed)))
    return Held(slug, tuple(names))


async def held(runtime: Runtime, who: str) -> Held | None:
    """What the person copied last."""
    packed = await _packed(runtime, who)
    return None if packed is None else _said(packed)


async def paste(runtime: Runtime, slug: str, actor: Actor) -> tuple[Opened, Carried]:
    """Put what the person copied into a draft, as one change. Raises NotFound, Refused("nothing_copied"), and
    InvalidDocument when it would be no flow then: nothing is stored.
    """
    packed = await _packed(runtime, actor.who)
    if packed is None:
        raise Refused("nothing_copied")
    made: list[Carried] = []

    def make(before: Opened) -> tuple[Mapping[str, object], Sequence[Mapping[str, object]]]:
        carried = unpacked(before.tree, before.flow, packed)
        made.append(carried)
        return carried.tree, [{"op": "paste", "from": packed.get("flow"), "states": list(carried.states)}]

    what = {"op": "paste", "id": ", ".join(_said(packed).states)}
    opened = await edit.rewritten(runtime, slug, make, actor=actor, what=what)
    return opened, made[-1]


async def _packed(runtime: Runtime, who: str) -> Mapping[str, object] | None:
    text = await runtime.store.read(lambda tx: clipboard.held(tx, who))
    found = None if text is None else json.loads(text)
    return found if isinstance(found, dict) else None


def _said(packed: Mapping[str, object]) -> Held:
    states = packed.get("states")
    return Held(str(packed.get("flow")), tuple(states) if isinstance(states, dict) else ())
