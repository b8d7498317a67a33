"""Real HTTP with a time limit that a test can wait for."""

from dataclasses import replace

from engine.adapters.http import HttpAnswer, HttpRequest
from engine.adapters.http_client import Http
from tests.fakes.faults import FakeServer


class Impatient:
    """Gives up after 300 ms where one of the servers was told not to answer; elsewhere a slow machine decides nothing."""

    def __init__(self, http: Http, *servers: FakeServer) -> None:
        self.http = http
        self.servers = servers

    async def request(self, request: HttpRequest) -> HttpAnswer:
        in_vain = any(server.will_hang for server in self.servers)
        return await self.http.request(replace(request, timeout=300) if in_vain else request)
