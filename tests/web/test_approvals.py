"""What waits for approval on its page, in the conversation and on the desk; deciding with plain forms (R7, SEC-S11)."""

import re

import pytest
import pytest_asyncio

from engine.core.flow import MINUTE
from engine.core.permissions import Role
from engine.services import publish
from tests.services.discount import discount
from tests.web.conftest import ACTOR
from tests.web.leads import phone_for
from tests.web.pages_read import read

BRUNA, OTTO = "5511900000142", "5511900000143"
HTMX = {"hx-request": "true"}


async def published(runtime, **changes):
    await publish.publish_tree(runtime, discount(**changes), "", ACTOR)
    return await phone_for(runtime, "desconto")


@pytest_asyncio.fixture
async def leads(runtime):
    return await published(runtime)


async def asks(leads, phone=BRUNA, name="Bruna Azeredo", words="tem desconto à vista?"):
    """A customer asks for what has to be approved: (conversation, request, its hash)."""
    conversation = await leads.say(phone, words, name)
    await leads.work()
    (row,) = await leads.rows("SELECT id, sha256 FROM approval WHERE conversation_id = :id", id=conversation)
    return conversation, row["id"], row["sha256"]


async def status(leads, number):
    return await leads.value("SELECT status FROM approval WHERE id = :id", id=number)


async def sent(leads):
    await leads.work(0)
    return [row["payload"] for row in await leads.rows("SELECT payload FROM outbox WHERE status = 'sent' ORDER BY id")]


async def test_the_queue_shows_what_would_be_sent_the_oldest_first(leads, supervisor):
    await asks(leads)
    await leads.work(9 * MINUTE)
    await asks(leads, OTTO, "Otto Lemos", "desconto no boleto?")
    page = (await supervisor.get("/approvals")).text
    read(page)
    assert page.index("Bruna Azeredo") < page.index("Otto Lemos")
    assert "Consigo por R$ 267, Bruna." in page
    assert "tem desconto à vista?" in page
    assert "há 9 min" in page
    assert "expira em 20 min" in page


async def test_an_empty_queue_says_what_it_is_for(leads, supervisor):
    page = (await supervisor.get("/approvals")).text
    assert "Nada espera por você" in read(page).text


async def test_approving_with_a_plain_form_sends_it_and_comes_back_to_the_queue(leads, supervisor):
    conversation, number, seen = await asks(leads)
    answer = await supervisor.post(f"/conversations/{conversation}/approvals/{number}/approve", {"seen": seen})
    assert (answer.status_code, answer.headers["location"]) == (303, "/approvals")
    assert await status(leads, number) == "approved"
    assert await sent(leads) == ['{"text":"Consigo por R$ 267, Bruna."}']


async def test_from_the_conversation_the_way_leads_back_to_it(leads, supervisor):
    conversation, number, seen = await asks(leads)
    page = (await supervisor.get(f"/conversations/{conversation}")).text
    assert "Aprovar esta mensagem do robô?" in page
    form = {"seen": seen, "from": "conversation", "reason": "sem margem"}
    answer = await supervisor.post(f"/conversations/{conversation}/approvals/{number}/reject", form)
    assert answer.headers["location"] == f"/conversations/{conversation}"
    page = (await supervisor.get(f"/conversations/{conversation}")).text
    assert "Aprovar esta mensagem do robô?" not in page
    assert "por supervisor" in page


async def test_whoever_is_second_is_told_who_decided(leads, supervisor, signed_in):
    conversation, number, seen = await asks(leads)
    other = await signed_in(Role.PUBLISHER)
    place = f"/conversations/{conversation}/approvals/{number}"
    await supervisor.post(f"{place}/approve", {"seen": seen})
    for headers in ({}, HTMX):
        answer = await other.post(f"{place}/reject", {"reason": "não"}, headers=headers)
        assert answer.status_code == 409
        assert re.search(r"supervisor@\S+ aprovou primeiro", read(answer.text).text)
    assert len(await sent(leads)) == 1


