"""Marked secrets and marked words of people through pages, webhooks and worker: none in any log, no secret in the database."""

import io
import json
import logging
import sqlite3

import pytest
import pytest_asyncio
import structlog

from engine import logs
from engine.core.errors import AnswerLost, NotSent
from engine.core.permissions import Role
from engine.services import channels, publish, sources
from tests.services.shop import Provider
from tests.services.work import settle
from tests.web.conftest import ACTOR, PASSWORD
from tests.web.furnished import Words, authored
from tests.web.hostile_bodies import said, signed, whole, written
from tests.web.route_shapes import routes
from web.permissions import Door

SECRETS = {
    "app_secret": "canario-app-9f8e7d6c5b", "access_token": "canario-EAAtoken-1a2b3c4d", "verify_token": "canario-verify-77aa",
    "api_key": "canario-apikey-5d5d5d", "hottok": "canario-hottok-8c8c8c", "webhook_secret": "canario-webhook-3e3e3e",
}  # fmt: skip
PEOPLE = (
    "5541977776666",
    "97777-6666",
    "977776666",
    "canario.pessoa@exemplo.test",
    "Canariana Segredo",
    "palavras canarias ditas",
)
FORM = {"phone": PEOPLE[0], "email": PEOPLE[3], "name": PEOPLE[4], "text": PEOPLE[5], "note": PEOPLE[5], "q": PEOPLE[4],
        "password": "canario senha de alguem", "proof": PEOPLE[5], "value": PEOPLE[5], "words": PEOPLE[5]}  # fmt: skip


HEARD = "what is logged is heard"


class Flaky(Provider):
    """A platform that answers, fails before and fails after, in turn, and repeats what it was told."""

    async def request(self, request):
        self.plan.append([None, NotSent("name lookup failed"), AnswerLost("reset"), (500, {"error": {"message": str(request.json)}}),
                          (400, {"error": {"code": 100, "message": str(request.json)}})][len(self.calls) % 5])  # fmt: skip
        return await super().request(request)


@pytest.fixture
def heard(capsys):
    """Everything that is logged, by us and by libraries, from DEBUG on, as a process would write it."""
    root, stream = logging.getLogger(), io.StringIO()
    handlers, level = root.handlers[:], root.level
    logs.configure("json", stream)
    root.setLevel(logging.DEBUG)
    for name in ("asyncio", "sqlalchemy.engine", "litestar"):
        logging.getLogger(name).setLevel(logging.DEBUG)
    yield lambda: stream.getvalue() + "".join(capsys.readouterr())
    root.handlers[:] = handlers
    root.setLevel(level)
    for name in ("asyncio", "sqlalchemy.engine", "litestar"):
        logging.getLogger(name).setLevel(logging.NOTSET)
    structlog.reset_defaults()


@pytest_asyncio.fixture
async def lived(heard, runtime, app, signed_in, stranger):
    """People wrote, paid and were answered, everything failed now and then, and every form got marked words."""
    object.__setattr__(runtime, "http", Flaky())
    await publish.publish_tree(runtime, authored(Words(["palavra"])), "primeira", ACTOR)
    cloud = {
        **{k: v for k, v in SECRETS.items() if k not in ("api_key", "hottok", "webhook_secret")},
        "phone_number_id": "1",
    }
    number = await channels.add(runtime, "whatsapp_cloud", "Nuvem", ACTOR, flow="hostil", values=cloud)
    gateway = {"instance": "x", "api_key": SECRETS["api_key"], "base_url": "https://gateway.example"}
    own = await channels.add(runtime, "evolution", "Gateway", ACTOR, flow="hostil", values=gateway)
    phone = await channels.add(runtime, "phone", "Telefone", ACTOR, flow="hostil")
    source = await sources.add(runtime, "hotmart", "H", "hostil", ACTOR, values={"hottok": SECRETS["hottok"]})
    who = {"contact": PEOPLE[0], "name": PEOPLE[4]}
    for at in range(6):
        raw = whole(written(PEOPLE[5], f"wamid.{at}", PEOPLE[0]))
        for headers in (signed(raw, SECRETS["app_secret"]), signed(raw), {}):
            await stranger.client.post(f"/hooks/wa/{number.token}", content=raw, headers=headers)
        await stranger.client.post(f"/hooks/wa/{phone.token}", content=whole(said(id=f"f{at}", text=PEOPLE[5], **who)))
        await stranger.client.post(f"/hooks/wa/{phone.token}", content=whole(said(id={"x": PEOPLE[5]}, at=PEOPLE[3])))
        broken = f'{{"apikey": "{SECRETS["api_key"]}", "data": {{"pushName": "{PEOPLE[4]}"'.encode()
        await stranger.client.post(f"/hooks/wa/{own.token}", content=broken)
        buyer = {
            "event": "PURCHASE_APPROVED",
            "data": {"buyer": {"email": PEOPLE[3], "name": PEOPLE[4], "checkout_phone": PEOPLE[0]}},
        }
        for hottok in (SECRETS["hottok"], "errado"):
            headers = {"x-hotmart-hottok": hottok}
            await stranger.client.post(f"/hooks/pay/{source.token}", content=json.dumps(buyer), headers=headers)
        runtime.clock.advance(30_000)
        await settle(runtime)
    admin = await signed_in(Role.ADMIN)
    for route in routes(app):
        if route.asked is Door.MACHINE or route.path in ("/live/stream", "/logout"):
            continue
        address = route.at(
            slug="hostil", int=1, name="NOVO", ident="t1", token=phone.token, event="msg_recebida", str="x", path="x"
        )
        for method in sorted(route.methods):
            if method == "GET":
                await admin.client.get(address, params={"q": PEOPLE[4], "sel": PEOPLE[5]})
            else:
                headers = {"x-csrf-token": admin.csrf}
                await admin.client.request(
                    method, address, data={**FORM, **{f"key.{k}": v for k, v in SECRETS.items()}}, headers=headers
                )
    logging.getLogger("ear").debug(HEARD)
    return heard(), (admin.session, number.token, phone.token, source.token)


async def test_sec_s21_sec_s22_no_log_holds_a_secret_or_people_and_no_copy_of_the_database_a_secret(lived, sqlite_url):
    logged, tokens = lived
    with sqlite3.connect(sqlite_url.removeprefix("sqlite:///")) as database:
        dump = "\n".join(database.iterdump())
    spelled = [one.replace(" ", space) for one in PEOPLE for space in (" ", "+", "%20")]
    secret = (*SECRETS.values(), tokens[0], PASSWORD, FORM["password"])
    found = [one for one in (*secret, *spelled, *tokens) if one in logged]

    assert HEARD in logged, "the ear listens"
    assert found == [], logged[logged.find(found[0]) - 300 :][:600] if found else ""
    assert PEOPLE[4] in dump, "the copy is one of this database"
    assert [one for one in secret if one in dump] == []
