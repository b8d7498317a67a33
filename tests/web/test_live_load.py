"""What the desk asks of the database does not grow with the people on it nor with the pages that are open."""

import asyncio

import pytest

from engine.core.permissions import Role
from engine.services import live_news
from engine.store.connection import Tx
from web.live_seat import seat
from web.stream import Hub


@pytest.fixture
def asked(monkeypatch):
    """The statements that were executed."""
    statements: list[str] = []
    real = Tx._executed
    monkeypatch.setattr(Tx, "_executed", lambda self, sql, params: statements.append(sql) or real(self, sql, params))
    return statements


@pytest.mark.parametrize("path", ["/live", "/live?view=list&q=oi", "/live?view=diagram", "/conversations?q=oi"])
async def test_a_page_asks_as_much_for_many_people_as_for_few(leads, signed_in, asked, path):
    person = await signed_in(Role.SUPERVISOR)
    for few in range(2):
        await leads.greet(f"551190000000{few}")
    await person.get(path)
    asked.clear()
    assert (await person.get(path)).status_code == 200
    once = len(asked)

    for many in range(2, 9):
        await leads.greet(f"551190000000{many}")
    asked.clear()
    assert (await person.get(path)).status_code == 200

    assert len(asked) == once
    assert once < 40


async def test_a_change_is_asked_about_once_for_all_open_pages(leads, runtime, asked):
    """As many pages as like share one look, one card and one question a filter."""
    await leads.greet()

    async def told(pages):
        hub = Hub(runtime)
        streams = []
        for number in range(pages):
            query = {"q": "bruna"} if number % 2 else {}
            streams.append(hub.events(seat(query, "pequeno", "pt-BR", phones=True), None))
        for stream in streams:
            await anext(stream)  # how long to wait before coming again
            await anext(stream)
        asked.clear()
        news = await live_news.cards(runtime, [1])
        batch = await hub._batch(live_news.News(marks=live_news.marks_of("9.9.9", 9), changed=(1,)), 0, {"pequeno"})
        before = len(asked)
        chunks = await asyncio.gather(*(hub._told(place, batch, {}) for place in hub._listeners.values()))
        for stream in streams:
            await stream.aclose()
        assert all(b'id="c-1"' in chunk for chunk in chunks)
        assert len(news) == 1
        return before, len(asked) - before

    few, many = await told(2), await told(40)

    assert few == many
    assert many[1] == 1  # what the filter of half of them lets through


async def test_the_cards_of_a_change_are_one_question(leads, runtime, asked):
    ids = [await leads.greet(f"551190000000{number}") for number in range(5)]
    asked.clear()

    assert len(await live_news.cards(runtime, ids)) == 5

    assert len([sql for sql in asked if "FROM conversation c JOIN contact" in sql]) == 1
    assert len(asked) == 2  # and the colours of tags
