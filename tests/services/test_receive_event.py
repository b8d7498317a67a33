"""An event from the customer's own systems: read strictly, taken once, queued like any other (R25, R29, R35)."""

import asyncio
import json

import pytest
import pytest_asyncio

from engine.core.document import read
from engine.core.errors import BodyTooLarge, InvalidDocument, NotFound, UnreadableBody
from engine.core.permissions import Actor
from engine.services import advance, publish
from engine.services.receive_event import LIMIT, receive
from engine.services.receive_event_body import data_of, known_event, read_body
from tests.services.small_flow import small

MARINA = Actor("marina@example.com")
PHONE = "5541999990001"
EVENTS = {
    "msg_recebida": {"source": "message"},
    "visitou": {"source": "api", "data": {"pagina": "text", "vezes": "int", "total": "double", "pago": "bool",
                                          "quando": "timestamp", "tags": "list", "preco": "money", "por": "duration"}},
    "pago": {"source": "payment", "data": {"valor": "money"}},
    "pago_pix": {"source": "payment", "falls_back_to": "pago"},
    "aprovado": {"source": "human"},
}  # fmt: skip
ARROW = {"id": "t9", "from": "NOVO", "on": "visitou", "to": "CONVERSA", "do": ["oi"]}


def tree():
    whole = small(events=EVENTS)
    whole["transitions"].append(ARROW)
    return whole


@pytest_asyncio.fixture
async def live(runtime):
    await publish.publish_tree(runtime, tree(), "", MARINA)
    return runtime


def body(**changes):
    given = {"id": "e1", "contact": PHONE, "flow": "pequeno", "type": "visitou", "data": {"pagina": "/"}, **changes}
    return json.dumps({name: value for name, value in given.items() if value != "left out"}).encode()


def understood(given):
    flow, asked = read(tree()), read_body(given)
    known_event(flow, asked.type)
    return data_of(flow, asked.type, asked.data)


def mistakes(**changes):
    """What is wrong with a body, as the form or as an event of the flow."""
    with pytest.raises(InvalidDocument) as refused:
        understood(json.loads(body(**changes)))
    return [(mistake.place, mistake.message) for mistake in refused.value.mistakes]


async def rows(runtime, table):
    return await runtime.store.read(lambda tx: tx.rows(f"SELECT * FROM {table}"))


async def test_an_event_opens_the_conversation_and_meets_the_table(live):
    received = await receive(live, body(at="2025-11-30T10:00:00Z"))

    assert (received.id, received.event) == ("e1", "api:e1")
    [event] = await rows(live, "event")
    assert (event["id"], event["type"], event["source"], event["at"]) == ("api:e1", "visitou", "api", 1_764_496_800_000)
    assert json.loads(event["data"]) == {"pagina": "/"}

    await advance.run(live, [received.conversation])

    [conversation] = await rows(live, "conversation")
    assert (conversation["id"], conversation["state"]) == (received.conversation, "CONVERSA")
    assert [letter["cause"] for letter in await rows(live, "outbox")] == ["api"]


async def test_r25_the_same_id_twice_is_one_event_and_the_same_answer(live):
    first = await receive(live, body())
    again = await receive(live, body(data={"pagina": "/other"}, type="aprovado"))

    assert again == first
    [event] = await rows(live, "event")
    assert json.loads(event["data"]) == {"pagina": "/"}
    assert [row["outcome"] for row in await rows(live, "log") if row["n"] is None] == ["duplicate"]


async def test_r25_many_at_once_for_two_people_are_one_event(live):
    phones = [PHONE, "5541999990002"] * 5

    answers = await asyncio.gather(*(receive(live, body(contact=phone)) for phone in phones))

    assert len(set(answers)) == 1
    assert len(await rows(live, "event")) == 1


async def test_r70_another_spelling_of_the_phone_is_the_same_person(live):
    first = await receive(live, body())
    other = await receive(live, body(id="e2", contact="+55 (41) 9999-0001"))

    assert other.conversation == first.conversation
    assert len(await rows(live, "contact")) == 1


