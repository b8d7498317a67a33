"""Addresses in every disguise that lead back inside, at every place that takes one from outside: none is connected to (SEC-S19)."""

import json
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.adapters.channels import cloud_media
from engine.adapters.channels.protocol import ChannelConfig
from engine.adapters.http import HttpAnswer, HttpRequest
from engine.adapters.http_client import Http
from engine.adapters.media import MediaRefused
from engine.core.errors import AnswerLost, NotSent

CORPUS = (Path(__file__).parent.parent / "corpora/ssrf.txt").read_text().splitlines()
CLOUD = ChannelConfig(id=1, kind="whatsapp_cloud", name="x", settings={}, secrets={"access_token": "TOKEN"})
_heard: list[list[object]] = []


def _listen(event: str, args: tuple[object, ...]) -> None:
    if event == "socket.connect" and _heard:
        _heard[-1].append(args[1])


sys.addaudithook(_listen)


@pytest.fixture
def connected() -> Iterator[list[object]]:
    """The addresses that this process connects to, as the interpreter itself hears of them."""
    addresses: list[object] = []
    _heard.append(addresses)
    yield addresses
    _heard.pop()


def test_there_are_more_than_forty_forms() -> None:
    assert len(set(CORPUS)) >= 60


@pytest.mark.parametrize("url", CORPUS)
async def test_no_form_is_connected_to(url: str, connected: list[object]) -> None:
    async with Http() as http:
        with pytest.raises((NotSent, AnswerLost)):
            await http.request(HttpRequest(method="GET", url=url, timeout=2_000))

    assert [one for one in connected if not isinstance(one, str)] == []


class Platform:
    """Tells an address of a file, and writes down what it was asked."""

    def __init__(self, url: str) -> None:
        self.url, self.asked = url, list[HttpRequest]()
        self.http = Http()

    async def request(self, request: HttpRequest) -> HttpAnswer:
        self.asked.append(request)
        if request.trusted:
            body = json.dumps({"url": self.url, "mime_type": "audio/ogg"}).encode()
            return HttpAnswer(200, {"content-type": "application/json"}, body)
        return await self.http.request(request)


@pytest.mark.parametrize("url", CORPUS)
async def test_no_file_of_a_lead_is_fetched_from_one(url: str, connected: list[object]) -> None:
    """Neither from the address in the message itself nor from the one that the platform tells for its id."""
    for media in ({"url": url, "mime_type": "audio/ogg"}, {"id": "1234", "mime_type": "audio/ogg"}):
        platform = Platform(url)
        with pytest.raises(MediaRefused):
            await cloud_media.download(platform, CLOUD, media, 1_000)
        await platform.http.close()
        assert all(request.headers == {} for request in platform.asked if not request.trusted)

    assert [one for one in connected if not isinstance(one, str)] == []


async def test_the_ear_of_these_tests_hears_a_connection(connected: list[object]) -> None:
    with socket.socket() as probe, socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        probe.connect(server.getsockname())

    assert len(connected) == 1
