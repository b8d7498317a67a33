"""The stream of the desk: what changed is told once, to everybody, and what was missed is told after all."""

import asyncio
import re

import pytest
import pytest_asyncio

from engine.core.errors import StoreUnavailable
from engine.core.permissions import Role
from engine.services import channel_health, channels, live_news
from engine.services.live_news import Follower
from tests.runtimes import a_runtime
from web import stream
from web.live_seat import seat
from web.stream import BEAT, LASTS, POLL, Hub, encoded

FLOW = "pequeno"


@pytest_asyncio.fixture
async def hub(runtime):
    return Hub(runtime)


class Desk:
    """One open page: the events that it was sent, oldest first."""

    def __init__(self, hub, runtime, query=None, *, phones=True, language="pt-BR", since=None):
        self.runtime = runtime
        self.stream = hub.events(seat(query or {}, FLOW, language, phones=phones), since)
        self.events = []
        self.unread = []
        self.ids = []
        self.ended = False

    async def until(self, name, *, most=400, step=POLL):
        """Read on, time passing, until an event of this name; its data."""
        for _ in range(most):
            if self.unread:
                found = self._read(self.unread.pop(0))
                if found is not None and found[0] == name:
                    return found[1]
                continue
            reading = asyncio.ensure_future(anext(self.stream, None))
            while not reading.done():
                await asyncio.wait({reading}, timeout=0.02)
                if not reading.done():
                    self.runtime.clock.advance(step)
            chunk = reading.result()
            if chunk is None:
                self.ended = True
                return None
            self.unread = [text for text in chunk.decode().split("\n\n") if text]
        raise AssertionError(f"no {name} among {[n for n, _ in self.events]}")

    def _read(self, text):
        fields = dict.fromkeys(("event", "id"), "")
        data = []
        for line in text.strip("\n").split("\n"):
            key, _, value = line.partition(": ")
            if key == "data":
                data.append(value)
            fields[key] = value
        if fields["id"]:
            self.ids.append(fields["id"])
        if not fields["event"]:
            return None
        self.events.append((fields["event"], "\n".join(data)))
        return self.events[-1]

    async def close(self):
        await self.stream.aclose()


@pytest_asyncio.fixture
async def open_desk(hub, runtime):
    desks = []

    def opened(query=None, **more):
        desks.append(Desk(hub, runtime, query, **more))
        return desks[-1]

    yield opened
    for desk in desks:
        await desk.close()


async def _marks(runtime):
    follower = Follower(runtime)
    return (await follower.look()).marks


async def test_a_message_is_a_card_at_once_and_again_when_the_bot_has_decided(leads, open_desk):
    desk = open_desk()
    await desk.until("ping")

    number = await leads.say("5511900000142", "oi", "Bruna Azeredo")
    card = await desk.until("card")
    assert f'id="c-{number}"' in card
    assert 'data-in="NOVO"' in card
    assert "escrevendo" in card

    await leads.work()
    while 'data-in="CONVERSA"' not in card:
        card = await desk.until("card")
    counts = await desk.until("counts")
    assert re.search(r'id="h-CONVERSA".*?<b class="num end">1</b>', counts, re.DOTALL)
    assert desk.ids


async def test_what_happened_while_nobody_looked_is_told_to_who_comes_back(leads, open_desk, runtime):
    await leads.greet("5511900000001", name="Ana")
    before = await _marks(runtime)
    second = await leads.say("5511900000002", "oi", "Bia")

    desk = open_desk(since=live_news.marks_of(str(before), runtime.clock.now()))
    card = await desk.until("card")

    assert f'id="c-{second}"' in card
    assert [name for name, _ in desk.events].count("card") == 1


@pytest.mark.parametrize("text", ["", "1.2", "1.2.3.4", "-1.2.3", "a.b.c", "1.2.³", "9" * 20 + ".1.1"])
def test_a_cursor_that_is_not_ours_is_no_cursor(text):
    assert live_news.marks_of(text, 10) is None


