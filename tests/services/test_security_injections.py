"""Leads who give orders to the machine: it decides by its rules, and nothing of what they say becomes more (SEC-S27)."""

import json
from pathlib import Path

import pytest_asyncio

from engine import samples
from engine.core.permissions import Actor
from engine.services import channels, doctor, publish, receive, sources
from tests.runtimes import a_runtime
from tests.services.work import settle

ORDERS = (Path(__file__).parent.parent / "corpora/injections.txt").read_text().splitlines()
ACTOR = Actor("teste")
CANARY = {"name": "Canária da Silva", "phone": "5541900007777", "text": "meu segredo é abacaxi-violeta"}
SECRETS = ("token-canario-da-loja", "hottok-canario-da-loja")
MEMBERS = "https://combo.example/aulas"


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def told(shared_sqlite_url):
    """Everybody said hello, then gave his order: as words, as his name, as a button that nobody showed him."""
    runtime = a_runtime(shared_sqlite_url)
    await publish.publish_tree(runtime, samples.tree("venda"), "primeira", ACTOR)
    phone = await channels.add(runtime, "phone", "Telefone", ACTOR, flow="venda")
    await channels.add(
        runtime, "evolution", "Outra", ACTOR, flow="venda", values={"instance": "x", "api_key": SECRETS[0]}
    )
    await sources.add(runtime, "hotmart", "Hotmart", "venda", ACTOR, values={"hottok": SECRETS[1]})

    async def says(number: int, who: str, **more: object) -> None:
        body = {"id": f"m{number}-{'-'.join(more)}", "contact": who, "at": runtime.clock.now(), **more}
        answer = await receive.webhook(runtime, phone.token, {}, json.dumps(body).encode())
        assert answer.status == 200

    await says(9_999, CANARY["phone"], name=CANARY["name"], text=CANARY["text"])
    for number, order in enumerate(ORDERS):
        who = f"55419100{number:05}"
        await says(number, who, name=order, text="oi")
    await _work(runtime)
    for number, order in enumerate(ORDERS):
        await says(number, f"55419100{number:05}", text=order)
    await _work(runtime)
    for number, order in enumerate(ORDERS):
        await says(number, f"55419100{number:05}", text=order, button_id=order[:100])
    await _work(runtime)
    yield runtime
    await runtime.close()


async def _work(runtime) -> None:
    runtime.clock.advance(25_000)
    await settle(runtime)


async def rows(runtime, sql: str) -> list[dict]:
    return await runtime.store.read(lambda tx: tx.rows(sql))


async def test_a_hundred_orders_move_nobody_to_paid_and_prove_no_consent(told):
    paid = await rows(told, "SELECT state FROM conversation WHERE state IN ('PAGO', 'ENTREGUE', 'REEMBOLSADO')")
    sources_of = {row["source"] for row in await rows(told, "SELECT DISTINCT source FROM event")}
    flow = told.flows.known("venda", 1)
    events = {row["event"] for row in await rows(told, "SELECT DISTINCT event FROM log WHERE event IS NOT NULL")}
    foreign = {
        name for name in events if name in flow.events and flow.events[name].source.value not in ("message", "clock")
    }

    assert len(set(ORDERS)) >= 100
    assert paid == []
    assert foreign == set()
    assert not sources_of & {"payment", "hotmart"}
    assert await rows(told, "SELECT id FROM consent_proof") == []


async def test_nothing_of_others_of_the_house_or_of_the_order_itself_is_in_an_answer(told):
    letters = await rows(
        told,
        f"""SELECT o.payload, p.name FROM outbox o JOIN conversation c ON c.id = o.conversation_id
             JOIN contact p ON p.id = c.contact_id WHERE p.phone <> '{CANARY["phone"]}'""",
    )
    told_words = "\n".join(
        _without_own_name(json.loads(one["payload"]).get("text") or "", one["name"]) for one in letters
    )

    assert len(letters) > len(ORDERS)
    for secret in (*SECRETS, *CANARY.values(), CANARY["phone"][-8:], "abacaxi", "{{", "{%", "evil.example", MEMBERS):
        assert secret not in told_words, secret
    for order in ORDERS:
        assert len(order) < 25 or order not in told_words, order
    assert " 49" not in told_words


def _without_own_name(text: str, name: str) -> str:
    """The flow calls a customer by the first word of what he calls himself: to him alone, and as it stands there."""
    return text.replace(f"Oi, {name.split(maxsplit=1)[0]}!", "Oi!")


async def test_whoever_stopped_stays_out_whatever_others_say_and_all_invariants_hold(told):
    verdicts = await doctor.examine(told.store, told.clock.now())

    assert [verdict for verdict in verdicts if verdict.broken] == []
    assert await rows(told, "SELECT id FROM conversation WHERE state = 'OPT_OUT'") == []
    (canary,) = await rows(told, f"SELECT name FROM contact WHERE phone = '{CANARY['phone']}'")
    assert canary["name"] == CANARY["name"]
