"""Every address that a page leads to, with each part of its query odd in turn: an answer below 500, nothing written (SEC-S5)."""

from urllib.parse import parse_qsl, quote, urlsplit

import pytest

from engine.core.permissions import Role
from tests.web.crawl import Crawl
from tests.web.furnished import Words, furnish

ODD = (
    "9" * 25,
    "\x00",
    "-1",
    "💩\u202e",
    "x" * 3_000,
    "' OR 1=1 --",
    "%",
    "1e400",
    "\ud83d",
    "[]",
    "None",
    "../..",
    "٣",
)


async def addresses(app, runtime, signed_in) -> tuple[object, list[str]]:
    there = await furnish(runtime, Words([f"palavra{n}" for n in range(300)]))
    admin = await signed_in(Role.ADMIN)
    crawl = Crawl(app, admin.client, each=1)
    return admin, [path async for path, _ in crawl.pages(there.addresses)]


def changed(path: str, keys: list[str], word: str) -> str:
    """The address with a word in place of the values of some keys."""
    parts = urlsplit(path)
    query = [(k, word if k in keys else v) for k, v in parse_qsl(parts.query, keep_blank_values=True)]
    return parts.path + "?" + "&".join(f"{quote(k)}={quote(v, errors='surrogatepass')}" for k, v in query)


async def failures(admin, asked: list[str]) -> dict[str, int]:
    found = {}
    for path in asked:
        status = (await admin.get(path)).status_code
        if status >= 500:
            found[path[:200]] = status
    return found


async def test_each_part_of_a_query_may_be_odd(app, runtime, signed_in):
    """Each key of each route once, the odd words in turn."""
    admin, paths = await addresses(app, runtime, signed_in)
    pairs = {(urlsplit(p).path.rstrip("0123456789"), k): (p, k) for p in paths for k, _ in parse_qsl(urlsplit(p).query)}

    assert len(pairs) > 30
    asked = [changed(path, [key], ODD[at % len(ODD)]) for at, (path, key) in enumerate(sorted(pairs.values()))]
    assert await failures(admin, asked) == {}


@pytest.mark.slow
async def test_each_part_of_each_query_may_be_every_odd_word(app, runtime, signed_in):
    admin, paths = await addresses(app, runtime, signed_in)
    asked = {changed(p, [k], word) for p in paths for k, _ in parse_qsl(urlsplit(p).query) for word in ODD}

    assert await failures(admin, sorted(asked)) == {}
