"""Every page, reached by its links, with a corpus of hostile words in every place that takes some."""

import csv
import io
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest_asyncio
from litestar import Litestar
from litestar.datastructures import State

from engine.core.permissions import Role
from engine.services import accounts, sign_in
from engine.store.lanes import Store
from tests.runtimes import a_runtime
from tests.web.conftest import ACTOR, ADDRESS, PASSWORD
from tests.web.crawl import Crawl
from tests.web.furnished import Words, furnish
from tests.web.strict_html import MARK, odd

CORPUS = (Path(__file__).parent.parent / "corpora/xss.txt").read_text().rstrip("\n").split("\n")
NOT_LINKED = {
    "/schema/{path:str}": "the framework's own, which never finds anything",
    "/.well-known/security.txt": "no contact is set here: tests/web/test_security_answers.py",
    "/settings/channels/{number:int}/pair/qr": "a picture by the gateway: tests/web/test_pairing.py",
    "/flows/{slug:str}/draft/problems/{key:str}/scenario.json": "no problem here has one: tests/web/test_proofs.py",
    "/phone/{token:str}/files/{number:int}": "for the customer's own browser alone: tests/web/test_talk_writing.py",
}
"""Routes that are not reached, and why. A new page either has a link to it, or an address in `furnish`, or stands here."""
OF_THE_READER = {
    r"[0-9a-f]{64}$": "when a session was used last",
    r"presence:": "who looks at a draft, for those who look at it too",
    r"first_steps": "which of the first steps somebody has seen",
}
"""What reading writes all the same: notes on the reader alone, of which nothing follows for anybody. By key, and why."""
PLACES = ("<p>{}</p>", '<p title="{}">x</p>', "<p title='{}'>x</p>", "<p title={}>x</p>", '<a href="{}">x</a>',
          "<textarea>{}</textarea>", "<title>{}</title>", "<script>{}</script>", "<style>{}</style>", "<!-- {} -->")  # fmt: skip


@dataclass
class Walk:
    """What was answered on the way, and what was written meanwhile."""

    answers: dict[str, httpx.Response] = field(default_factory=dict)
    written: list[tuple[str, str]] = field(default_factory=list)
    unseen: list[str] = field(default_factory=list)

    @property
    def pages(self) -> dict[str, str]:
        """The answers that a browser reads as a page."""
        return {
            path: answer.text
            for path, answer in self.answers.items()
            if answer.headers.get("content-type", "").startswith("text/html")
        }


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def walk(shared_sqlite_url: str, shared_app: Litestar) -> AsyncIterator[Walk]:
    """An administrator has been everywhere, once for all tests of this file."""
    runtime, words, seen = a_runtime(shared_sqlite_url), Words(CORPUS), Walk()
    there = await furnish(runtime, words)
    assert words.at >= len(CORPUS), "every string is somewhere"
    link = await accounts.invite(runtime, "admin@trilho.test", Role.ADMIN, ACTOR, name=words.line(60))
    await accounts.use_link(runtime, link, PASSWORD)
    token = await sign_in.sign_in(runtime, "admin@trilho.test", PASSWORD, "127.0.0.1")
    original, now_at = Store.write, [""]

    async def spying(self: Store, key: str, unit: object) -> object:
        if self is runtime.store:  # a test of a flow is played in a store of its own
            seen.written.append((now_at[0], key))
        return await original(self, key, unit)  # type: ignore[arg-type]

    async def asking(request: httpx.Request) -> None:
        now_at[0] = request.url.path

    shared_app.state = State({"runtime": runtime})
    transport = httpx.ASGITransport(app=shared_app)
    async with httpx.AsyncClient(transport=transport, base_url=ADDRESS, event_hooks={"request": [asking]}) as client:
        client.cookies.set("trilho", token, domain="trilho.test")
        crawl = Crawl(shared_app, client)
        Store.write = spying  # type: ignore[method-assign, assignment]
        try:
            async for path, response in crawl.pages(there.addresses):
                seen.answers[path] = response
        finally:
            Store.write = original  # type: ignore[method-assign]
        seen.unseen = crawl.unseen()
    yield seen
    await runtime.close()


def test_there_are_two_hundred_strings_and_each_would_be_seen_where_it_is_not_escaped():
    blind = [text for text in CORPUS if not any(odd(place.replace("{}", text)) for place in PLACES)]

    assert len(set(CORPUS)) >= 200
    assert all(MARK in text for text in CORPUS)
    assert blind == []


async def test_every_page_is_reached_and_no_link_leads_to_a_defect(walk):
    statuses = {path: answer.status_code for path, answer in walk.answers.items()}

    assert {path: status for path, status in statuses.items() if status >= 500 or status in (400, 403, 405)} == {}
    assert [path for path in walk.unseen if path not in NOT_LINKED] == []


async def test_sec_s15_nothing_that_people_wrote_is_anything_but_text_on_any_page(walk):
    assert {path: found[:3] for path, page in walk.pages.items() if (found := odd(page))} == {}
    assert len(walk.pages) > 100
    assert sum(MARK in page for page in walk.pages.values()) > 60, "the words are on the pages at all"


async def test_sec_s13_looking_at_a_page_writes_nothing(walk):
    """By any route: the address of a picture on another site must not do anything (SEC-S13)."""
    assert [one for one in walk.written if not any(re.match(about, one[1]) for about in OF_THE_READER)] == []


async def test_sec_s17_a_name_cannot_turn_the_words_around_it_on_any_page(walk):
    pages = walk.pages.values()

    assert [path for path, page in walk.pages.items() if re.search("Ana \u202e?gnp", page)] == []
    assert sum("Ana ▯gnp.exe▯ Lima" in page for page in pages) > 5
    assert sum("<bdi>Ana ▯gnp.exe▯ Lima</bdi>" in page for page in pages) > 3


async def test_every_answer_names_its_kind_once_and_text_its_letters(walk):
    wrong = {}
    for path, answer in walk.answers.items():
        kind = answer.headers.get("content-type", "")
        if answer.content and (not kind or (kind.startswith("text/") and kind.count("charset=utf-8") != 1)):
            wrong[path] = kind
    assert wrong == {}


async def test_sec_s16_no_table_that_is_handed_out_holds_a_formula(walk):
    tables = {p: a.text for p, a in walk.answers.items() if a.headers.get("content-type", "").startswith("text/csv")}
    cells = [
        cell
        for text in tables.values()
        for row in csv.reader(io.StringIO(text.removeprefix("\ufeff")), delimiter=";")
        for cell in row
    ]

    assert any(cell.startswith("'=cmd") for cell in cells)
    assert [cell for cell in cells if cell.lstrip(" ").startswith(tuple("=+-@\t\r"))] == []
