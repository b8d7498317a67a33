"""Live pages: one hub a process follows the store while somebody watches, and tells every open desk what changed.

A card is drawn once for each language, view and right to see phones, and shared by all desks that look the same way;
what a filter lets through is asked once for all desks with that filter.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import structlog

from engine.core.errors import StoreUnavailable
from engine.core.flow import SECOND, Flow, Millis
from engine.runtime import Runtime
from engine.services import live_news
from engine.services.live_cards import Card
from engine.services.live_counts import FINAL, Marks
from engine.services.live_news import Follower, News, Totals
from web.live_pages import draw_attention, draw_card, draw_counts, draw_drawing
from web.live_seat import Seat

__all__ = ["Hub", "encoded"]

T = TypeVar("T")

POLL: Millis = 400
COUNT_EVERY: Millis = SECOND
BEAT: Millis = 10 * SECOND
LASTS: Millis = 60 * SECOND
"""A stream ends after this and is opened again where it was, so that a server can stop, and so that who was signed out or
whose key was revoked is told nothing more.
"""
MOST_WAITING = 200
"""Things that a slow reader may have before it; then its stream ends and the page looks again."""
_LINE_END = re.compile(r"\r\n|\r|\n")

log = structlog.get_logger()


def encoded(name: str, data: str, ident: str = "") -> bytes:
    """One server-sent event. Text of several lines is several lines of data."""
    head = (f"id: {ident}\n" if ident else "") + f"event: {name}\n"
    return (head + "".join(f"data: {line}\n" for line in _LINE_END.split(data)) + "\n").encode()


@dataclass(slots=True, kw_only=True)
class Batch:
    """What one look found. `drawn` keeps every text that was made of it; `beat` says that all is well."""

    at: Millis
    marks: Marks | None = None
    cards: tuple[Card, ...] = ()
    whole: bool = True
    totals: Mapping[str, Totals | None] = field(default_factory=dict)
    beat: bool = False
    drawn: dict[tuple[object, ...], str] = field(default_factory=dict)
    asked: dict[tuple[object, ...], asyncio.Future[Any]] = field(default_factory=dict)

    def once(self, key: tuple[object, ...], draw: Callable[[], str]) -> str:
        """The text of `draw`, made the first time that anybody asks."""
        found = self.drawn.get(key)
        if found is None:
            found = self.drawn[key] = draw()
        return found

    async def shared(self, key: tuple[object, ...], find: Callable[[], Awaitable[T]]) -> T:
        """What `find` finds, asked the first time that anybody wants it. Who goes away takes nothing from the others."""
        found = self.asked.get(key)
        if found is None:
            found = self.asked[key] = asyncio.ensure_future(find())
        answer: T = await asyncio.shield(found)
        return answer


class Hub:
    """Follows the store for all desks of a process, and does nothing while there is none."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._listeners: dict[asyncio.Queue[Batch], Seat] = {}
        self._following: asyncio.Task[None] | None = None
        self._flows: dict[str, Flow] = {}
        self.looks = 0

    @property
    def listeners(self) -> int:
        """How many desks are open."""
        return len(self._listeners)

    async def events(self, seat: Seat, since: Marks | None) -> AsyncIterator[bytes]:
        """The stream of one desk: first what it missed after `since`, then whatever happens."""
        queue: asyncio.Queue[Batch] = asyncio.Queue()
        self._listeners[queue] = seat
        if self._following is None or self._following.done():
            self._following = asyncio.create_task(self._follow())
        until = self._runtime.clock.now() + LASTS
        told: dict[str, str] = {}
        try:
            yield b"retry: 2000\n\n"
            batch = await self._missed(seat, since)
            while True:
                if said := await self._told(seat, batch, told):
                    yield said
                missed = not batch.whole or queue.qsize() > MOST_WAITING
                if missed or batch.at >= until:
                    yield encoded("bye", "look" if missed else "")
                    return
                batch = await queue.get()
        finally:
            del self._listeners[queue]

    async def _follow(self) -> None:
        """Look, tell, rest; until nobody listens any more."""
        follower, clock = Follower(self._runtime), self._runtime.clock
        counted = beaten = clock.now()
        dirty = False
        while self._listeners:
            now = clock.now()
            batch = Batch(at=now)
            try:
                found = await follower.look()
                self.looks += 1
                dirty = dirty or bool(found.changed)
                beat = now - beaten >= BEAT
                count = beat or (dirty and now - counted >= COUNT_EVERY)
                batch = await self._batch(found, now, {s.flow for s in self._listeners.values()} if count else set())
                batch.beat = beat
                counted, dirty = (now, False) if count else (counted, dirty)
                beaten = now if beat else beaten
            except StoreUnavailable as error:
                log.warning("the desk cannot be followed", reason=str(error))
            except Exception:
                log.exception("following the desk failed")
            for queue in self._listeners:
                queue.put_nowait(batch)
            await clock.sleep(POLL)

    async def _missed(self, seat: Seat, since: Marks | None) -> Batch:
        """What a page that comes back has not seen, and the counts as they are."""
        now = self._runtime.clock.now()
        found = News(marks=Marks(log=0, arrivals=0, at=now))
        if since is not None:
            found = await live_news.since(self._runtime, since)
        batch = await self._batch(found, now, {seat.flow})
        if since is None:
            batch.marks = None
        batch.beat = True
        return batch

    async def _batch(self, found: News, at: Millis, slugs: set[str]) -> Batch:
        """The cards of what changed, and the counts of these flows."""
        runtime = self._runtime
        cards = tuple(await live_news.cards(runtime, found.changed)) if found.changed and found.whole else ()
        totals = {slug: await live_news.totals(runtime, slug) for slug in sorted(slugs)}
        for slug, counts in totals.items():
            if counts is not None:
                self._flows[slug] = await runtime.flow(slug, counts.number)
        return Batch(at=at, marks=found.marks, cards=cards, whole=found.whole, totals=totals)

    async def _told(self, seat: Seat, batch: Batch, told: dict[str, str]) -> bytes:
        """One batch as the events of one desk; `told` are the counts that it was told last."""
        flow = self._flows.get(seat.flow)
        said = []
        if flow is not None:
            said = [*await self._cards(seat, flow, batch), *await self._counts(seat, flow, batch, told)]
        if batch.beat:
            said.append(("ping", str(batch.at)))
        last = len(said) - 1
        mark = str(batch.marks) if batch.marks is not None else ""
        return b"".join(encoded(name, data, mark if place == last else "") for place, (name, data) in enumerate(said))

    async def _cards(self, seat: Seat, flow: Flow, batch: Batch) -> list[tuple[str, str]]:
        said: list[tuple[str, str]] = []
        if seat.drawn:
            return said
        here = {card.id: card for card in batch.cards if card.flow == seat.flow}
        fits = set(here)
        if here and seat.filtered:
            chosen, ids = seat.chosen, fits
            fits = await batch.shared(
                ("fits", seat.flow, chosen), lambda: live_news.matching(self._runtime, ids, chosen)
            )
        for card in here.values():
            known = flow.states.get(card.state)
            final = known is not None and known.kind in FINAL
            if card.id in fits and not card.followed and seat.belongs(card.flow, card.state, final=final):
                key = ("card", card.id, *seat.look)
                said.append(("card", batch.once(key, lambda card=card: draw_card(seat, flow, card, batch.at))))  # type: ignore[misc] # a default argument has no type
            else:
                said.append(("gone", f"c-{card.id}"))
        return said

    async def _counts(self, seat: Seat, flow: Flow, batch: Batch, told: dict[str, str]) -> list[tuple[str, str]]:
        found = batch.totals.get(seat.flow)
        if found is None:
            return []
        counts = batch.once(("counts", seat.flow, seat.language), lambda: draw_counts(seat, flow, found))
        chips = batch.once(("attention", seat), lambda: draw_attention(seat, flow, found))
        parts = [("counts", counts), ("attention", chips)]
        if seat.drawn and told.get("counts") != counts:
            key = ("drawing", seat.flow, seat.language, seat.phase)
            parts.append(("drawing", await batch.shared(key, lambda: draw_drawing(seat, flow, found))))
        fresh = [(name, html) for name, html in parts if told.get(name) != html]
        told.update(fresh)
        return fresh
