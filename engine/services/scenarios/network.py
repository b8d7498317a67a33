"""The network of a scenario: what the providers answer to our sends, scripted where the scenario says so."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.adapters.http import HttpAnswer, HttpRequest
from engine.core.errors import AnswerLost, NotSent

__all__ = ["Call", "Flying", "Network", "Script"]


@dataclass(slots=True)
class Script:
    """One `send_result` input: whom it answers, when, and how often."""

    at: int
    payload: Mapping[str, Any]
    left: int

    @property
    def lost(self) -> bool:
        """Whether the provider's answer never comes."""
        return self.payload.get("status") == "timeout"


@dataclass(frozen=True, slots=True)
class Call:
    """One call that we made: the outbox row behind it, and when."""

    row: int
    attempt: int
    at: int
    body: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Flying:
    """The outbox row that is on the wire: its attempt, its part, and the phone it goes to."""

    row: int
    attempt: int
    part: int
    phone: str


async def _unknown() -> Flying:
    raise LookupError("nothing is on the wire")


@dataclass(slots=True)
class Network:
    """Stands in for the HTTP client; `row_of` tells which outbox row is on the wire now."""

    now: Callable[[], int]
    row_of: Callable[[], Awaitable[Flying]] = _unknown
    names: Callable[[int], frozenset[object]] = lambda _row: frozenset()
    scripts: list[Script] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    waiting: list[tuple[int, asyncio.Future[None]]] = field(default_factory=list)

    async def request(self, request: HttpRequest) -> HttpAnswer:
        """Answer a send: at the scripted moment, or at once with a made-up id."""
        body: Mapping[str, Any] = request.json if isinstance(request.json, Mapping) else {}
        flying = await self.row_of()
        self.calls.append(Call(flying.row, flying.attempt, self.now(), body))
        script = next((s for s in self.scripts if s.left > 0 and self._answers(s, flying)), None)
        if script is None:
            return _answer(200, _accepted(request, f"made-{flying.row}"))
        script.left -= 1
        if script.at > self.now():
            woken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self.waiting.append((script.at, woken))
            await woken
        return self._scripted(script, request, body, flying.row)

    async def close(self) -> None:
        """Nothing to close."""

    def wake(self, now: int) -> None:
        """Let every answer whose moment has come go."""
        for at, woken in list(self.waiting):
            if at <= now:
                self.waiting.remove((at, woken))
                woken.set_result(None)

    def _answers(self, script: Script, flying: Flying) -> bool:
        wanted = script.payload
        if "outbox" in wanted and wanted["outbox"] not in self.names(flying.row):
            return False
        if "part" in wanted and wanted["part"] != flying.part:
            return False
        return "to" not in wanted or str(wanted["to"]) == flying.phone

    def _scripted(self, script: Script, request: HttpRequest, body: Mapping[str, Any], row: int) -> HttpAnswer:
        if script.lost:
            raise AnswerLost("the answer never came")
        if script.payload.get("status") == "not_sent":
            raise NotSent("the connection was refused")
        if "match" in script.payload and not _matches(str(script.payload["match"]), body):
            return _answer(400, {"error": {"code": 100, "message": f"does not match {script.payload['match']}"}})
        status = int(script.payload.get("status", 200))
        given = script.payload.get("body")
        return _answer(status, given if given is not None else _accepted(request, f"made-{row}"))


def _accepted(request: HttpRequest, provider_id: str) -> Mapping[str, Any]:
    if "/message/" in request.url:
        return {"key": {"id": provider_id, "fromMe": True}, "status": "PENDING"}
    return {"messaging_product": "whatsapp", "messages": [{"id": provider_id}]}


def _answer(status: int, body: Mapping[str, Any]) -> HttpAnswer:
    return HttpAnswer(status=status, headers={"content-type": "application/json"}, body=json.dumps(body).encode())


def _matches(condition: str, body: Mapping[str, Any]) -> bool:
    """`len(text)<=4096`, the one condition that the format knows."""
    name, _, limit = condition.partition("<=")
    if name.strip() != "len(text)" or not limit.strip().isdigit():
        raise ValueError(f"the format knows no condition {condition!r}")
    text = body.get("text")
    words = text.get("body", "") if isinstance(text, Mapping) else text or ""
    return len(str(words)) <= int(limit)