async def test_with_htmx_the_list_comes_back_without_what_was_decided(leads, supervisor):
    conversation, number, seen = await asks(leads)
    await asks(leads, OTTO, "Otto Lemos")
    answer = await supervisor.post(
        f"/conversations/{conversation}/approvals/{number}/approve", {"seen": seen}, headers=HTMX
    )
    assert answer.status_code == 200
    assert "Otto Lemos" in answer.text
    assert "Bruna" not in answer.text
    assert "Aprovada" in answer.text
    assert "<html" not in answer.text


async def test_edited_words_leave_and_refused_ones_stay_in_the_form(leads, supervisor):
    conversation, number, seen = await asks(leads)
    place = f"/conversations/{conversation}/approvals/{number}/approve"
    answer = await supervisor.post(place, {"seen": seen, "text.0": "x" * 4_097})
    assert answer.status_code == 422
    assert "x" * 4_097 in answer.text
    await supervisor.post(
        place, {"seen": seen, "text.0": "<b>Fecho</b> por R$ 250 😀", "text.9": "nada", "text.x": "?"}
    )
    assert await sent(leads) == ['{"text":"<b>Fecho</b> por R$ 250 😀"}']
    page = (await supervisor.get(f"/conversations/{conversation}")).text
    assert "com outras palavras" in page


async def test_more_time_is_offered_once(leads, supervisor):
    conversation, number, _ = await asks(leads)
    place = f"/conversations/{conversation}/approvals/{number}/extend"
    assert "Mais tempo" in (await supervisor.get("/approvals")).text
    assert (await supervisor.post(place)).status_code == 303
    page = (await supervisor.get("/approvals")).text
    assert "Mais tempo" not in page
    assert "expira em 59 min" in page or "expira em 1 h" in page
    assert (await supervisor.post(place)).status_code == 422


async def test_news_come_only_when_something_changed(leads, supervisor):
    await asks(leads)
    page = (await supervisor.get("/approvals")).text
    pulse = re.search(r'data-pulse="([^"]+)"', page)[1]
    assert (await supervisor.get(f"/approvals/news?pulse={pulse}")).status_code == 204
    await asks(leads, OTTO, "Otto Lemos")
    answer = await supervisor.get(f"/approvals/news?pulse={pulse}")
    assert answer.status_code == 200
    assert "Otto Lemos" in answer.text


async def test_the_queue_of_one_flow_shows_that_one(leads, supervisor):
    await asks(leads)
    assert "Bruna" in (await supervisor.get("/approvals?flow=desconto")).text
    other = (await supervisor.get("/approvals?flow=outro")).text
    assert "Bruna" not in other
    assert "1 esperam em outros" in read(other).text


async def test_the_bars_and_the_desk_count_what_waits(leads, supervisor):
    await asks(leads)
    page = (await supervisor.get("/live")).text
    assert 'aria-label="Aprovar: 1"' in page
    assert "need=approval" in page
    narrowed = (await supervisor.get("/live?flow=desconto&need=approval")).text
    assert "Bruna" in narrowed
    await leads.say(OTTO, "oi", "Otto Lemos")
    await leads.work()
    assert "Otto" not in (await supervisor.get("/live?flow=desconto&need=approval")).text


@pytest.mark.parametrize("role", [Role.READONLY, Role.MARKETER])
async def test_a_role_that_may_not_approve_looks_on(leads, signed_in, role):
    conversation, number, seen = await asks(leads)
    looker = await signed_in(role)
    page = (await looker.get("/approvals")).text
    assert "Aprovar e enviar" not in page
    assert "<form" not in page[page.index('id="queue"') :].split("</main>")[0]
    for deed in ("approve", "reject", "extend"):
        place = f"/conversations/{conversation}/approvals/{number}/{deed}"
        answer = await looker.post(place, {"seen": seen, "reason": "não"})
        assert answer.status_code == 403
    assert await status(leads, number) == "pending"


