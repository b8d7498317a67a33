"""What a process makes only when it is used: once, however many want it, and never in a web server that just starts."""

import asyncio
import subprocess
import sys

import pytest

from engine import late
from engine.adapters.http import HttpRequest
from engine.core.errors import NotSent
from engine.late import LateHttp, LateQueue

HEAVY = ("arq", "redis", "aiohttp", "psycopg", "alembic", "sqlalchemy")


def test_a_web_server_on_sqlite_starts_without_what_it_does_not_need():
    """Each of these takes a good part of the time until the first answer."""
    code = f"import sys, web.app; print([name for name in {HEAVY} if name in sys.modules])"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"


async def test_a_queue_that_is_away_takes_no_hint_and_says_so(tmp_path):
    """R30."""
    queue = LateQueue(f"unix://{tmp_path}/nobody.sock")
    assert await asyncio.gather(*(queue.enqueue("advance", [n]) for n in range(5))) == [False] * 5
    assert await queue.ping() is False
    await queue.close()


async def test_what_was_never_used_is_closed_without_being_made(monkeypatch):
    asked = []
    monkeypatch.setattr(late, "import_module", asked.append)
    for unused in (LateHttp(), LateQueue("redis://unused")):
        await unused.close()
    assert asked == [], "no library was read for it"


async def test_a_call_is_refused_as_by_the_real_way_out():
    http = LateHttp()
    for _ in range(2):
        with pytest.raises(NotSent, match="https"):
            await http.request(HttpRequest(method="GET", url="http://10.0.0.1/"))
    await http.close()
