"""What became of who took each branch of the live splits, within a range, since each split is what it is."""

from dataclasses import dataclass

from engine.core.analysis.accounts import Window
from engine.core.analysis.stays import History
from engine.core.conversion import Rate, best, rate
from engine.core.flow import Flow
from engine.core.splits import Branch, split_of
from engine.core.values import Millis
from engine.runtime import Flows
from engine.services.splits import begun
from engine.store.connection import Tx

__all__ = ["Tested", "tested"]


@dataclass(frozen=True, slots=True)
class Tested:
    """One split: its branches with what each sold, the version that it began in, and the sure winner if there is one."""

    branches: tuple[tuple[Branch, Rate], ...]
    since: int
    winner: Branch | None


def tested(
    tx: Tx,
    flows: Flows,
    flow: Flow,
    number: int,
    told: History,
    window: Window,
    won: frozenset[str],
    wanted: frozenset[int],
) -> tuple[Tested, ...]:
    """Contacts, each once a branch: who took it within the window, and who of them then won in the same cycle."""
    splits: dict[object, list[Branch]] = {}
    for branch in flow.branches.values():
        splits.setdefault(split_of(branch.arrow), []).append(branch)
    wins: dict[int, Millis] = {}
    for stay in told.stays:
        if stay.state in won and stay.since < window.until:
            wins[stay.conversation] = max(wins.get(stay.conversation, 0), stay.since)
    return tuple(
        _tested(tx, flows, flow, number, tuple(split), told, window, wins, wanted) for split in splits.values()
    )


def _tested(
    tx: Tx,
    flows: Flows,
    flow: Flow,
    number: int,
    split: tuple[Branch, ...],
    told: History,
    window: Window,
    wins: dict[int, Millis],
    wanted: frozenset[int],
) -> Tested:
    since = begun(tx, flows, flow, number, split)
    bought: dict[str, dict[int, bool]] = {branch.arrow.id: {} for branch in split}
    for one in told.taken:
        there = one.arrow in bought and one.at in window and since <= one.version <= number
        if there and (not wanted or one.version in wanted):
            mine = bought[one.arrow]
            mine[one.contact] = mine.get(one.contact, False) or wins.get(one.conversation, -1) >= one.at
    counts = [(len(mine), sum(mine.values())) for mine in bought.values()]
    first = best(counts)
    rates = tuple((branch, rate(*count)) for branch, count in zip(split, counts, strict=True))
    return Tested(rates, since, None if first is None else split[first])
