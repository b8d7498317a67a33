"""What the simulator shows is what happens: the same inputs posted to a real installation leave the same log."""

import hashlib
import hmac
import json
import re
from functools import partial

import httpx
import pytest_asyncio

from engine.adapters.http_client import Http
from engine.core.document import read
from engine.core.flow import MINUTE
from engine.core.permissions import Actor
from engine.runtime import ManualClock
from engine.samples import tree
from engine.services import channels, publish, sources, supervise, tokens, transcription
from engine.services.scenarios.files import CONTENT
from engine.services.scenarios.format import EPOCH, instant
from engine.services.scenarios.posting import LEAD, outcomes, source
from engine.services.scenarios.world import ACTOR as SUPERVISOR
from engine.services.simulator.play import play
from engine.services.simulator.runs import payable
from engine.services.simulator.steps import FILES, Step
from engine.store import due, observing
from tests.fakes.transcription import FakeTranscription
from tests.fakes.whatsapp import FakeWhatsApp, File
from tests.runtimes import a_runtime
from tests.services.work import settle
from tests.web.conftest import living
from web.app import create_app

ACTOR = Actor("teste")
SECRET, TOKEN = "segredo-da-loja", "ficha-da-loja-um-dois"
VOICE = CONTENT["audio"]
LOGGED = ("at", "outcome", "reason", "event_id", "event", "frm", "to", "facts")
STEPS = (
    Step(kind="message", text="oi", more=True),
    Step(kind="message", text="vi o anúncio do combo"),
    Step(kind="message", text="quanto custa?"),
    Step(kind="again"),
    Step(kind="file", medium="image", text="essa aqui?"),
    Step(kind="file", medium="document", more=True),
    Step(kind="file", medium="audio", text="quanto custa no cartão?"),
    Step(kind="take", by=30 * 60_000),
    Step(kind="message", text="tem alguém aí?"),
    Step(kind="give_back", held=True),
    Step(kind="event", event="clicou_no_link", data={"pagina": "preço"}),
    Step(kind="payment", event="checkout_abandonado", amount=19_700, order="P1"),
    Step(kind="again"),
    Step(kind="clock", by=5 * 60_000),
    Step(kind="person", name="Bia 🌻 {{ 7*7 }}"),
    Step(kind="message", text="quero comprar"),
    Step(kind="payment", event="pix_gerado", order="P1"),
    Step(kind="read", late=True),
    Step(kind="deadline"),
    Step(kind="clock", by=26 * 3_600_000),
    Step(kind="payment", event="pagamento_aprovado", amount=19_700, order="P1"),
    Step(kind="late", event="checkout_abandonado"),
    Step(kind="message", text="pare de me mandar mensagem"),
    Step(kind="clock", by=9 * 86_400_000),
)


def a_tree():
    """The sample with an event of other systems, and without the luck that hangs on the number of a message."""
    made = json.loads(json.dumps(tree("venda")))
    for state in made["states"].values():
        state.pop("jitter", None)
    made["events"]["clicou_no_link"] = {"source": "api", "data": {"pagina": "text"}}
    made["transitions"].append({"id": "clicou", "from": "NEGOCIANDO", "on": "clicou_no_link", "to": "NEGOCIANDO"})
    return made


def world(document):
    """The setup of a run of this document."""
    told = [source(outcomes(payable(read(document))))]
    return {"flow": {"document": document}, "channel": {"kind": "whatsapp_cloud"}, "sources": told}


