"""The network of a scenario: what the providers answer to our sends, scripted where the scenario says so."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from engine.adapters.http import TOTAL_TIMEOUT, HttpAnswer, HttpRequest
from engine.core.errors import AnswerLost, NotSent
from engine.services.scenarios.files import ABOUT, Files
from engine.services.scenarios.gateway import Gateway, asks, is_about_connection
from engine.services.scenarios.notices import Answers

__all__ = ["Call", "Flying", "Network", "Script"]


@dataclass(slots=True)
class Script:
    """What the provider answers to some sends, and how often.

    `payload` is a `send_result` input, answered at its moment `at`, or a fault of the setup, answered `wait`
    milliseconds after the call; of calls before `begin` it does not speak.
    """

    payload: Mapping[str, Any]
    left: int
    at: int | None = None
    wait: int = 0
    begin: int = 0
    taken: str | None = None
    """By which id the provider took it although its answer is lost, "" for one that is made up."""

    @property
    def lost(self) -> bool:
        """Whether the provider's answer never comes."""
        return self.payload.get("status") == "timeout" or self.wait > TOTAL_TIMEOUT


@dataclass(frozen=True, slots=True)
class Call:
    """One call that we made: the outbox row behind it, when, and whether it reached the provider at all."""

    row: int
    attempt: int
    at: int
    body: Mapping[str, Any]
    reached: bool


@dataclass(frozen=True, slots=True)
class Flying:
    """The outbox row that is on the wire: its attempt, its part, its action, and the phone it goes to."""

    row: int
    attempt: int
    part: int
    action: str
    phone: str


async def _unknown() -> Flying:
    raise LookupError("nothing is on the wire")


@dataclass(slots=True)
class Network:
    """Stands in for the HTTP client; `row_of` tells which outbox row is on the wire now, `names` how a scenario may
    call a row. `down` are spans in which a kind of channel (or every one) cannot be reached.
    """

    now: Callable[[], int]
    row_of: Callable[[], Awaitable[Flying]] = _unknown
    names: Callable[[int], frozenset[object]] = lambda _row: frozenset()
    scripts: list[Script] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    waiting: list[tuple[int, asyncio.Future[None]]] = field(default_factory=list)
    down: list[tuple[int, int, str | None]] = field(default_factory=list)
    answers: Answers = field(default_factory=Answers)
    gateway: Gateway = field(default_factory=Gateway)
    files: Files = field(init=False)

    def __post_init__(self) -> None:
        self.files = Files(self.now, self._until)

    async def request(self, request: HttpRequest) -> HttpAnswer:
        """Answer a send: at the scripted moment, or at once with a made-up id; a question to a payment platform or to a
        gateway's store at once. Raises NotSent and AnswerLost.
        """
        if (about := ABOUT.get()) is not None:
            return await self.files.answer(request, about)
        if is_about_connection(request):
            raise NotSent("nobody is there to be asked")
        if request.method == "GET":
            return self.answers.answer()
        body: Mapping[str, Any] = request.json if isinstance(request.json, Mapping) else {}
        if asks(request):
            if self._is_down("evolution"):
                raise NotSent("the channel is down")
            return _answer(200, self.gateway.found(body))
        flying = await self.row_of()
        down = self._is_down(_kind(request))
        # Its place among the calls is how a scenario may name the row, so it is noted before scripts are looked at.
        self.calls.append(Call(flying.row, flying.attempt, self.now(), body, not down))
        script = None if down else next((s for s in self.scripts if s.left > 0 and self._answers(s, flying)), None)
        if script is not None and script.payload.get("status") == "not_sent":
            self.calls[-1] = replace(self.calls[-1], reached=False)
        if down:
            raise NotSent("the channel is down")
        if script is None:
            self.gateway.take(request, body, f"made-{flying.row}", self.now())
            return _answer(200, _accepted(request, f"made-{flying.row}"))
        script.left -= 1
        if script.taken is not None:
            self.gateway.take(request, body, script.taken or f"made-{flying.row}", self.now())
        await self._until(script.at if script.at is not None else self.now() + min(script.wait, TOTAL_TIMEOUT))
        return self._scripted(script, request, body, flying.row)

    async def close(self) -> None:
        """Nothing to close."""

    def wake(self, now: int) -> None:
        """Let every answer whose moment has come go."""
        for at, woken in list(self.waiting):
            if at <= now:
                self.waiting.remove((at, woken))
                if not woken.done():
                    woken.set_result(None)

    def forget(self) -> None:
        """Nobody waits for an answer any more: the process that called is dead."""
        self.waiting.clear()

    async def _until(self, moment: int) -> None:
        if moment > self.now():
            woken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self.waiting.append((moment, woken))
            await woken

    def _is_down(self, kind: str) -> bool:
        return any(begin <= self.now() < end and which in (None, kind) for begin, end, which in self.down)

    def _answers(self, script: Script, flying: Flying) -> bool:
        wanted = script.payload
        if self.now() < script.begin:
            return False
        if "outbox" in wanted and wanted["outbox"] not in self.names(flying.row):
            return False
        if "part" in wanted and wanted["part"] != flying.part:
            return False
        if "action" in wanted and wanted["action"] != flying.action:
            return False
        to = wanted.get("to", wanted.get("contact"))
        return to is None or str(to) == flying.phone

    def _scripted(self, script: Script, request: HttpRequest, body: Mapping[str, Any], row: int) -> HttpAnswer:
        if script.lost:
            raise AnswerLost("the answer never came")
        if script.payload.get("status") == "not_sent":
            raise NotSent("the connection was refused")
        if "match" in script.payload and not _matches(str(script.payload["match"]), body):
            return _answer(400, {"error": {"code": 100, "message": f"does not match {script.payload['match']}"}})
        status = int(script.payload.get("status", 200))
        given = script.payload.get("body")
        told = given if given is not None else _accepted(request, f"made-{row}")
        if status < 300 and (taken := told.get("key", {}).get("id")):
            self.gateway.take(request, body, str(taken), self.now())
        return _answer(status, told)


def _kind(request: HttpRequest) -> str:
    return "evolution" if "/message/" in request.url else "whatsapp_cloud"


def _accepted(request: HttpRequest, provider_id: str) -> Mapping[str, Any]:
    if _kind(request) == "evolution":
        return {"key": {"id": provider_id, "fromMe": True}, "status": "PENDING"}
    return {"messaging_product": "whatsapp", "messages": [{"id": provider_id}]}


def _answer(status: int, body: Mapping[str, Any]) -> HttpAnswer:
    return HttpAnswer(status=status, headers={"content-type": "application/json"}, body=json.dumps(body).encode())


def _matches(condition: str, body: Mapping[str, Any]) -> bool:
    """`len(text)<=4096`, or a value at a place of the call's body: `interactive.action.buttons.0.reply.id=sim`."""
    place, equals, value = condition.partition("=")
    if equals and "<" not in place:
        return str(_at(body, place.split("."))) == value
    name, _, limit = condition.partition("<=")
    if name.strip() != "len(text)" or not limit.strip().isdigit():
        raise ValueError(f"the format knows no condition {condition!r}")
    text = body.get("text")
    words = text.get("body", "") if isinstance(text, Mapping) else text or ""
    return len(str(words)) <= int(limit)


def _at(value: Any, path: list[str]) -> Any:
    """What lies at a place; None when nothing does."""
    for step in path:
        if isinstance(value, list):
            value = value[int(step)] if step.isdigit() and int(step) < len(value) else None
        else:
            value = value.get(step) if isinstance(value, Mapping) else None
    return value
