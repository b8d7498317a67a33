"""The two questions that payment platforms are asked, answered on loopback as they would: one payment, one customer."""

from collections.abc import Mapping
from typing import Any

from aiohttp import web

from tests.fakes.faults import FakeServer


class FakePayments(FakeServer):
    """`async with FakePayments() as fake:` then `fake.payments`, `fake.customers`, `fake.fail_next(...)`, `fake.asked`."""

    def __init__(self, access_token: str = "ficha", api_key: str = "chave") -> None:
        super().__init__()
        self.access_token, self.api_key = access_token, api_key
        self.payments: dict[str, Mapping[str, Any]] = {}
        self.customers: dict[str, Mapping[str, Any]] = {}
        self.asked: list[str] = []

    def _routes(self) -> list[web.RouteDef]:
        return [web.get("/v1/payments/{id}", self._payment), web.get("/v3/customers/{id}", self._customer)]

    async def _payment(self, request: web.Request) -> web.StreamResponse:
        known = request.headers.get("Authorization") == f"Bearer {self.access_token}"
        return await self._told(request, self.payments, known=known)

    async def _customer(self, request: web.Request) -> web.StreamResponse:
        return await self._told(request, self.customers, known=request.headers.get("access_token") == self.api_key)

    async def _told(
        self, request: web.Request, table: Mapping[str, Mapping[str, Any]], *, known: bool
    ) -> web.StreamResponse:
        self.asked.append(request.path)
        if not known:
            return web.json_response({"message": "invalid token"}, status=401)
        found = table.get(request.match_info["id"])
        status, body = (404, {"message": "not found"}) if found is None else (200, found)
        return await self._answered(request, self._next_fault(), status, body)
