"""Real HTTP with a time limit that a test can wait for."""

from dataclasses import replace

from engine.adapters.http import HttpAnswer, HttpRequest
from engine.adapters.http_client import Http


class Impatient:
    """Gives up after 300 ms."""

    def __init__(self, http: Http) -> None:
        self.http = http

    async def request(self, request: HttpRequest) -> HttpAnswer:
        return await self.http.request(replace(request, timeout=300))
