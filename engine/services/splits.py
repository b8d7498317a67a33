"""How the branches of a split do in the live version: who took each, who then bought, and whether one is surely better."""

from dataclasses import dataclass

from engine.core.conversion import Rate, best, rate
from engine.core.differing.cases import effect_of
from engine.core.flow import Flow, Look, StateKind
from engine.core.splits import Branch, split_of
from engine.runtime import Flows, Runtime
from engine.store import conversations, splits
from engine.store.connection import Tx

__all__ = ["Result", "Results", "begun", "results"]

MOST_VERSIONS = 50
"""Versions that are looked back through for the beginning of a test."""


@dataclass(frozen=True, slots=True)
class Result:
    """One branch as it is live."""

    branch: Branch
    rate: Rate


@dataclass(frozen=True, slots=True)
class Results:
    """A live split since the version in which it began to be what it is. `winner` is sure, None as long as none is."""

    branches: tuple[Result, ...]
    since: int
    winner: Result | None


async def results(runtime: Runtime, slug: str, ident: str) -> Results | None:
    """The split that the arrow is a branch of in the live version; None where it is none there."""

    def unit(tx: Tx) -> Results | None:
        number = conversations.live_version(tx, slug)
        return None if number is None else _results(tx, runtime, slug, number, ident)

    return await runtime.store.read(unit)


def _results(tx: Tx, runtime: Runtime, slug: str, number: int, ident: str) -> Results | None:
    live = runtime.flows.within(tx, slug, number)
    split = _split(live, ident)
    if not split:
        return None
    since = begun(tx, runtime.flows, live, number, split)
    won = [s.name for s in live.states.values() if s.kind is StateKind.FINAL and s.look is Look.WON]
    versions = range(since, number + 1)
    found = splits.taken(tx, slug, split[0].arrow.frm, [b.arrow.id for b in split], versions, won)
    counted = [found.get(branch.arrow.id, splits.Taken()) for branch in split]
    told = tuple(Result(b, rate(each.people, each.won)) for b, each in zip(split, counted, strict=True))
    first = best([(each.people, each.won) for each in counted])
    return Results(told, since, None if first is None else told[first])


def begun(tx: Tx, flows: Flows, live: Flow, number: int, split: tuple[Branch, ...]) -> int:
    """The first of the consecutive versions up to `number` in which the split is what it is in that one."""
    since, wanted = number, _meaning(live, split)
    while since > max(1, number - MOST_VERSIONS):
        before = flows.within(tx, live.slug, since - 1)
        if _meaning(before, _split(before, split[0].arrow.id)) != wanted:
            break
        since -= 1
    return since


def _split(flow: Flow, ident: str) -> tuple[Branch, ...]:
    mine = flow.branches.get(ident)
    if mine is None:
        return ()
    return tuple(b for b in flow.branches.values() if split_of(b.arrow) == split_of(mine.arrow))


def _meaning(flow: Flow, split: tuple[Branch, ...]) -> object:
    """Equal for splits that draw the same people for the same things, said in the same words, under the same ids."""
    return [
        (b.arrow.id, b.field, b.low, b.high, effect_of(flow, b.arrow), [flow.actions[name] for name in b.arrow.do])
        for b in split
    ]
