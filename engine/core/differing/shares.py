"""Splits of two versions that differ in nothing but their shares: told as such, and not contact by contact."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from engine.core.differing.cases import effect_of
from engine.core.flow import Flow
from engine.core.splits import Branch, split_of

__all__ = ["Shares", "shares_changed"]


@dataclass(frozen=True, slots=True)
class Shares:
    """One split: its branches before and now, which do the same in the same order."""

    before: tuple[Branch, ...]
    after: tuple[Branch, ...]


def shares_changed(old: Flow, new: Flow) -> tuple[Shares, ...]:
    """Every split with other shares."""
    return tuple(_changed(old, new))


def _changed(old: Flow, new: Flow) -> Iterator[Shares]:
    after = _splits(new)
    for key, branches in _splits(old).items():
        others = after.get(key, ())
        same = [effect_of(old, b.arrow) for b in branches] == [effect_of(new, b.arrow) for b in others]
        if same and [b.high for b in branches] != [b.high for b in others]:
            yield Shares(branches, others)


def _splits(flow: Flow) -> Mapping[object, tuple[Branch, ...]]:
    found: dict[object, list[Branch]] = {}
    for branch in flow.branches.values():
        found.setdefault(split_of(branch.arrow), []).append(branch)
    return {key: tuple(branches) for key, branches in found.items()}