def test_a_cursor_from_the_future_is_from_now():
    marks = live_news.marks_of("1.2.99", 10)

    assert marks is not None
    assert str(marks) == "1.2.10"


async def test_whoever_reaches_an_end_is_gone_from_the_columns(leads, open_desk):
    number = await leads.greet()
    desk = open_desk()
    await desk.until("ping")

    await leads.greet(text="tchau")

    assert await desk.until("gone") == f"c-{number}"


async def test_a_filter_holds_for_what_comes_too(leads, open_desk, runtime):
    number = await leads.greet()
    everybody, failed = open_desk(), open_desk({"need": "failed"})
    await everybody.until("ping")
    await failed.until("ping")

    await leads.greet(text="outra")
    await everybody.until("gone")
    assert await failed.until("gone") == f"c-{number}"

    other = await leads.greet("5511900000009", name="Bia")
    while await failed.until("gone") != f"c-{other}":
        continue
    assert "card" not in [name for name, _ in failed.events]
    await leads.change("UPDATE conversation SET attention = 'send_failed' WHERE id = :id", id=other)
    await leads.say("5511900000009", "cadê?")
    card = await failed.until("card")
    while "falhou" not in card:
        card = await failed.until("card")
    assert f'id="c-{other}"' in card


async def test_a_card_is_drawn_once_for_all_that_look_alike(leads, open_desk, monkeypatch):
    drawn = []
    real = stream.draw_card
    monkeypatch.setattr(stream, "draw_card", lambda *a: drawn.append(a[0].language) or real(*a))
    desks = [open_desk() for _ in range(5)]
    english, masked = open_desk(language="en"), open_desk(phones=False)
    for desk in (*desks, english, masked):
        await desk.until("ping")

    await leads.say("5511900000142", "oi")
    cards = [await desk.until("card") for desk in desks]

    assert len(set(cards)) == 1
    assert "writing" in await english.until("card")
    assert "+55 11 90000-0142" in cards[0]
    assert "90000-0142" not in await masked.until("card")
    assert sorted(drawn) == ["en", "pt-BR", "pt-BR"]


async def test_the_hub_looks_only_while_somebody_listens(leads, open_desk, hub, runtime):
    desk = open_desk()
    await desk.until("ping")
    await leads.say("5511900000142", "oi")
    await desk.until("card")
    assert hub.listeners == 1
    await desk.close()
    assert hub.listeners == 0

    async def time_passes():
        for _ in range(20):
            runtime.clock.advance(POLL)
            await runtime.store.read(lambda tx: tx.value("SELECT 1"))

    await time_passes()
    looks = hub.looks
    await time_passes()
    assert hub.looks == looks

    again = open_desk()
    await again.until("ping")
    await leads.say("5511900000143", "oi")
    await again.until("card")
    assert hub.looks > looks


async def test_a_stream_says_that_it_lives_and_ends_after_a_minute(leads, open_desk, runtime):
    desk = open_desk()
    begun = runtime.clock.now()

    assert await desk.until("bye") == ""
    assert await anext(desk.stream, None) is None

    lasted = runtime.clock.now() - begun
    assert LASTS <= lasted < LASTS + BEAT
    assert 4 <= [name for name, _ in desk.events].count("ping") <= 8


async def test_while_the_database_is_away_nothing_claims_to_be_live(leads, open_desk, hub, runtime, monkeypatch):
    desk = open_desk()
    await desk.until("ping")
    real = Follower.look

    async def away(_self):
        raise StoreUnavailable("away")

    monkeypatch.setattr(Follower, "look", away)
    assert await desk.until("bye") == ""
    assert [name for name, _ in desk.events].count("ping") <= 2

    monkeypatch.setattr(Follower, "look", real)
    again = open_desk()
    await again.until("ping")
    await leads.say("5511900000142", "oi")
    assert await again.until("card")


