"""A day of a sale on a virtual clock: people write, pay, fall silent, are paused and ask to stop. Everything is real."""

import json

from engine import samples
from engine.core.flow import DAY, HOUR, MINUTE, SECOND
from engine.core.permissions import Actor
from engine.services import channels, publish, receive, receive_event, supervise
from tests.fakes.evolution import FakeEvolution
from tests.services.work import settle

ACTOR = Actor("dora@example.com")
TOKEN = "telefone-do-dia"
BUYER, SILENT, PAUSED, GONE = "5541999990001", "5541999990002", "5541999990003", "5541999990004"
LATE = "5541999990005"


class Day:
    """What can happen to an installation, and time passing."""

    def __init__(self, runtime):
        self.runtime, self.count = runtime, 0

    async def open(self):
        await publish.publish_tree(self.runtime, samples.tree("venda"), "", ACTOR)
        await channels.add(self.runtime, "phone", "telefone", ACTOR, token=TOKEN, flow="venda")

    async def says(self, phone, *texts):
        for text in texts:
            self.count += 1
            body = {"id": f"m{self.count}", "contact": phone, "name": "Ana Paula", "text": text}
            answer = await receive.webhook(self.runtime, TOKEN, {}, json.dumps(body).encode())
            assert answer.status == 200

    async def sent_an_old_audio(self, phone):
        """A gateway that was away delivers what nobody answers any more, with its file."""
        await channels.add(self.runtime, "evolution", "gateway", ACTOR, token="gateway-do-dia", flow="venda")
        at = self.runtime.clock.now() - DAY
        body = FakeEvolution().audio_from(phone, "audio-1", at, "T2dnUwAC")
        answer = await receive.webhook(self.runtime, "gateway-do-dia", {}, json.dumps(body).encode())
        assert answer.status == 200

    async def event(self, phone, kind, **data):
        self.count += 1
        body = {"id": f"e{self.count}", "contact": phone, "flow": "venda", "type": kind, "data": data}
        return await receive_event.receive(self.runtime, json.dumps(body).encode())

    async def settle(self):
        """Do everything that is due now."""
        await settle(self.runtime)

    async def passes(self, duration, step):
        for _ in range(0, duration, step):
            self.runtime.clock.advance(step)
            await self.settle()

    async def id_of(self, phone):
        sql = "SELECT c.id FROM conversation c JOIN contact p ON p.id = c.contact_id WHERE p.phone = :phone"
        return await self.runtime.store.read(lambda tx: tx.value(sql, phone=phone))


async def a_busy_day(runtime):
    """Live it; returns the day, with everything settled."""
    day = Day(runtime)
    await day.open()
    await day.says(BUYER, "oi", "vi o anúncio", "quanto custa?")
    await day.says(SILENT, "oi")
    await day.says(PAUSED, "bom dia")
    await day.says(GONE, "oi")
    await day.passes(30 * SECOND, 5 * SECOND)
    await supervise.pause(runtime, await day.id_of(PAUSED), 2 * HOUR, ACTOR)
    await day.says(PAUSED, "quanto custa?")
    await day.says(BUYER, "quero comprar")
    await day.passes(30 * SECOND, 5 * SECOND)
    await day.event(BUYER, "pagamento_aprovado")
    await day.says(GONE, "quero parar de receber mensagens, pare")
    await day.passes(30 * SECOND, 5 * SECOND)
    await supervise.write_by_hand(runtime, await day.id_of(SILENT), "posso ajudar?", "form-1", ACTOR)
    await day.passes(3 * HOUR, 30 * MINUTE)
    await supervise.give_back(runtime, await day.id_of(PAUSED), ACTOR, send_held=True)
    await day.passes(2 * DAY, HOUR)
    await day.sent_an_old_audio(LATE)
    await day.settle()
    return day