class Installation:
    """A migrated database, the application in front of it, a worker, and a platform that answers over HTTP."""

    def __init__(self, runtime, fake, service, client, bearer):
        self.runtime, self.fake, self.service, self.client, self.bearer = runtime, fake, service, client, bearer

    async def until(self, target):
        """Time passes as it does in earnest: whatever is due at a moment happens at that moment."""
        clock = self.runtime.clock
        await settle(self.runtime)
        while (moment := await self.runtime.store.read(partial(due.next_due, now=clock.now()))) is not None:
            if moment > target:
                break
            clock.move_to(moment)
            await settle(self.runtime)
        clock.move_to(max(target, clock.now()))
        await settle(self.runtime)

    async def posts(self, row):
        """One input, from outside, as its sender would post it."""
        await self.until(instant(row["at"]))
        if row["kind"] == "whatsapp_cloud":
            self.fake.heard_from(LEAD, self.runtime.clock.now())
            self.keep_files(row["payload"])
            raw = _with_ids_of_the_platform(json.dumps(row["payload"])).encode()
            proof = hmac.new(SECRET.encode(), raw, hashlib.sha256).hexdigest()
            answer = await self.client.post(
                f"/hooks/wa/{TOKEN}", content=raw, headers={"x-hub-signature-256": f"sha256={proof}"}
            )
        elif row["kind"] == "json":
            answer = await self.client.post(
                f"/hooks/pay/{TOKEN}", json=row["payload"], headers={"X-Webhook-Token": SECRET}
            )
        elif row["kind"] == "transcript":
            self.service.words[VOICE] = row["payload"]["text"]
            return
        elif row["kind"] == "operator":
            await self.clicks(row["payload"])
            return
        elif row["kind"] == "event":
            body = {"flow": "venda", **row["payload"]}
            answer = await self.client.post(
                "/api/v1/events", json=body, headers={"authorization": f"Bearer {self.bearer}"}
            )
        else:
            return
        assert answer.status_code < 300, answer.text
        await settle(self.runtime)

    def keep_files(self, body):
        """What the platform has of the files that a message names."""
        for letter in body["entry"][0]["changes"][0]["value"].get("messages", ()):
            about = letter.get(letter["type"])
            if letter["type"] in FILES:
                self.fake.files[about["id"]] = File(CONTENT[letter["type"]], about["mime_type"])

    async def clicks(self, payload):
        """Somebody of the team takes over, or gives back."""
        [talk] = await self.runtime.store.read(observing.standings)
        if payload["action"] == "take":
            await supervise.pause(self.runtime, talk["id"], round(payload["minutes"] * MINUTE), SUPERVISOR)
        else:
            await supervise.give_back(self.runtime, talk["id"], SUPERVISOR, send_held=payload["send_held"])
        await settle(self.runtime)

    async def log(self):
        """The log of the conversation, whole."""
        rows = await self.runtime.store.read(observing.logged)
        return [{**{name: row[name] for name in LOGGED}, "facts": json.loads(row["facts"])} for row in rows]


def _with_ids_of_the_platform(text):
    for number in range(60, 0, -1):
        text = text.replace(f'"made-{number}"', f'"wamid.FAKE{number:06d}"')
    return text


@pytest_asyncio.fixture
async def installation(database_url):
    document = a_tree()
    clock = ManualClock(EPOCH)
    async with FakeWhatsApp(app_secret=SECRET, clock=clock.now) as fake, FakeTranscription() as service, Http() as http:
        runtime = a_runtime(database_url, clock=clock, http=http)
        await publish.publish_tree(runtime, document, "primeira", ACTOR)
        values = {
            "phone_number_id": fake.phone_number_id,
            "app_secret": SECRET,
            "access_token": fake.access_token,
            "base_url": fake.base_url,
        }
        await channels.add(runtime, "whatsapp_cloud", "loja", ACTOR, token=TOKEN, flow="venda", values=values)
        told = {name: value for name, value in world(document)["sources"][0].items() if name != "platform"}
        await sources.add(runtime, "json", "loja", "venda", ACTOR, token=TOKEN, values={"token": SECRET, **told})
        await transcription.set_service(runtime, ACTOR, {"base_url": service.url, "key": service.key})
        bearer = await tokens.add(runtime, "loja", ACTOR)
        async with living(create_app(runtime=runtime)) as app, _client(app) as client:
            yield Installation(runtime, fake, service, client, bearer)
        await runtime.close()


def _client(app):
    return httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://trilho.test")


async def test_the_same_scenario_leaves_the_same_log_simulated_and_for_real(installation):
    simulated = await play(world(a_tree()), STEPS)

    for row in simulated.inputs:
        await installation.posts(row)

    shown = [one.entry for one in simulated.log]
    told = _numbered([{name: getattr(one, name) for name in LOGGED} for one in shown])
    assert told == _numbered(await installation.log())
    assert {"transition", "duplicate", "opt_out", "delivery", "sent"} <= {one.outcome for one in shown}
    freely = [one for one in simulated.page.letters if one["status"] == "sent" and not one["as_template"]]
    assert [_plain(one.text) for one in installation.fake.sent if one.text] == [
        _plain(one["payload"]["text"]) for one in freely
    ]


def _numbered(rows):
    """The rows with messages and letters counted as they come: a repetition costs PostgreSQL a number, SQLite none."""
    events, letters = {}, {}
    for row in rows:
        if row["event_id"] and row["event_id"].startswith("in:"):
            row["event_id"] = events.setdefault(row["event_id"], f"in:{len(events) + 1}")
        if "outbox" in row["facts"]:
            row["facts"] = {**row["facts"], "outbox": letters.setdefault(row["facts"]["outbox"], len(letters) + 1)}
    return rows


def _plain(text):
    """Without the tracking code of a link, which is drawn by lot."""
    return re.sub(r"src=\w+", "src=", text)
