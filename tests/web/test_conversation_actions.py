"""What a person does in a conversation: with plain forms, with htmx, by role, twice by mistake."""

import pytest
import pytest_asyncio

from engine.core.permissions import Role
from engine.services import channels
from tests.web.conftest import ACTOR
from tests.web.pages_read import read

HTMX = {"hx-request": "true"}
ACTIONS = (
    *("pause", "take", "resume", "seen", "messages", "sends/1", "opt-in", "give-back", "move", "assign", "here"),
    *("compose", "template", "files", "notes"),
)


async def _form(person, talk, action, query=""):
    page = read((await person.get(f"/conversations/{talk}{query}")).text)
    return page.form(f"/conversations/{talk}/{action}")


async def _letters(leads, author=True):
    where = "author IS NOT NULL" if author else "author IS NULL"
    return await leads.runtime.store.read(lambda tx: tx.rows(f"SELECT * FROM outbox WHERE {where} ORDER BY id"))


@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("role", [Role.READONLY, Role.MARKETER])
async def test_who_may_not_converse_may_do_nothing(signed_in, talk, action, role):
    person = await signed_in(role)

    assert (await person.post(f"/conversations/{talk}/{action}", {"text": "x"})).status_code == 403


@pytest.mark.parametrize("action", ACTIONS)
async def test_nothing_is_done_without_the_token_of_the_page(supervisor, leads, talk, action):
    response = await supervisor.client.post(f"/conversations/{talk}/{action}", data={"text": "x", "arrived": "no"})

    assert response.status_code == 403
    assert await _letters(leads) == []
    assert await leads.value("SELECT paused_until FROM contact") is None


async def test_pausing_without_scripts_leads_back_to_the_page(supervisor, leads, talk):
    form = await _form(supervisor, talk, "pause")

    response = await supervisor.post(form.action, form.data())

    assert response.status_code == 303
    page = read((await supervisor.get(response.headers["location"])).text)
    assert "relógio parado" in page.text
    assert "supervisor responde até 08:23" in page.text
    assert page.form(f"/conversations/{talk}/resume")
    assert await leads.value("SELECT paused_until FROM contact") == leads.clock.now() + 30 * 60_000


async def test_taking_over_holds_the_bot_until_it_is_given_back(supervisor, leads, talk):
    await supervisor.post(f"/conversations/{talk}/take")
    await leads.work(45 * 60_000)
    assert await leads.value("SELECT paused_until FROM contact") is not None

    form = await _form(supervisor, talk, "resume")
    response = await supervisor.post(form.action, form.data())

    assert response.status_code == 303
    assert await leads.value("SELECT paused_until FROM contact") is None


async def test_with_htmx_an_action_answers_with_all_that_changed(supervisor, talk):
    response = await supervisor.post(f"/conversations/{talk}/take", {"tab": "timeline", "msg": ""}, headers=HTMX)

    assert response.status_code == 200
    assert "<html" not in response.text
    for part in ("cv-head", "msgs", "facts", "news", "toasts"):
        assert f'id="{part}"' in response.text
    assert response.text.count("hx-swap-oob") == 4
    assert 'id="compose"' not in response.text
    assert "log-l" in response.text
    assert "Devolver ao robô" in response.text


async def test_a_message_by_hand_is_sent_once_and_pauses_the_bot(supervisor, leads, talk):
    form = await _form(supervisor, talk, "messages")
    sent = form.data(text="  Oi, aqui é a Lívia  ")

    first = await supervisor.post(form.action, sent)
    second = await supervisor.post(form.action, sent)
    await leads.work(1_000)

    assert (first.status_code, second.status_code) == (303, 303)
    letters = await _letters(leads)
    assert [letter["status"] for letter in letters] == ["sent"]
    page = read((await supervisor.get(f"/conversations/{talk}?msg=out-{letters[0]['id']}")).text)
    assert "Oi, aqui é a Lívia" in page.text
    assert "supervisor escreveu à mão" in page.text
    assert "supervisor escreveu: robô pausado até 08:23" in page.text