async def test_where_a_state_names_who_approves_others_are_told_who(runtime, supervisor, signed_in):
    leads = await published(runtime, states__DESCONTO__approvers=["publisher"])
    conversation, number, seen = await asks(leads)
    page = (await supervisor.get("/approvals")).text
    assert "Aqui só decide: Edição (publica)" in read(page).text
    place = f"/conversations/{conversation}/approvals/{number}/approve"
    answer = await supervisor.post(place, {"seen": seen})
    assert answer.status_code == 403
    assert answer.text.count("Aqui só decide: Edição (publica)") == 2, "the card, and the refusal"
    assert (await (await signed_in(Role.PUBLISHER)).post(place, {"seen": seen})).status_code == 303


async def test_a_request_of_another_conversation_is_not_found(leads, supervisor):
    conversation, number, seen = await asks(leads)
    other, second, _ = await asks(leads, OTTO, "Otto Lemos")
    assert other != conversation
    for place in (f"{other}/approvals/{number}", f"{conversation}/approvals/{second + 1}"):
        answer = await supervisor.post(f"/conversations/{place}/approve", {"seen": seen})
        assert answer.status_code == 404
    assert await status(leads, number) == "pending"


async def test_a_form_without_its_token_decides_nothing(leads, supervisor):
    conversation, number, seen = await asks(leads)
    answer = await supervisor.client.post(
        f"/conversations/{conversation}/approvals/{number}/approve", data={"seen": seen}
    )
    assert answer.status_code == 403
    assert await status(leads, number) == "pending"


async def test_words_of_a_customer_are_never_markup(leads, supervisor):
    conversation, _, _ = await asks(leads, name="<script>x</script>", words="desconto <img src=x onerror=1> \u202e")
    for page in ("/approvals", f"/conversations/{conversation}"):
        text = (await supervisor.get(page)).text
        assert "<script>x" not in text
        assert "<img src=x" not in text


async def test_an_expired_request_is_gone_and_its_conversation_wants_a_person(leads, supervisor):
    conversation, number, seen = await asks(leads)
    await leads.work(31 * MINUTE)
    assert "Nada espera por você" in read((await supervisor.get("/approvals")).text).text
    answer = await supervisor.post(f"/conversations/{conversation}/approvals/{number}/approve", {"seen": seen})
    assert (answer.status_code, "O prazo acabou" in read(answer.text).text) == (409, True)
    assert "aprovação venceu" in (await supervisor.get("/live?flow=desconto&need=person")).text
    assert "Ninguém aprovou a tempo" in (await supervisor.get(f"/conversations/{conversation}")).text


async def test_what_cannot_leave_any_more_says_so_before_anybody_tries(runtime, supervisor):
    leads = await published(runtime)
    await asks(leads)
    await leads.change("UPDATE contact SET opt_out_at = 1")
    assert "nada pode sair" in read((await supervisor.get("/approvals")).text).text


async def test_the_simulator_approves_with_other_words_and_rejects(runtime, signed_in):
    await published(runtime)
    editor = await signed_in(Role.MARKETER)
    place = (await editor.post("/flows/desconto/simulator")).headers["location"]
    await editor.post(f"{place}/message", {"text": "tem desconto?"})
    page = (await editor.get(place)).text
    assert "Aprovar esta mensagem do robô?" in page
    forms = [form for form in read(page).forms if form.fields.get("kind") == ["decision"]]
    assert [form.fields["event"] for form in forms] == [["approved"], ["rejected"]]
    await editor.post(f"{place}/event", {"kind": "decision", "event": "approved", "text": "Fecho por R$ 250."})
    page = (await editor.get(place)).text
    assert "Uma pessoa aprovou: “Fecho por R$ 250.”" in page
    assert "Aprovar esta mensagem do robô?" not in page
