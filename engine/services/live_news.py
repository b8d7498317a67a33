"""What changed on the desk since it was last looked at: messages, records, silences that ended (R29)."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from engine.core.errors import NotFound
from engine.core.flow import Millis
from engine.runtime import Runtime
from engine.services.live_cards import LATE_AFTER, Card, card
from engine.services.live_counts import Down, Figures, Marks, counted, down, needs, newest
from engine.store import board as desk
from engine.store import flows, tags, views
from engine.store.board_filter import Filter
from engine.store.connection import Tx

__all__ = ["Follower", "News", "Totals", "cards", "marks_of", "matching", "pulse", "since", "totals"]

AT_ONCE = 500
LOOK_BACK = 200
"""PostgreSQL gives a row its id before the row is committed, so one may appear behind those that were read already:
a follower reads the last ones again."""
CATCH_UP = 20
"""The same for a page that comes back: a few cards too many are harmless."""


_Row: TypeAlias = tuple[str, int, int | None]
"""Of the log or an arrival, its id, its conversation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """Where everything ends now, and the conversations that something happened to. `whole` is False when there was
    more than a page should take in one by one: look at the board again.
    """

    marks: Marks
    changed: tuple[int, ...] = ()
    whole: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """The counts of a desk, the channels that cannot send, and the version that newcomers enter."""

    number: int
    figures: Mapping[str, Figures]
    needs: Mapping[str, int]
    down: tuple[Down, ...] = ()


def marks_of(text: str, now: Millis) -> Marks | None:
    """Marks from their written form; None when they are not ours or from the future."""
    parts = text.split(".")
    if len(parts) != 3 or not all(part.isascii() and part.isdecimal() and len(part) < 16 for part in parts):
        return None
    log, arrivals, at = map(int, parts)
    return Marks(log=log, arrivals=arrivals, at=min(at, now))


class Follower:
    """Follows everything that happens, for all the pages of a process."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._read: frozenset[tuple[str, int]] | None = None
        self.marks = Marks(log=0, arrivals=0, at=0)

    async def look(self) -> News:
        """What is new since the last look; at the first nothing is."""
        now, first, read = self._runtime.clock.now(), self._read is None, self._read or frozenset()

        def unit(tx: Tx) -> tuple[Marks, list[_Row], list[int]]:
            begun = newest(tx, now) if first else self.marks
            rows = _rows(tx, begun, LOOK_BACK if first or tx.dialect == "postgresql" else 0)
            return newest(tx, now), rows, [] if first else _late(tx, begun.at, now)

        ends, rows, late = await self._runtime.store.read(unit)
        fresh = [] if first else [row for row in rows if row[:2] not in read]
        whole = len(fresh) < AT_ONCE
        self._read, self.marks = frozenset(row[:2] for row in rows), ends
        return News(marks=ends, changed=_distinct(fresh, late), whole=whole)


async def since(runtime: Runtime, marks: Marks) -> News:
    """What happened after `marks`, for one page that comes back."""
    now = runtime.clock.now()

    def unit(tx: Tx) -> News:
        rows = _rows(tx, marks, CATCH_UP if tx.dialect == "postgresql" else 0)
        late = _late(tx, marks.at, now)
        return News(marks=newest(tx, now), changed=_distinct(rows, late), whole=len(rows) < AT_ONCE)

    return await runtime.store.read(unit)


async def cards(runtime: Runtime, ids: Collection[int]) -> list[Card]:
    """The cards of these conversations, as they are now."""
    now = runtime.clock.now()

    def unit(tx: Tx) -> list[Card]:
        rows = desk.cards_of(tx, ids)
        colours = tags.colours(tx) if rows else {}
        return [card(row, now, runtime.flows.within(tx, row["flow"], row["flow_version"]), colours) for row in rows]

    return await runtime.store.read(unit)


async def matching(runtime: Runtime, ids: Collection[int], chosen: Filter) -> set[int]:
    """Those of these conversations that a filter lets through."""
    late = runtime.clock.now() - LATE_AFTER
    return await runtime.store.read(lambda tx: desk.matching(tx, ids, late, chosen))


async def pulse(runtime: Runtime, conversation_id: int) -> str:
    """A text that is another one when anything of a conversation has changed. Raises NotFound."""
    found = await runtime.store.read(lambda tx: views.pulse(tx, conversation_id))
    if found is None:
        raise NotFound("conversation", conversation_id)
    return "-".join(str(value or 0) for value in found.values())


async def totals(runtime: Runtime, slug: str) -> Totals | None:
    """The counts of a flow's desk; None when nothing of it is live any more."""
    now = runtime.clock.now()

    def unit(tx: Tx) -> Totals | None:
        live = flows.live(tx, slug)
        if live is None:
            return None
        figures = counted(tx, runtime.flows.within(tx, slug, live.number), slug, now)
        return Totals(number=live.number, figures=figures, needs=needs(tx, slug, figures), down=down(tx))

    return await runtime.store.read(unit)


def _rows(tx: Tx, marks: Marks, back: int) -> list[_Row]:
    logged = views.recorded_since(tx, max(0, marks.log - back), AT_ONCE + back)
    arrived = views.arrived_since(tx, max(0, marks.arrivals - back), AT_ONCE + back)
    return [
        (kind, int(row["id"]), row["conversation_id"])
        for kind, rows in (("log", logged), ("in", arrived))
        for row in rows
    ]


def _late(tx: Tx, after: Millis, now: Millis) -> list[int]:
    return desk.ran_out(tx, after - LATE_AFTER, now - LATE_AFTER, AT_ONCE)


def _distinct(rows: Sequence[_Row], late: Sequence[int]) -> tuple[int, ...]:
    return tuple(dict.fromkeys([*(row[2] for row in rows if row[2] is not None), *late]))
