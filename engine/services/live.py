"""The live desk: who stands where and who needs a person (R29)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from engine.core.diagram.graph import graph
from engine.core.errors import NotFound
from engine.core.flow import Flow, Look, Millis
from engine.runtime import Runtime
from engine.services import channels
from engine.services.archive import inside
from engine.services.live_cards import LATE_AFTER, Card, card
from engine.services.live_counts import FINAL, Down, Figures, Marks, counted, down, finals, needs, newest
from engine.store import board as desk
from engine.store import channels as stored_channels
from engine.store import flows, tags
from engine.store.board_filter import Filter
from engine.store.connection import Tx

__all__ = [
    "MOST_PER_COLUMN", "PER_COLUMN", "Board", "Column", "board", "channel_names", "in_order", "live_slugs", "phone_of", "waiting",
]  # fmt: skip

PER_COLUMN, MOST_PER_COLUMN = 25, 1_000
IN_NEED = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One state with its people; of a final state none but when it was asked for. `fitting` is how many the filter lets
    through, of whom `cards` are the first.
    """

    state: str
    look: Look
    final: bool
    deadline: tuple[Millis, ...]
    figures: Figures
    cards: tuple[Card, ...]
    fitting: int


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


async def board(runtime: Runtime, slug: str, chosen: Filter, *, state: str = "", most: int = PER_COLUMN) -> Board:
    """The desk of the flow's live version, with at most so many cards a state; with `state` that state alone has any.
    Raises NotFound.
    """
    now = runtime.clock.now()

    def unit(tx: Tx) -> Board:
        live = flows.live(tx, slug)
        if live is None:
            raise NotFound("live flow", slug)
        marks = newest(tx, now)
        flow = runtime.flows.within(tx, slug, live.number)
        figures = counted(tx, flow, slug, now)
        over = set(finals(flow))
        wanted = [name for name in figures if most and (name == state if state else name not in over)]
        found = desk.columns(tx, slug, wanted, now - LATE_AFTER, chosen, most)
        rows = desk.cards_of(tx, [one for ids, _ in found.values() for one in ids])
        cards: dict[str, list[Card]] = {}
        colours = tags.colours(tx)
        for row in rows:
            cards.setdefault(row["state"], []).append(card(row, now, flow, colours))
        return Board(
            slug=slug,
            number=live.number,
            flow=flow,
            columns=tuple(
                _column(flow, name, figures.get(name, Figures()), cards.get(name, ()), found.get(name, ((), 0))[1])
                for name in in_order(flow, figures)
            ),
            needs=needs(tx, slug, figures),
            down=down(tx),
            marks=marks,
            now=now,
        )

    return await runtime.store.read(unit)


def in_order(flow: Flow, figures: Iterable[str]) -> list[str]:
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


async def channel_names(runtime: Runtime) -> list[tuple[int, str]]:
    """(id, name) of every channel."""
    return await runtime.store.read(lambda tx: [(one.id, one.name) for one in stored_channels.TABLE.everything(tx)])


async def phone_of(runtime: Runtime, slug: str) -> str | None:
    """The secret address of a built-in phone on which this flow can be tried."""
    found = await channels.everything(runtime)
    return next((one.token for one in found if one.config.kind == "phone" and one.flow == slug), None)


def _column(flow: Flow, name: str, figures: Figures, cards: Sequence[Card], fitting: int) -> Column:
    state = flow.states.get(name)
    return Column(
        state=name,
        look=Look.HUMAN if state is None else state.look,
        final=state is not None and state.kind in FINAL,
        deadline=() if state is None else state.deadline,
        figures=figures,
        cards=tuple(cards),
        fitting=fitting,
    )
