"""Taking one's own changes of a draft back, and making them again, step by step; never over somebody else's head.

Each person has a line of their own in each draft. What somebody else changed since at the same place is asked about,
with both values; elsewhere it does not matter.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.core.errors import InvalidDocument, Mistake, Refused
from engine.core.flow import Millis
from engine.core.patching import Clash, Step, applied, as_data, clashes, from_data, inverse, witness
from engine.core.permissions import Actor
from engine.runtime import Runtime
from engine.services import edit
from engine.services.edit import Opened
from engine.store import draft_changes
from engine.store.connection import Tx
from engine.store.draft_changes import Change

__all__ = ["Asked", "Standing", "Told", "leave", "standing", "turn", "who_changed"]


@dataclass(frozen=True, slots=True)
class Told:
    """A change as it can be told: `steps` are what it made of the document."""

    number: int
    who: str
    at: Millis
    what: Mapping[str, object]
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """What somebody can take back and make again in a draft."""

    back: Told | None = None
    again: Told | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """A change that is not taken back, or made again, without a person's word.

    `clashes` are the places that somebody (`other`) changed since, `witness` what to say to do it all the same; with
    `mistakes` the document could not be read then, and it can only be left.
    """

    change: Told
    back: bool
    opened: Opened
    clashes: tuple[Clash, ...]
    other: Told | None
    witness: str
    mistakes: tuple[Mistake, ...] = ()


async def standing(runtime: Runtime, slug: str, who: str) -> Standing:
    """What the buttons offer."""

    def unit(tx: Tx) -> tuple[Change | None, Change | None]:
        return draft_changes.last(tx, slug, who), draft_changes.undone(tx, slug, who)

    back, again = await runtime.store.read(unit)
    return Standing(_told(back) if back else None, _told(again) if again else None)


async def turn(
    runtime: Runtime, slug: str, *, back: bool, actor: Actor, number: int | None = None, anyway: str = ""
) -> tuple[Opened, Told] | Asked:
    """Take the newest change of the actor's back, or that of the number; or make the last one again that was taken back.

    `anyway` is the witness of an earlier `Asked`. Raises NotFound, Refused("nothing_to_undo" or "nothing_to_redo").
    """
    change = await runtime.store.read(lambda tx: _chosen(tx, slug, actor.who, back, number))
    if change is None:
        raise Refused("nothing_to_undo" if back else "nothing_to_redo")
    told = _told(change)
    steps = inverse(told.steps) if back else told.steps
    before = await edit.opened(runtime, slug)
    found = clashes(before.tree, steps)
    if found and (witness(found) != anyway or any(clash.lost for clash in found)):
        return await _asked(runtime, slug, told, back, before, found)

    def make(there: Opened) -> tuple[Mapping[str, object], Sequence[Mapping[str, object]]]:
        if there.revision != before.revision and clashes(there.tree, steps) != found:
            raise _Moved
        return applied(there.tree, steps), [{"op": "undo" if back else "redo", "change": dict(told.what)}]

    def turned(tx: Tx, revision: int, made: Sequence[Step]) -> None:
        kept = (inverse(made) if back else tuple(made)) or told.steps
        draft_changes.turn(
            tx, change.id, revision=revision, back=back, patch=json.dumps(as_data(kept), ensure_ascii=False)
        )

    try:
        done = await edit.rewritten(runtime, slug, make, actor=actor, what=told.what, turned=turned)
    except _Moved:
        return await turn(runtime, slug, back=back, actor=actor, number=number, anyway=anyway)
    except InvalidDocument as error:
        return Asked(told, back, before, (), None, "", error.mistakes)
    return done, told


class _Moved(Exception):
    """Somebody changed the same place between the look and the write."""


async def leave(runtime: Runtime, slug: str, number: int, actor: Actor) -> None:
    """Let a change of the actor's stand as it is: what came before it is taken back next."""
    await runtime.store.write(slug, lambda tx: draft_changes.drop(tx, slug, actor.who, number))


async def who_changed(runtime: Runtime, slug: str, who: str, since: int, *names: str) -> Told | None:
    """The newest change by somebody else since a revision, of the place whose last names these are (`NOVO`, `deadline`)."""
    others = [
        _told(change) for change in await runtime.store.read(lambda tx: draft_changes.after(tx, slug, who, since))
    ]
    return next((one for one in others if any(step.place[-len(names) :] == names for step in one.steps)), None)


def _chosen(tx: Tx, slug: str, who: str, back: bool, number: int | None) -> Change | None:
    if number is not None:
        found = draft_changes.one(tx, slug, who, number)
        return found if found is not None and (found.undone == 0) is back else None
    return draft_changes.last(tx, slug, who) if back else draft_changes.undone(tx, slug, who)


async def _asked(
    runtime: Runtime, slug: str, told: Told, back: bool, before: Opened, found: tuple[Clash, ...]
) -> Asked:
    places = {clash.step.place[:2] for clash in found}

    def unit(tx: Tx) -> list[Change]:
        mine = draft_changes.one(tx, slug, told.who, told.number)
        at = max(mine.made, mine.undone) if mine is not None else 0
        return draft_changes.after(tx, slug, told.who, at)

    others = [_told(change) for change in await runtime.store.read(unit)]
    other = next((one for one in others if places & {step.place[:2] for step in one.steps}), None)
    lost = any(clash.lost for clash in found)
    return Asked(told, back, before, found, other, "" if lost else witness(found))


def _told(change: Change) -> Told:
    return Told(change.id, change.who, change.at, json.loads(change.what), from_data(json.loads(change.patch)))
