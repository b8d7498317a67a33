"""Customers for tests of the desk: they write through the built-in phone, and the bot works when it is told to."""

import json
from dataclasses import dataclass

from engine.core.permissions import Actor
from engine.runtime import ManualClock, Runtime
from engine.services import channels, receive
from engine.services.channels import ChannelRecord
from tests.services.work import settle


@dataclass
class Leads:
    """Speaks for customers on one phone channel."""

    runtime: Runtime
    channel: ChannelRecord
    said: int = 0

    @property
    def clock(self) -> ManualClock:
        clock = self.runtime.clock
        assert isinstance(clock, ManualClock)
        return clock

    async def say(self, phone: str, text: str, name: str = "", *, age: int = 0) -> int:
        """A customer writes; the id of their newest conversation."""
        self.said += 1
        body = {"id": f"m{self.said}", "contact": phone, "text": text, "at": self.clock.now() - age}
        answer = await receive.webhook(
            self.runtime, self.channel.token, {}, json.dumps(body | ({"name": name} if name else {})).encode()
        )
        assert answer.status == 200
        found = await self.value(
            "SELECT MAX(c.id) FROM conversation c JOIN contact p ON p.id = c.contact_id WHERE p.phone = :p", p=phone
        )
        return int(found)

    async def work(self, ms: int = 6_000) -> None:
        """Time passes and everything that is due by then is done."""
        self.clock.advance(ms)
        await settle(self.runtime)

    async def greet(self, phone: str = "5511900000142", text: str = "oi", name: str = "Bruna Azeredo") -> int:
        """A customer writes and the bot answers."""
        conversation = await self.say(phone, text, name)
        await self.work()
        return conversation

    async def value(self, sql: str, **params: object) -> object:
        return await self.runtime.store.read(lambda tx: tx.value(sql, **params))

    async def rows(self, sql: str, **params: object) -> list[dict[str, object]]:
        return await self.runtime.store.read(lambda tx: tx.rows(sql, **params))

    async def change(self, sql: str, **params: object) -> None:
        await self.runtime.store.write("test", lambda tx: tx.run(sql, **params))


async def phone_for(runtime: Runtime, flow: str, name: str = "Telefone") -> Leads:
    """A built-in phone for a flow."""
    return Leads(runtime, await channels.add(runtime, "phone", name, Actor("teste"), flow=flow))
