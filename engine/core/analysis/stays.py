"""Who was where from when to when, read off the transition log alone (R45).

A stay is the time of one conversation in one state. It begins with the row that put the conversation there and ends
with the next one that put it elsewhere; arrows that lead back to the same state do not end it. Its version is the one
that the conversation held when it began: whoever goes on in a new version without being moved stays where they are.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from engine.core.values import Millis, Source

__all__ = ["Cause", "Ends", "Entry", "History", "Stay", "Taken", "history"]

SPLIT, FOLLOWED = "split", "followed"
BY_PUBLICATION = frozenset({"moved_by_publication", "taken_back"})


class Cause(StrEnum):
    """Why a stay ended. Each has one, the first of these that fits."""

    OPT_OUT = "opt_out"
    PUBLICATION = "publication"
    """A new version, or a roll back, put the person elsewhere."""
    HAND = "hand"
    SILENCE = "silence"
    LOST = "lost"
    """Something else than silence led to a final state that looks lost."""
    ONWARD = "onward"
    ELSEWHERE = "elsewhere"
    """The talk goes on in another cycle of the same person."""


class Entry(NamedTuple):
    """A row of the log that says where a conversation is, or why it left. `goes_on_from` is the cycle whose place this
    one took, `arrow` is told of a branch of a split alone.
    """

    conversation: int
    contact: int
    at: Millis
    outcome: str
    reason: str | None
    event_id: str | None
    frm: str | None
    to: str | None
    version: int | None
    source: str | None
    arrow: str | None
    goes_on_from: int | None


@dataclass(frozen=True, slots=True)
class Ends:
    """The states that say why somebody left, of all versions together."""

    won: frozenset[str] = frozenset()
    lost: frozenset[str] = frozenset()
    opt_out: frozenset[str] = frozenset()


@dataclass(slots=True)
class Stay:
    """`until` and `cause` are None while it lasts; `since` is 0 where the row that began it is gone. `began` marks the
    first of a conversation, `silent` one in which the clock spoke; `arrows` are the branches taken up to its beginning.
    """

    conversation: int
    contact: int
    state: str
    version: int
    since: Millis
    until: Millis | None = None
    cause: Cause | None = None
    began: bool = False
    silent: bool = False
    arrows: frozenset[str] = frozenset()


class Taken(NamedTuple):
    """A branch of a split that somebody took."""

    conversation: int
    contact: int
    at: Millis
    arrow: str
    version: int


@dataclass(frozen=True, slots=True)
class History:
    """Everything that the rows say. `versions`: of each event that moved somebody, the version that decided."""

    stays: tuple[Stay, ...]
    taken: tuple[Taken, ...]
    versions: dict[str, int]
    opted_out: dict[int, tuple[Millis, ...]]


def history(entries: Iterable[Entry], ends: Ends) -> History:
    """Read rows in the order of their conversations, each conversation's in the order in which they were written."""
    rows = list(entries)
    replaced = {row.goes_on_from: row.at for row in rows if row.goes_on_from is not None}
    stays: list[Stay] = []
    taken: list[Taken] = []
    versions = {
        row.event_id: row.version for row in rows if row.event_id and row.version and row.outcome == "transition"
    }
    opted: dict[int, tuple[Millis, ...]] = {}
    for conversation, group in groupby(rows, key=attrgetter("conversation")):
        mine = list(group)
        found, over = _walk(mine, ends, taken)
        gone = min((at for at in (replaced.get(conversation), over) if at is not None), default=None)
        stays += found if gone is None else [_cut(stay, gone) for stay in found]
        if outs := tuple(row.at for row in mine if row.outcome == "opt_out"):
            opted[conversation] = outs
    return History(tuple(stays), tuple(taken), versions, opted)


def _walk(rows: list[Entry], ends: Ends, taken: list[Taken]) -> tuple[list[Stay], Millis | None]:
    """The stays of one conversation, and when another cycle took its place. Clocks of two machines may differ by a
    little: nothing happens before what was written before it.
    """
    outs = {row.event_id for row in rows if row.outcome == "opt_out" and row.event_id is not None}
    found: list[Stay] = []
    now, version, arrows, over = 0, 0, frozenset[str](), None
    for row in rows:
        now = max(now, row.at)
        version = row.version or version
        if row.reason == FOLLOWED and row.to is None:
            over = now
        here = found[-1] if found else None
        if here is not None and row.source == Source.CLOCK:
            here.silent = True
        if row.to is None:
            continue
        if row.arrow is not None:
            arrows |= {row.arrow}
            taken.append(Taken(row.conversation, row.contact, now, row.arrow, version))
        if here is None and row.frm is not None:
            here = Stay(row.conversation, row.contact, row.frm, version, 0, silent=row.source == Source.CLOCK)
            found.append(here)
        if here is not None and here.state == row.to:
            continue
        if here is not None:
            here.until, here.cause = now, _cause(row, outs, ends)
        found.append(Stay(row.conversation, row.contact, row.to, version, now, began=row.frm is None, arrows=arrows))
    return found, over


def _cause(row: Entry, outs: set[str], ends: Ends) -> Cause:
    if row.to in ends.opt_out or (row.event_id or "") in outs:
        return Cause.OPT_OUT
    if row.reason in BY_PUBLICATION:
        return Cause.PUBLICATION
    if row.outcome != "transition" or row.source == Source.HUMAN:
        return Cause.HAND
    if row.source == Source.CLOCK:
        return Cause.SILENCE
    return Cause.LOST if row.to in ends.lost else Cause.ONWARD


def _cut(stay: Stay, gone: Millis) -> Stay:
    """Another cycle is the person's from `gone` on: nobody stays here any longer, whatever is still noted of it."""
    if stay.until is not None and stay.until <= max(gone, stay.since):
        return stay
    return replace(stay, until=max(gone, stay.since), cause=Cause.ELSEWHERE)
