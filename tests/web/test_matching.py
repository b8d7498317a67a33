"""One person or two, and payments without a person: what is shown to whom, and deciding with plain forms (R34, R70)."""

import json

import pytest
import pytest_asyncio

from engine.core.inbound import Payment, Person
from engine.core.permissions import Role
from engine.services import receive, sources
from engine.services.intake import Arrival
from engine.services.take import take
from engine.store import collisions, contacts
from tests.payload_files import load
from tests.web.conftest import ACTOR
from tests.web.pages_read import read

ANA, BIA = "5511900000142", "5511900000999"


@pytest_asyncio.fixture
async def pair(leads):
    """Two people who have talked, and a question about them; its id."""
    await leads.greet(ANA, "quero saber mais")
    await leads.greet(BIA, "bom dia", "Bruna A.")

    def unit(tx):
        collisions.put(tx, contacts.find(tx, ANA), contacts.find(tx, BIA), "number_change", BIA, leads.clock.now())
        return tx.value("SELECT id FROM collision")

    return await leads.runtime.store.write("x", unit)


@pytest_asyncio.fixture
async def stray(leads, flow):
    """A payment that names an e-mail alone; the event's id."""
    values = {"hottok": "hottok"}
    await sources.add(leads.runtime, "hotmart", "loja", flow, ACTOR, token="fonte-de-teste-web", values=values)
    body = load("hotmart/purchase_approved_card.json")
    body["data"]["buyer"] = {"name": "<b>Bruna</b>", "email": "bruna@x.example"}
    for name in ("sckPaymentLink", "tracking"):
        body["data"]["purchase"].pop(name, None)
    answer = await receive.payment(
        leads.runtime, "fonte-de-teste-web", {"x-hotmart-hottok": "hottok"}, {}, json.dumps(body).encode()
    )
    assert answer.status == 200
    return await leads.value("SELECT id FROM event WHERE outcome = 'orphan'")


async def test_both_stand_side_by_side_with_names_talks_and_last_words(supervisor, pair):
    page = read((await supervisor.get("/matching")).text)
    for words in (
        "Uma pessoa ou duas?",
        "WhatsApp avisou",
        "Bruna Azeredo",
        "quero saber mais",
        "bom dia",
        "+55 11 90000-0999",
    ):
        assert words in page.text
    assert page.form(f"/matching/{pair}")


async def test_who_may_not_see_phones_sees_them_masked_and_decides_nothing(signed_in, pair):
    person = await signed_in(Role.READONLY)
    text = (await person.get("/matching")).text
    assert "90000-0999" not in text
    assert "••••-0999" in text or "•-0999" in text
    assert "answer" not in text
    assert (await person.post(f"/matching/{pair}", {"answer": "same"})).status_code == 403


async def test_the_same_person_is_merged_by_a_plain_form(supervisor, leads, pair):
    form = read((await supervisor.get("/matching")).text).form(f"/matching/{pair}")
    answer = await supervisor.post(form.action, form.data(answer="same"))
    assert (answer.status_code, answer.headers["location"]) == (303, "/matching")
    assert await leads.value("SELECT COUNT(*) FROM contact WHERE merged_into IS NULL") == 1
    assert "Nenhuma dúvida" in (await supervisor.get("/matching")).text


async def test_different_people_stay_two_and_a_second_answer_is_refused(supervisor, leads, pair):
    assert (await supervisor.post(f"/matching/{pair}", {"answer": "different"})).status_code == 303
    again = await supervisor.post(f"/matching/{pair}", {"answer": "same"})
    assert again.status_code == 409
    assert "Alguém já decidiu" in read(again.text).text
    assert await leads.value("SELECT COUNT(*) FROM contact WHERE merged_into IS NULL") == 2


@pytest.mark.parametrize("answer", ["", "perhaps"])
async def test_an_answer_that_is_none_decides_nothing(supervisor, leads, pair, answer):
    assert (await supervisor.post(f"/matching/{pair}", {"answer": answer})).status_code == 404
    assert await leads.value("SELECT decision FROM collision") is None


@pytest.mark.parametrize("path", ["/matching/1", "/payments/unmatched"])
async def test_nothing_is_decided_without_the_token_of_the_page(supervisor, leads, pair, stray, path):
    answer = await supervisor.client.post(path, data={"answer": "same", "event": stray, "contact": "1"})
    assert answer.status_code == 403
    assert await leads.value("SELECT COUNT(*) FROM contact WHERE merged_into IS NULL") == 2


async def test_the_desk_and_the_conversation_lead_there(supervisor, leads, pair, stray):
    desk = read((await supervisor.get("/live")).text)
    assert {"/matching", "/payments/unmatched"} <= set(desk.links)
    assert "1 dúvida: uma pessoa ou duas" in desk.text
    assert "1 pagamento sem dono" in desk.text
    talk = await leads.value("SELECT MIN(id) FROM conversation")
    assert f"/matching#pair-{pair}" in read((await supervisor.get(f"/conversations/{talk}")).text).links


