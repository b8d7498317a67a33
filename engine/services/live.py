"""The live desk: who stands where and who needs a person (R29)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from engine.core.diagram.graph import graph
from engine.core.errors import NotFound
from engine.core.flow import MINUTE, Flow, Look, Millis, StateKind
from engine.runtime import Runtime
from engine.services import channels
from engine.services.archive import inside
from engine.services.live_cards import LATE_AFTER, Card, card
from engine.services.loop_guard import LOOP
from engine.services.pairing import can_pair
from engine.store import board as desk
from engine.store import channels as stored_channels
from engine.store import collisions, flows, orphans, views
from engine.store.board import Filter
from engine.store.connection import Tx

__all__ = [
    "NEEDS", "Board", "Column", "Down", "Figures", "Marks", "board", "counted", "down", "in_order", "live_slugs", "narrowed",
    "needs", "newest", "phone_of", "waiting",
]  # fmt: skip

SOON = 10 * MINUTE
PER_COLUMN = 25
PER_LIST = 200
IN_NEED = 40
FINAL = (StateKind.FINAL, StateKind.OPTOUT)
NEEDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "failed": ("send_failed", "send_unknown", "window_closed_no_template", "not_confirmed", "not_available"),
        "person": ("asked_for_person",),
        "ambiguous": ("two_transitions",),
        "robot": (LOOP,),
    }
)
"""Why somebody is needed, in groups that a supervisor works off together; `late` and `held` are two more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """The counts of one state."""

    people: int = 0
    late: int = 0
    soon: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One state with its people; of a final state none but when it was asked for."""

    state: str
    look: Look
    final: bool
    deadline: tuple[Millis, ...]
    figures: Figures
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Down:
    """A channel that cannot send: in which trouble (`engine/core/troubles.py`), since when, and whether reading a code
    or connecting it again may mend it.
    """

    id: int
    name: str
    state: str
    since: Millis
    pairs: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """How far a page has read: the ends of the log and of the arrivals, and the moment."""

    log: int
    arrivals: int
    at: Millis

    def __str__(self) -> str:
        return f"{self.log}.{self.arrivals}.{self.at}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """The whole desk of a flow. What comes after `marks` is news."""

    slug: str
    number: int
    flow: Flow
    columns: tuple[Column, ...]
    needs: Mapping[str, int]
    down: tuple[Down, ...]
    marks: Marks
    now: Millis

    @property
    def total(self) -> int:
        """Everybody who is not at an end."""
        return sum(column.figures.people for column in self.columns if not column.final)


def narrowed(words: str = "", need: str = "", *, by_phone: bool = True) -> Filter:
    """A filter from what a page's address says; an unknown need narrows nothing."""
    return Filter(
        words=words,
        by_phone=by_phone,
        attention=NEEDS.get(need, ()),
        late=need == "late",
        held=need == "held",
    )


async def board(runtime: Runtime, slug: str, chosen: Filter, *, state: str = "") -> Board:
    """The desk of the flow's live version; with `state` that state alone has cards, and many. Raises NotFound."""
    now = runtime.clock.now()

    def unit(tx: Tx) -> Board:
        live = flows.live(tx, slug)
        if live is None:
            raise NotFound("live flow", slug)
        marks = newest(tx, now)
        flow = runtime.flows.within(tx, slug, live.number)
        figures = counted(tx, slug, now)
        columns = []
        for name in in_order(flow, figures):
            known = flow.states.get(name)
            final = known is not None and known.kind in FINAL
            wanted = name == state if state else not final
            most = PER_LIST if state else PER_COLUMN
            rows = desk.cards(tx, slug, name, now - LATE_AFTER, chosen, most) if wanted and name in figures else []
            columns.append(_column(flow, name, final, figures.get(name, Figures()), rows, now))
        return Board(
            slug=slug,
            number=live.number,
            flow=flow,
            columns=tuple(columns),
            needs=needs(tx, slug, figures),
            down=down(tx),
            marks=marks,
            now=now,
        )

    return await runtime.store.read(unit)


def in_order(flow: Flow, figures: Mapping[str, Figures]) -> list[str]:
    """The states along the road of the sale, and after them those that only an older version had."""
    return [*_road(flow), *sorted(name for name in figures if name not in flow.states)]


@lru_cache(maxsize=64)
def _road(flow: Flow) -> tuple[str, ...]:
    return tuple(state.name for state in graph(flow).boxes)


async def waiting(runtime: Runtime) -> list[tuple[Card, Millis]]:
    """Whoever needs a person, over all flows, and since when; who has waited longest first."""
    now = runtime.clock.now()
    rows = await runtime.store.read(lambda tx: desk.in_need(tx, now - LATE_AFTER, IN_NEED))
    return [(card(row, now), int(row["since"])) for row in rows]


async def live_slugs(runtime: Runtime) -> list[tuple[str, str]]:
    """(slug, title) of every flow that runs; of the archived ones those in which somebody still is."""
    drafts = await runtime.store.read(flows.drafts)
    return [
        (draft.slug, draft.title)
        for draft in drafts
        if draft.live is not None and (draft.archived_at is None or await inside(runtime, draft.slug))
    ]


async def phone_of(runtime: Runtime, slug: str) -> str | None:
    """The secret address of a built-in phone on which this flow can be tried."""
    found = await channels.everything(runtime)
    return next((one.token for one in found if one.config.kind == "phone" and one.flow == slug), None)


def newest(tx: Tx, now: Millis) -> Marks:
    """Where everything ends now."""
    return Marks(log=views.newest_log(tx), arrivals=views.newest_arrival(tx), at=now)


def counted(tx: Tx, slug: str, now: Millis) -> dict[str, Figures]:
    """The counts of each state that has anybody."""
    rows = desk.counts(tx, slug, now, now - LATE_AFTER, now + SOON)
    return {r["state"]: Figures(people=int(r["people"]), late=int(r["late"]), soon=int(r["soon"])) for r in rows}


def needs(tx: Tx, slug: str, figures: Mapping[str, Figures]) -> dict[str, int]:
    """How many need a person, by group; groups without anybody are there with 0. `pairs` that may be one person and
    `strays`, payments without a person, belong to no flow and are the same on every desk.
    """
    reasons = {row["attention"]: int(row["people"]) for row in desk.needing(tx, slug)}
    groups = {name: sum(reasons.get(reason, 0) for reason in group) for name, group in NEEDS.items()}
    of_nobody = {"pairs": collisions.waiting(tx), "strays": orphans.waiting(tx)}
    return {"late": sum(f.late for f in figures.values()), **groups, "held": desk.holding(tx, slug), **of_nobody}


def down(tx: Tx) -> tuple[Down, ...]:
    """The channels that cannot send, as the team was told."""
    return tuple(
        Down(id=one.id, name=one.name, state=one.state, since=one.state_at, pairs=can_pair(one.kind))
        for one in stored_channels.down(tx)
    )


def _column(
    flow: Flow, name: str, final: bool, figures: Figures, rows: Sequence[Mapping[str, Any]], now: Millis
) -> Column:
    state = flow.states.get(name)
    return Column(
        state=name,
        look=Look.HUMAN if state is None else state.look,
        final=final,
        deadline=() if state is None else state.deadline,
        figures=figures,
        cards=tuple(card(row, now, flow) for row in rows),
    )