async def test_two_forms_are_two_messages(supervisor, leads, talk):
    for text in ("um", "dois"):
        form = await _form(supervisor, talk, "messages")
        await supervisor.post(form.action, form.data(text=text))

    assert len(await _letters(leads)) == 2


async def test_a_token_that_is_not_ours_can_neither_block_nor_repeat(supervisor, leads, talk):
    for _ in range(2):
        await supervisor.post(f"/conversations/{talk}/messages", {"text": "oi", "form": "in:1"})

    assert len(await _letters(leads)) == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [("", "Escreva algo antes de enviar."), ("  \n ", "Escreva algo"), ("á" * 4_097, "no máximo 4096")],
)
@pytest.mark.parametrize("headers", [{}, HTMX])
async def test_what_cannot_be_sent_comes_back_with_its_text(supervisor, leads, talk, text, said, headers):
    form = await _form(supervisor, talk, "messages")

    response = await supervisor.post(form.action, form.data(text=text), headers=headers)

    assert response.status_code == 422
    page = read(response.text)
    assert said in page.text
    again = page.form(form.action)
    assert again.fields["text"][0].strip("\n") == text.replace("\r\n", "\n").strip("\n")
    assert 'aria-invalid="true"' in response.text
    assert await _letters(leads) == []


async def test_after_sending_with_htmx_the_field_is_empty_and_the_form_new(supervisor, talk):
    form = await _form(supervisor, talk, "messages")

    response = await supervisor.post(form.action, form.data(text="oi"), headers=HTMX)

    again = read(response.text).form(form.action)
    assert again.fields["text"] == [""] or again.fields["text"] == ["\n"]
    assert again.fields["form"] != form.fields["form"]
    assert 'id="msgs"' in response.text


async def test_outside_24_hours_free_text_is_refused_before_it_is_queued(supervisor, runtime, leads, talk):
    form = await _form(supervisor, talk, "messages")
    cloud = await channels.add(runtime, "whatsapp_cloud", "Loja", ACTOR, flow="pequeno")
    await leads.change(
        "UPDATE conversation SET channel_id = :c, last_inbound_at = :at",
        c=cloud.id,
        at=leads.clock.now() - 27 * 3_600_000,
    )

    response = await supervisor.post(form.action, form.data(text="oi, tudo bem?"))

    assert response.status_code == 422
    assert "Janela de 24 h fechada há 3 h" in response.text
    assert "oi, tudo bem?" in response.text
    assert await _letters(leads) == []


@pytest_asyncio.fixture
async def holding(supervisor, leads, talk):
    """A conversation that a person took, and in which the bot then wanted to say something."""
    await leads.change("UPDATE conversation SET state = 'NOVO'")
    await supervisor.post(f"/conversations/{talk}/take")
    await leads.greet(text="e agora?")
    assert [letter["status"] for letter in await _letters(leads, author=False)] == ["sent", "held"]
    return talk


async def test_giving_back_asks_what_becomes_of_what_was_held(supervisor, leads, holding):
    page = (await supervisor.get(f"/conversations/{holding}")).text
    assert "1 mensagem do robô ficou retida" in page
    assert "Retida: o robô estava pausado" in page

    for headers in ({}, HTMX):
        unanswered = await supervisor.post(f"/conversations/{holding}/resume", headers=headers)
        assert unanswered.status_code == 422
        assert "ficou retida" in unanswered.text
        assert '<details class="menu" id="give-back" open>' in unanswered.text
    assert await leads.value("SELECT paused_until FROM contact") is not None


@pytest.mark.parametrize(("choice", "becomes"), [("send", "sent"), ("drop", "cancelled")])
async def test_what_was_held_is_sent_or_dropped_as_the_person_says(supervisor, leads, holding, choice, becomes):
    response = await supervisor.post(f"/conversations/{holding}/resume", {"held": choice})
    await leads.work(1_000)

    assert response.status_code == 303
    assert [letter["status"] for letter in await _letters(leads, author=False)] == ["sent", becomes]
    assert "supervisor devolveu ao robô: 1 mensagem retida" in (await supervisor.get(f"/conversations/{holding}")).text