async def test_the_page_of_a_talk_that_goes_on_elsewhere_says_so_and_takes_no_words(supervisor, leads, pair):
    await supervisor.post(f"/matching/{pair}", {"answer": "same"})
    left, goes_on = await leads.runtime.store.read(lambda tx: tx.one(
        "SELECT id, followed_by FROM conversation WHERE followed_by IS NOT NULL").values())  # fmt: skip
    page = read((await supervisor.get(f"/conversations/{left}")).text)
    assert f"/conversations/{goes_on}" in page.links
    assert "continua em outra" in page.text
    refused = await supervisor.post(f"/conversations/{left}/messages", {"text": "oi", "form": "a" * 16})
    assert refused.status_code == 422
    assert await leads.value("SELECT COUNT(*) FROM outbox WHERE author IS NOT NULL") == 0
    data = read((await supervisor.get(f"/conversations/{goes_on}?tab=data")).text)
    assert f"/conversations/{left}" in data.links
    assert "Conversas desta pessoa" in data.text
    desk = read((await supervisor.get("/live")).text)
    assert f"/conversations/{goes_on}" in desk.links
    assert f"/conversations/{left}" not in desk.links


async def test_a_payment_is_shown_and_its_person_is_looked_for_and_found(supervisor, leads, stray):
    await leads.greet(ANA)
    page = read((await supervisor.get("/payments/unmatched")).text)
    assert "<b>Bruna</b>" in page.text
    assert "bruna@x.example" in page.text
    found = read((await supervisor.get(f"/payments/unmatched?event={stray}&q=azeredo")).text)
    assert "Bruna Azeredo" in found.text
    contact = await leads.value("SELECT id FROM contact")
    answer = await supervisor.post("/payments/unmatched", {"event": stray, "contact": contact})
    assert answer.status_code == 303
    assert answer.headers["location"].startswith("/conversations/")
    assert await leads.value("SELECT conversation_id FROM event WHERE id = :id", id=stray) is not None
    again = await supervisor.post("/payments/unmatched", {"event": stray, "contact": contact})
    assert again.status_code == 409
    assert "Alguém já resolveu" in read(again.text).text


async def test_a_payment_is_set_aside(supervisor, leads, stray):
    form = read((await supervisor.get("/payments/unmatched")).text).form("/payments/unmatched")
    assert (await supervisor.post(form.action, form.data())).status_code == 303
    assert "Todo pagamento tem" in (await supervisor.get("/payments/unmatched")).text


async def test_who_may_not_see_phones_does_not_find_by_them_and_ties_nothing(signed_in, leads, stray):
    await leads.greet(ANA)
    person = await signed_in(Role.MARKETER)
    assert "Bruna Azeredo" not in (await person.get(f"/payments/unmatched?event={stray}&q={ANA}")).text
    assert "bruna@x.example" not in (await person.get("/payments/unmatched")).text
    assert (await person.post("/payments/unmatched", {"event": stray, "contact": 1})).status_code == 403


async def test_an_event_that_is_not_there_shows_the_list(supervisor, stray):
    assert (await supervisor.get("/payments/unmatched?event=nothing&q=x")).status_code == 200
    assert (await supervisor.post("/payments/unmatched", {"event": "nothing", "contact": "1"})).status_code == 409


async def test_why_says_how_a_message_found_its_conversation(supervisor, leads, pair):
    """R71."""
    await leads.say(ANA, "oi de novo")
    await leads.work()
    talk = await leads.value("SELECT MIN(id) FROM conversation")
    message = await leads.value("SELECT MAX(id) FROM inbound")
    page = read((await supervisor.get(f"/conversations/{talk}?tab=why&msg=in-{message}")).text)
    assert "Esta é a conversa em andamento" in page.text


async def test_a_payment_by_the_link_of_one_with_the_phone_of_another_is_told_as_that(supervisor, leads, flow):
    await leads.greet(ANA)
    await leads.greet(BIA)

    def unit(tx):
        contacts.track(tx, contacts.find(tx, ANA), "t1", 0)
        arrival = Arrival(leads.clock.now(), leads.runtime.flows, "w", flow, source_id=1)
        person = Person(reference="t1", phone=BIA)
        item = Payment(event_id="e", platform="hotmart", outcome="approved", at=1, person=person, transaction="T")
        take(tx, arrival, item, {"approved": "pagamento_aprovado"})

    await leads.runtime.store.write("x", unit)
    assert "Um pagamento pelo link de uma delas" in read((await supervisor.get("/matching")).text).text
