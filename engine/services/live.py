"""The live desk: who stands where and who needs a person (R29)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from engine.adapters.channels.registry import CHANNELS
from engine.core.errors import NotFound
from engine.core.flow import MINUTE, SECOND, Flow, Look, Millis, StateKind
from engine.core.windows import WINDOW
from engine.runtime import Runtime
from engine.services import channels
from engine.store import board as desk
from engine.store import flows, views
from engine.store.board import Filter
from engine.store.connection import Tx

__all__ = ["NEEDS", "Board", "Card", "Column", "Figures", "Marks", "board", "in_need", "live_slugs", "narrowed"]

SOON = 10 * MINUTE
LATE_AFTER = 5 * SECOND
"""The sweep looks ten times a second: a deadline older than this is late for a reason worth seeing."""
PER_COLUMN = 25
PER_LIST = 200
IN_NEED = 40
FINAL = (StateKind.FINAL, StateKind.OPTOUT)
NEEDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "failed": ("send_failed", "send_unknown", "window_closed_no_template", "not_confirmed", "not_available"),
        "person": ("asked_for_person",),
        "ambiguous": ("two_transitions",),
    }
)
"""Why somebody is needed, in groups that a supervisor works off together; `late` and `held` are two more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """One conversation on the board. `phone` is whole: the page masks it by role. `windowed`: its channel has 24 h."""

    id: int
    flow: str
    state: str
    name: str | None
    phone: str | None
    last_text: str | None
    last_kind: str | None
    entered_at: Millis
    armed_at: Millis
    deadline_at: Millis | None
    rung: int
    ladder: int
    attention: str | None
    paused_until: Millis | None
    paused_by: str | None
    opted_out: bool
    held: int
    writing: bool
    late: bool
    windowed: bool
    window_closes_at: Millis
    updated_at: Millis

    @property
    def order(self) -> tuple[int, Millis, Millis]:
        """The place in a column: needs a person, late, nearest silence, newest; small comes first."""
        rank = 0 if self.attention else 1 if self.late else 2
        return rank, self.deadline_at if self.deadline_at is not None else 10**14, 10**14 - self.updated_at


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
        names = [*flow.states, *(name for name in figures if name not in flow.states)]
        columns = []
        for name in names:
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
            marks=marks,
            now=now,
        )

    return await runtime.store.read(unit)


async def in_need(runtime: Runtime) -> list[Card]:
    """Whoever needs a person, over all flows, the most pressing first."""
    now = runtime.clock.now()
    rows = await runtime.store.read(lambda tx: desk.in_need(tx, now - LATE_AFTER, IN_NEED))
    return [card(row, now) for row in rows]


async def live_slugs(runtime: Runtime) -> list[tuple[str, str]]:
    """(slug, title) of every flow that runs."""
    drafts = await runtime.store.read(flows.drafts)
    return [(draft.slug, draft.title) for draft in drafts if draft.live is not None]


async def phone_of(runtime: Runtime, slug: str) -> str | None:
    """The secret address of a built-in phone on which this flow can be tried."""
    found = await channels.everything(runtime)
    return next((one.token for one in found if one.config.kind == "phone" and one.flow == slug), None)


def has_window(kind: str | None) -> bool:
    """Whether a kind of channel has the 24-hour rule (R28)."""
    return kind is not None and kind in CHANNELS and CHANNELS[kind].capabilities.window


def newest(tx: Tx, now: Millis) -> Marks:
    """Where everything ends now."""
    return Marks(log=views.newest_log(tx), arrivals=views.newest_arrival(tx), at=now)


def counted(tx: Tx, slug: str, now: Millis) -> dict[str, Figures]:
    """The counts of each state that has anybody."""
    rows = desk.counts(tx, slug, now, now - LATE_AFTER, now + SOON)
    return {r["state"]: Figures(people=int(r["people"]), late=int(r["late"]), soon=int(r["soon"])) for r in rows}


def needs(tx: Tx, slug: str, figures: Mapping[str, Figures]) -> dict[str, int]:
    """How many need a person, by group; groups without anybody are there with 0."""
    reasons = {row["attention"]: int(row["people"]) for row in desk.needing(tx, slug)}
    groups = {name: sum(reasons.get(reason, 0) for reason in group) for name, group in NEEDS.items()}
    return {"late": sum(f.late for f in figures.values()), **groups, "held": desk.holding(tx, slug)}


def card(row: Mapping[str, Any], now: Millis, flow: Flow | None = None) -> Card:
    """A row of the board as a card."""
    deadline, paused, kind = row["deadline_at"], row["paused_until"], row["channel_kind"]
    state = flow.states.get(row["state"]) if flow is not None else None
    return Card(
        id=int(row["id"]),
        flow=row["flow"],
        state=row["state"],
        name=row["name"],
        phone=row["phone"],
        last_text=row["last_text"],
        last_kind=row["last_kind"],
        entered_at=row["entered_at"],
        armed_at=row["armed_at"],
        deadline_at=deadline,
        rung=row["rung"],
        ladder=len(state.deadline) if state is not None else 0,
        attention=row["attention"],
        paused_until=paused,
        paused_by=row["paused_by"] if paused is not None else None,
        opted_out=row["opt_out_at"] is not None,
        held=int(row["held"]),
        writing=row["due_at"] is not None,
        late=deadline is not None and deadline <= now - LATE_AFTER and paused is None and row["due_at"] is None,
        windowed=has_window(kind),
        window_closes_at=row["last_inbound_at"] + WINDOW,
        updated_at=row["updated_at"],
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
