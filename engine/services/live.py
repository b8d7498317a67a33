"""The live desk: who stands where, who needs a person, and what changed since the page last looked (R29)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.core.errors import NotFound
from engine.core.flow import MINUTE, SECOND, Flow, Look, Millis, StateKind
from engine.runtime import Runtime
from engine.store import flows, views
from engine.store.connection import Tx

SOON = 10 * MINUTE
LATE_AFTER = 5 * SECOND
"""The sweep looks ten times a second: a deadline older than this is late for a reason worth seeing."""
PER_COLUMN = 25
FINAL = (StateKind.FINAL, StateKind.OPTOUT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """One conversation on the board. `phone` is whole: the page masks it by role."""

    id: int
    state: str
    name: str | None
    phone: str | None
    last_text: str | None
    last_kind: str | None
    entered_at: Millis
    deadline_at: Millis | None
    rung: int
    ladder: int
    attention: str | None
    paused_until: Millis | None
    opted_out: bool
    held: int
    writing: bool
    late: bool
    window_closes_at: Millis


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One state with its people."""

    state: str
    look: Look
    final: bool
    deadline: tuple[Millis, ...]
    people: int
    late: int
    soon: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """The whole desk of a flow. `cursor` is where the log stood: what comes after it is news."""

    slug: str
    title: str
    number: int
    flow: Flow
    columns: tuple[Column, ...]
    needs: Mapping[str, int]
    late: int
    total: int
    cursor: int
    now: Millis


async def board(runtime: Runtime, slug: str, *, words: str = "", need: str = "") -> Board:
    """The desk of the flow's live version. Raises NotFound when it has none."""
    now = runtime.clock.now()

    def unit(tx: Tx) -> Board:
        live = flows.live(tx, slug)
        if live is None:
            raise NotFound("live flow", slug)
        flow = runtime.flows.within(tx, slug, live.number)
        counted = {row["state"]: row for row in views.counts(tx, slug, now, now - LATE_AFTER, now + SOON)}
        names = [*flow.states, *(state for state in counted if state not in flow.states)]
        columns = tuple(_column(tx, flow, slug, name, counted.get(name, {}), now, words, need) for name in names)
        needs = {row["attention"]: int(row["people"]) for row in views.needing(tx, slug)}
        return Board(
            slug=slug,
            title=flow.title.within("pt-BR"),
            number=live.number,
            flow=flow,
            columns=columns,
            needs=needs,
            late=sum(column.late for column in columns),
            total=sum(column.people for column in columns if not column.final),
            cursor=views.newest_log(tx),
            now=now,
        )

    return await runtime.store.read(unit)


async def news(runtime: Runtime, cursor: int) -> tuple[int, list[int]]:
    """What was recorded after `cursor`: the new cursor, and the conversations that it is about."""
    return await runtime.store.read(lambda tx: views.changed_since(tx, cursor))


async def search(runtime: Runtime, words: str, most: int = 50) -> list[Card]:
    """Conversations by name, phone or text, over all flows."""
    now = runtime.clock.now()
    rows = await runtime.store.read(lambda tx: views.found(tx, words, most))
    return [_card(row, now, 0) for row in rows]


async def live_slugs(runtime: Runtime) -> list[tuple[str, str]]:
    """(slug, title) of every flow that runs."""
    drafts = await runtime.store.read(flows.drafts)
    return [(draft.slug, draft.title) for draft in drafts if draft.live is not None]


def _column(
    tx: Tx, flow: Flow, slug: str, name: str, counted: Mapping[str, Any], now: Millis, words: str, need: str
) -> Column:
    state = flow.states.get(name)
    final = state is not None and state.kind in FINAL
    ladder = () if state is None else state.deadline
    rows: Sequence[Mapping[str, Any]] = (
        views.cards(tx, slug, name, now - LATE_AFTER, words, need, PER_COLUMN) if counted else ()
    )
    return Column(
        state=name,
        look=Look.HUMAN if state is None else state.look,
        final=final,
        deadline=ladder,
        people=int(counted.get("people", 0)),
        late=int(counted.get("late", 0)),
        soon=int(counted.get("soon", 0)),
        cards=tuple(_card(row, now, len(ladder)) for row in rows),
    )


def _card(row: Mapping[str, Any], now: Millis, ladder: int) -> Card:
    deadline, paused = row["deadline_at"], row["paused_until"]
    held_back = paused is not None and paused > now
    return Card(
        id=int(row["id"]),
        state=row["state"],
        name=row["name"],
        phone=row["phone"],
        last_text=row["last_text"],
        last_kind=row["last_kind"],
        entered_at=row["entered_at"],
        deadline_at=deadline,
        rung=row["rung"],
        ladder=ladder,
        attention=row["attention"],
        paused_until=paused if held_back else None,
        opted_out=row["opt_out_at"] is not None,
        held=int(row["held"]),
        writing=row["due_at"] is not None,
        late=deadline is not None and deadline <= now - LATE_AFTER and not held_back,
        window_closes_at=row["last_inbound_at"] + 24 * 60 * MINUTE,
    )