async def test_without_an_instant_it_happened_when_it_arrived(live):
    await receive(live, body(at=None))

    [event] = await rows(live, "event")
    assert event["at"] == live.clock.now()


async def test_events_of_payment_human_and_api_are_taken(live):
    for number, kind in enumerate(("pago", "aprovado", "visitou")):
        await receive(live, body(id=f"e{number}", type=kind, data=None))

    found = {event["type"]: event["source"] for event in await rows(live, "event")}
    assert found == {"pago": "payment", "aprovado": "human", "visitou": "api"}


@pytest.mark.parametrize(
    ("kind", "why"),
    [("msg_recebida", "comes from message alone"), ("timeout", "comes from clock alone"), ("xyz", "does not exist")],
)
def test_what_other_systems_may_not_say_is_refused(kind, why):
    [(place, message)] = mistakes(type=kind)

    assert place == "type"
    assert why in message
    assert message.endswith("what may be sent is aprovado, pago, pago_pix, visitou")


async def test_a_refused_event_leaves_nothing_behind(live):
    for changes in ({"type": "msg_recebida"}, {"data": {"pagina": 1}}, {"contact": "ana"}):
        with pytest.raises(InvalidDocument):
            await receive(live, body(**changes))

    assert await rows(live, "contact") == await rows(live, "conversation") == await rows(live, "event") == []


def test_every_mistake_in_the_form_is_told_at_once():
    found = mistakes(id="", contact="left out", type=7, at="soon", data=[1], color="red")

    assert [place for place, _ in found] == ["color", "contact", "id", "type", "data", "at"]


@pytest.mark.parametrize("contact", ["ana", "123", "5541999990001@s.whatsapp.net", "1" * 16, "++5541999990001", ""])
def test_what_is_no_telephone_number_is_refused(contact):
    assert [place for place, _ in mistakes(contact=contact)] == ["contact"]


async def test_data_of_every_type_is_read(live):
    data = {"pagina": "a\u0000b", "vezes": 2, "total": 1, "pago": True, "quando": "2025-11-30T10:00:00Z",
            "tags": ["a", "b"], "preco": 1990.0, "por": 60000}  # fmt: skip

    await receive(live, body(data={**data, "vezes": 2}))

    [event] = await rows(live, "event")
    assert json.loads(event["data"]) == {**data, "pagina": "ab", "quando": 1_764_496_800_000, "preco": 1990}


@pytest.mark.parametrize(
    ("name", "value"),
    [("pagina", 1), ("pagina", "x" * 4097), ("vezes", "2"), ("vezes", 2.5), ("vezes", True), ("vezes", 2**63),
     ("total", "1"), ("total", float("nan")), ("vezes", float("inf")), ("total", 10**400), ("pago", 1), ("quando", "ontem"), ("tags", "a"), ("tags", [1]), ("tags", ["a"] * 101),
     ("preco", 0.5), ("desconhecido", 1)],
    ids=lambda value: repr(value)[:20],
)  # fmt: skip
def test_r35_data_of_another_type_is_refused(name, value):
    assert [place for place, _ in mistakes(data={name: value})] == [f"data.{name}"]


async def test_data_may_be_what_the_event_falls_back_to_brings(live):
    await receive(live, body(type="pago_pix", data={"valor": 100}))

    assert len(await rows(live, "event")) == 1


async def test_a_flow_that_is_not_there_or_not_published_is_not_found(live):
    await publish.add_draft(live, {**small(), "slug": "rascunho"}, MARINA)

    for slug, kind in (("outro", "flow"), ("rascunho", "published flow")):
        with pytest.raises(NotFound) as missing:
            await receive(live, body(flow=slug))
        assert (missing.value.kind, missing.value.name) == (kind, slug)
    assert await rows(live, "contact") == []


@pytest.mark.parametrize(
    ("raw", "error"),
    [
        (b"", UnreadableBody),
        (b"[]", UnreadableBody),
        (b"{", UnreadableBody),
        (b"{" + b" " * LIMIT + b"}", BodyTooLarge),
    ],
)
async def test_r20_a_body_that_is_no_object_is_refused(live, raw, error):
    with pytest.raises(error):
        await receive(live, raw)