@pytest.mark.parametrize(("arrived", "becomes"), [("yes", "sent"), ("no", "pending")])
async def test_a_person_decides_about_a_send_that_nobody_knows_about(supervisor, leads, talk, arrived, becomes):
    await leads.change("UPDATE outbox SET status = 'review', reason = 'answer_lost'")
    await leads.change("UPDATE conversation SET attention = 'send_unknown'")
    letter = (await _letters(leads, author=False))[0]["id"]
    form = await _form(supervisor, talk, f"sends/{letter}", "?tab=sends")

    response = await supervisor.post(form.action, form.data(arrived=arrived))

    assert response.status_code == 303
    assert response.headers["location"].endswith("tab=sends")
    assert await leads.value("SELECT status FROM outbox") == becomes
    assert await leads.value("SELECT attention FROM conversation") is None
    assert (await supervisor.post(form.action, form.data(arrived="no"))).status_code == 409


async def test_a_send_of_another_conversation_is_not_found(supervisor, leads, talk):
    other = await leads.greet("5511900000777", name="Ana")
    await leads.change("UPDATE outbox SET status = 'review' WHERE conversation_id = :id", id=other)
    letter = await leads.value("SELECT id FROM outbox WHERE conversation_id = :id", id=other)

    assert (await supervisor.post(f"/conversations/{talk}/sends/{letter}", {"arrived": "yes"})).status_code == 404


async def test_consent_is_given_back_by_a_person_and_audited(supervisor, leads, talk):
    await leads.change("UPDATE contact SET opt_out_at = 1")
    form = await _form(supervisor, talk, "opt-in", "?tab=data")

    await supervisor.post(form.action, form.data())

    assert await leads.value("SELECT opt_out_at FROM contact") is None
    assert await leads.value("SELECT COUNT(*) FROM audit WHERE what = 'contact.opt_in'") == 1
    assert "Recebe mensagens." in (await supervisor.get(f"/conversations/{talk}?tab=data")).text


async def test_what_was_looked_at_needs_nobody_any_more(supervisor, leads, talk):
    await leads.change("UPDATE conversation SET attention = 'two_transitions'")
    form = await _form(supervisor, talk, "seen")

    await supervisor.post(form.action, form.data())

    assert await leads.value("SELECT attention FROM conversation") is None
    page = (await supervisor.get(f"/conversations/{talk}?tab=timeline&depth=trace")).text
    assert "supervisor já viu" in page


@pytest.mark.parametrize("action", ACTIONS)
async def test_actions_on_a_conversation_that_is_not_there_are_not_found(supervisor, flow, action):
    assert (await supervisor.post(f"/conversations/999/{action}", {"text": "x"})).status_code == 404


async def test_how_somebody_agreed_is_noted_with_its_words_and_told(runtime, talk, supervisor):
    """R73: without a proof nobody is in a campaign; the supervisor can note one."""
    before = (await supervisor.get(f"/conversations/{talk}?tab=data")).text
    assert "Sem prova de consentimento" in before

    await supervisor.post(f"/conversations/{talk}/opt-in", {"words": "pediu <b>novidades</b> por áudio"})

    after = (await supervisor.get(f"/conversations/{talk}?tab=data")).text
    assert "anotado pela equipe: <bdi>pediu &lt;b&gt;novidades&lt;/b&gt; por áudio</bdi>" in after
    rows = await runtime.store.read(lambda tx: tx.rows("SELECT what FROM audit WHERE what = 'contact.opt_in'"))
    assert len(rows) == 1
    log = await runtime.store.read(lambda tx: tx.rows("SELECT id FROM log WHERE outcome = 'opt_in'"))
    assert log == [], "nobody had opted out"
