"""What another system sees of a person: where they stand, what became of everything, nothing that is secret (R29, R45)."""

import json

import pytest_asyncio

from engine.core.permissions import Actor
from engine.services import publish
from engine.services.lookup import by_contact, iso
from tests.services.a_busy_day import BUYER, GONE, PAUSED, SILENT, a_busy_day
from tests.services.small_flow import small

MARINA = Actor("marina@example.com")


@pytest_asyncio.fixture
async def day(runtime):
    return await a_busy_day(runtime)


async def test_the_conversation_of_a_buyer_tells_its_whole_story(day, runtime):
    [found] = await by_contact(runtime, BUYER)

    assert (found["contact"], found["flow"], found["version"], found["state"]) == (BUYER, "venda", 1, "PAGO")
    assert (found["deadline"], found["paused_until"], found["opt_out"]) == (None, None, False)
    assert [(e["type"], e["source"], e["outcome"]) for e in found["events"]] == [
        ("pediu_preco", "message", "moved"),
        ("quer_comprar", "message", "moved"),
        ("pagamento_aprovado", "payment", "moved"),
    ]
    assert {(m["outcome"], m["event"]) for m in found["messages"][:2]} == {("batched", found["events"][0]["id"])}
    assert [(letter["action"], letter["status"], letter["reason"]) for letter in found["outbox"]] == [
        ("boas_vindas", "sent", None),
        ("mandar_link", "sent", None),
        ("entregar_acesso", "sent", None),
    ]
    json.dumps(found)


async def test_instants_are_iso_8601_in_utc(day, runtime):
    [found] = await by_contact(runtime, SILENT)

    assert found["deadline"].endswith("Z")
    assert found["events"][0]["at"].startswith("2025-11-30T")
    assert iso(1_764_500_000_123) == "2025-11-30T10:53:20.123Z"


async def test_opt_out_and_pause_are_said(day, runtime):
    [gone] = await by_contact(runtime, GONE)
    assert (gone["state"], gone["opt_out"]) == ("OPT_OUT", True)
    assert gone["opt_out_at"] is not None

    now = runtime.clock.now()
    await runtime.store.write("x", lambda tx: tx.run("UPDATE contact SET paused_until = :at", at=now + 60_000))
    [paused] = await by_contact(runtime, PAUSED)
    assert paused["paused_until"] == iso(now + 60_000)


async def test_r70_any_spelling_finds_the_person_and_nobody_is_an_empty_list(day, runtime):
    assert [c["id"] for c in await by_contact(runtime, "+55 (41) 9999-0001")] == [await day.id_of(BUYER)]
    assert await by_contact(runtime, "5541900000000") == await by_contact(runtime, " ") == []


async def test_the_words_of_people_are_left_out(day, runtime):
    told = json.dumps(await by_contact(runtime, BUYER))

    assert "quanto custa" not in told


async def test_r45_sensitive_fields_are_masked(runtime):
    context = {
        "cpf": {"type": "text", "default": "123.456.789-00", "sensitive": True},
        "n": {"type": "int", "default": 7},
    }
    await publish.publish_tree(runtime, small(context=context), "", MARINA)
    body = {"id": "1", "contact": BUYER, "flow": "pequeno", "type": "ping"}
    tree = small(context=context, events={"msg_recebida": {"source": "message"}, "ping": {"source": "api"}})
    await publish.publish_tree(runtime, tree, "", MARINA)
    from engine.services.receive_event import receive

    await receive(runtime, json.dumps(body).encode())

    [found] = await by_contact(runtime, BUYER)

    assert found["context"] == {"cpf": "•••", "n": 7}
    assert [(e["id"], e["outcome"]) for e in found["events"]] == [("api:1", None)]
