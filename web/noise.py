"""The doors for machines under noise: strangers have a budget by source and a narrow lane, proved senders their own (SEC-S6).

A sender is proved at a door by a body that was taken there. Refusals are charged to the source, as far as sources can be
told apart: an address that is not public stands for everybody behind it, and has no budget of its own.
"""

import asyncio
from collections import Counter, OrderedDict
from dataclasses import dataclass, field
from ipaddress import IPv6Address, ip_address
from typing import TypeVar

from litestar.enums import ScopeType
from litestar.exceptions import HTTPException, ServiceUnavailableException, TooManyRequestsException
from litestar.types import ASGIApp, HTTPReceiveMessage, Message, Receive, Scope, Send, WebSocketReceiveMessage

from engine.core import allowance
from engine.core.flow import SECOND, Millis
from engine.runtime import Clock

__all__ = ["KEPT", "Doorkeeper", "keeping"]

K = TypeVar("K")
V = TypeVar("V")
DOORS = "/hooks/"
KEPT = 4096
"""Sources, and proved senders, that are remembered; the ones unheard of for longest are forgotten."""
OPEN_EACH = 32
"""Requests of one source without proof that may be open at the same time."""


class Lane:
    """So many at work, so many waiting in order, and nobody else."""

    def __init__(self, at_once: int, waiting: int) -> None:
        self._places, self._most, self.inside = asyncio.Semaphore(at_once), at_once + waiting, 0

    async def enter(self) -> bool:
        """Wait for a place; False when too many wait already."""
        if self.inside >= self._most:
            return False
        self.inside += 1
        try:
            await self._places.acquire()
        except BaseException:
            self.inside -= 1
            raise
        return True

    def leave(self) -> None:
        """Give the place back."""
        self.inside -= 1
        self._places.release()


@dataclass
class Doorkeeper:
    """What is known of those who knock. Everything is bounded, whatever they invent."""

    proved: Lane = field(default_factory=lambda: Lane(64, 1024))
    strangers: Lane = field(default_factory=lambda: Lane(8, 256))
    known: OrderedDict[tuple[str, str], None] = field(default_factory=OrderedDict)
    debts: OrderedDict[str, Millis] = field(default_factory=OrderedDict)
    open: Counter[str] = field(default_factory=Counter)

    def refuse(self, source: str, now: Millis) -> Millis:
        """How long a stranger of this source has to stay away; 0: let it in."""
        if not source:
            return 0
        return SECOND if self.open[source] >= OPEN_EACH else allowance.wait(self.debts.get(source), now)

    def told(self, source: str, door: str, status: int, now: Millis) -> None:
        """What came of it: a body that was taken proves its sender, a refusal costs."""
        if status < 300:
            _put(self.known, (source, door), None)
        elif status < 500 and source:
            _put(self.debts, source, allowance.charged(self.debts.get(source), now))


def keeping(app: ASGIApp) -> ASGIApp:
    """Middleware around every door. A place in a lane is taken when the body is there: whoever drips one holds none."""

    async def kept(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP or not scope["path"].startswith(DOORS):
            await app(scope, receive, send)
            return
        state = scope["litestar_app"].state
        if "doorkeeper" not in state:
            state.doorkeeper = Doorkeeper()
        await _passed(state.doorkeeper, state.runtime.clock, app, scope, receive, send)

    return kept


async def _passed(keeper: Doorkeeper, clock: Clock, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    source, door = _source(scope), "/".join(scope["path"].split("/")[:4])
    trusted = (source, door) in keeper.known
    if not trusted and (wait := keeper.refuse(source, clock.now())):
        raise _later(wait)
    lane = (
        keeper.proved
        if trusted and not allowance.exhausted(keeper.debts.get(source), clock.now())
        else keeper.strangers
    )
    inside = False

    async def received() -> HTTPReceiveMessage | WebSocketReceiveMessage:
        nonlocal inside
        message = await receive()
        if not inside and message["type"] == "http.request" and not message.get("more_body"):
            inside = await lane.enter()
            if not inside:
                raise ServiceUnavailableException(headers={"Retry-After": "1"}) if trusted else _later(SECOND)
        return message

    async def told(message: Message) -> None:
        if message["type"] == "http.response.start":
            keeper.told(source, door, message["status"], clock.now())
        await send(message)

    keeper.open[source] += 1
    try:
        await app(scope, received, told)
    finally:
        keeper.open[source] -= 1
        if not keeper.open[source]:
            del keeper.open[source]
        if inside:
            lane.leave()


def _source(scope: Scope) -> str:
    """The public address that asks, of version 6 its network; "" when it says nothing about who it is."""
    try:
        address = ip_address(scope["client"][0] if scope["client"] else "")
    except ValueError:
        return ""
    if not address.is_global:
        return ""
    return str(int(address) >> 64) if isinstance(address, IPv6Address) else str(address)


def _later(wait: Millis) -> HTTPException:
    return TooManyRequestsException(headers={"Retry-After": str(-(-wait // SECOND))})


def _put(table: OrderedDict[K, V], key: K, value: V) -> None:
    table[key] = value
    table.move_to_end(key)
    while len(table) > KEPT:
        table.popitem(last=False)
