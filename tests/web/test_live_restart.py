"""Whatever stops, an open desk misses nothing: brought on from its mark, it is the page that is opened afresh."""

import asyncio
import re

import pytest

from engine.core.permissions import Role
from engine.services import live_news
from tests.runtimes import a_runtime
from tests.web.conftest import living
from tests.web.leads import Leads, phone_for
from web.app import create_app
from web.live_seat import seat
from web.stream import Hub

FLOW = "pequeno"
CARD = re.compile(r'<div class="bc ([^"]*)" id="(c-\d+)" data-in="([^"]*)" data-o="([^"]*)">(.*?)</div>', re.DOTALL)
NUMBER = re.compile(r'<b class="num[^"]*" id="([nmt]-[^"]*)">([^<]*)</b>')


class OpenPage:
    """A browser's page as far as the desk's script changes it: cards by id, numbers by id, and the mark."""

    def __init__(self, html):
        self.cards, self.numbers = {}, {}
        self.marks = html.partition('data-marks="')[2].partition('"')[0]
        self.take(html)

    def take(self, html):
        for tone, ident, place, order, inside in CARD.findall(html):
            self.cards[ident] = (place, order, tone, _words(inside))
        self.numbers |= dict(NUMBER.findall(html))

    def hear(self, chunk):
        for text in chunk.decode().split("\n\n"):
            lines = [line.partition(": ")[::2] for line in text.split("\n")]
            data = "\n".join(value for key, value in lines if key == "data")
            match dict(lines).get("event"):
                case "gone":
                    self.cards.pop(data, None)
                case "card" | "counts":
                    self.take(data)
            self.marks = dict(lines).get("id") or self.marks

    @property
    def seen(self):
        return self.cards, self.numbers


def _words(inside):
    """What a card says, the passing time aside."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>|\b\d+ (s|min|h|d)\b", " ", inside)).strip()


async def _follow(runtime, page, looks):
    """Listen as the page does, until as many batches were told."""
    events = Hub(runtime).events(
        seat({}, FLOW, "pt-BR", phones=True), live_news.marks_of(page.marks, runtime.clock.now())
    )
    for _ in range(looks):
        reading = asyncio.ensure_future(anext(events))
        while not reading.done():
            await asyncio.wait({reading}, timeout=0.02)
            runtime.clock.advance(400)
        page.hear(reading.result())
    return events


@pytest.mark.parametrize("how", ["the web process is killed", "Redis begins anew"])
async def test_a_page_that_was_cut_off_is_the_same_as_a_fresh_one(runtime, app, flow, signed_in, sqlite_url, how):
    leads = await phone_for(runtime, flow)
    person = await signed_in(Role.SUPERVISOR)
    stays = await leads.greet("5511900000001", name="Ana")
    leaves = await leads.greet("5511900000002", name="Bia")
    page = OpenPage((await person.get("/live")).text)
    cut = await _follow(runtime, page, 2)
    assert f"c-{leaves}" in page.cards

    async def meanwhile(leads: Leads) -> None:
        await leads.greet("5511900000002", text="tchau")
        await leads.greet("5511900000003", name="Caio")
        await leads.change("UPDATE conversation SET attention = 'send_failed' WHERE id = :id", id=stays)
        await leads.say("5511900000001", "oi?")

    if how.startswith("Redis"):
        await meanwhile(leads)
        await _follow(runtime, page, 2)
        await cut.aclose()
        fresh = OpenPage((await person.get("/live")).text)
    else:
        other = a_runtime(sqlite_url, clock=runtime.clock)  # nothing of the first process is left but the database
        leads = Leads(other, leads.channel, said=90)
        await meanwhile(leads)
        async with living(create_app(runtime=other)):
            await (await _follow(other, page, 2)).aclose()
            await cut.aclose()
            fresh = OpenPage((await person.get("/live")).text)
        await other.close()

    assert fresh.seen == page.seen
    assert f"c-{leaves}" not in page.cards
    assert "falhou" in page.cards[f"c-{stays}"][3]