async def test_a_silence_that_ends_without_anything_happening_is_told(leads, open_desk):
    number = await leads.greet()
    desk = open_desk()
    await desk.until("ping")
    await leads.change("UPDATE conversation SET deadline_at = :at", at=leads.clock.now() + 2_000)

    card = await desk.until("card")

    assert f'id="c-{number}"' in card
    assert "atrasada" in card
    assert "n-late" in await desk.until("attention")


async def test_too_much_at_once_is_a_reason_to_look_at_the_whole_board(leads, open_desk, runtime, monkeypatch):
    before = await _marks(runtime)
    monkeypatch.setattr(live_news, "AT_ONCE", 3)
    for number in range(4):
        await leads.say(f"551190000000{number}", "oi")

    desk = open_desk(since=before)

    assert await desk.until("bye") == "look"
    assert [name for name, _ in desk.events].count("card") == 0


async def test_a_row_that_is_committed_after_a_later_one_is_not_missed(postgres_url):
    runtime = a_runtime(postgres_url)
    insert = "INSERT INTO log (id, at, conversation_id, outcome, facts) VALUES (:id, 0, :c, 'note', '{}')"

    async def log(number, conversation):
        await runtime.store.write("x", lambda tx: tx.run(insert, id=number, c=conversation))

    await log(5, 50)
    follower = Follower(runtime)
    assert (await follower.look()).changed == ()
    await log(9, 90)
    assert (await follower.look()).changed == (90,)

    await log(7, 70)

    assert (await follower.look()).changed == (70,)
    assert (await follower.look()).changed == ()
    await runtime.close()


def test_a_text_of_several_lines_stays_one_event():
    assert encoded("card", "a\r\nb\rc\nd", "1.2.3") == (
        b"id: 1.2.3\nevent: card\ndata: a\ndata: b\ndata: c\ndata: d\n\n"
    )


async def test_a_browser_that_names_no_desk_is_told_not_to_come_again(signed_in, flow):
    watcher = await signed_in(Role.READONLY)

    assert (await watcher.get("/live/stream")).status_code == 204
    assert (await watcher.get("/live/stream?flow=nenhum")).status_code == 204


async def test_the_route_streams_and_lets_go_of_who_leaves(app, signed_in, flow):
    watcher = await signed_in(Role.READONLY)
    sent, left = [], asyncio.Event()
    asked = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "GET", "scheme": "http",
        "path": "/live/stream", "raw_path": b"/live/stream", "query_string": b"flow=pequeno", "root_path": "",
        "headers": [(b"host", b"trilho.test"), (b"cookie", f"trilho={watcher.session}".encode())],
        "client": ("127.0.0.1", 1), "server": ("trilho.test", 80), "extensions": {}, "state": {},
    }  # fmt: skip
    first = iter([{"type": "http.request", "body": b"", "more_body": False}])

    async def receive():
        message = next(first, None)
        if message is None:
            await left.wait()
            return {"type": "http.disconnect"}
        return message

    async def send(message):
        sent.append(message)
        if b"event: ping" in message.get("body", b""):
            left.set()

    async with asyncio.timeout(10):
        await app(asked, receive, send)

    assert sent[0]["status"] == 200
    assert (b"content-type", b"text/event-stream") in [(k, v.split(b";")[0]) for k, v in sent[0]["headers"]]
    assert app.state.hub.listeners == 0


async def test_a_number_that_cannot_send_is_told_to_open_desks(leads, open_desk, runtime):
    """The banner comes and goes by itself."""
    number = (await channels.everything(runtime))[0].id
    desk = open_desk()
    assert "QR code" not in await desk.until("attention")

    async def hears(state):
        await runtime.store.write("x", lambda tx: channel_health.heard(tx, runtime.clock.now(), number, state, 401))
        return await desk.until("attention")

    assert "leia o QR code de novo" in await hears("close")
    assert "QR code" not in await hears("open")
