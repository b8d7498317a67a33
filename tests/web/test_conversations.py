"""A conversation as people read it: the transcript, why each line is there, the log, the sends, the data; by role."""

import copy

import pytest
import pytest_asyncio

from engine.core.permissions import Role
from engine.services import publish
from tests.services.small_flow import TREE
from tests.web.conftest import ACTOR
from tests.web.leads import phone_for
from tests.web.pages_read import read

HOUR = 3_600_000


def a_shop():
    """A flow with understanding, a secret, buttons and a state that ignores."""
    tree = copy.deepcopy(TREE)
    tree["slug"], tree["title"] = "loja", "Loja"
    tree["context"]["cpf"] = {"type": "text", "default": "111.222.333-44", "sensitive": True}
    tree["context"]["preco"] = {"type": "money", "default": 29700}
    tree["events"]["pediu_preco"] = {
        "source": "message",
        "falls_back_to": "msg_recebida",
        "label": {"pt-BR": "pediu o preço", "en": "asked the price"},
    }
    tree["understanding"] = [{"event": "pediu_preco", "any": ["quanto fica"]}]
    tree["actions"]["ofertar"] = {
        "kind": "send",
        "label": {"pt-BR": "mandar a oferta", "en": "send the offer"},
        "text": "Sai por {{preco}}.",
        "buttons": [{"id": "pediu_preco", "title": "Ver de novo"}],
    }
    tree["transitions"].append(
        {"id": "t5", "from": "CONVERSA", "on": "pediu_preco", "to": "CONVERSA", "do": ["ofertar"]}
    )
    return tree


@pytest_asyncio.fixture
async def leads(runtime):
    await publish.publish_tree(runtime, a_shop(), "primeira", ACTOR)
    return await phone_for(runtime, "loja")


@pytest_asyncio.fixture
async def talk(leads):
    """Two turns: a greeting, then the price."""
    number = await leads.greet()
    await leads.greet(text="e o preço, quanto fica?")
    return number


async def _last(leads, table):
    return await leads.value(f"SELECT MAX(id) FROM {table}")


async def test_the_transcript_shows_both_sides_and_where_the_talk_went(leads, supervisor, talk):
    page = read((await supervisor.get(f"/conversations/{talk}")).text)

    for words in ("oi", "Oi!", "e o preço, quanto fica?", "Sai por R$ 297,00.", "NOVO → CONVERSA", "porque"):
        assert words in page.text.replace("NOVO  →  CONVERSA", "NOVO → CONVERSA")
    assert page.text.index("Oi!") < page.text.index("Sai por")
    assert "hoje, " in page.text
    assert "o robô responde" in page.text
    assert "silêncio vence" in page.text


async def test_the_transcript_shows_what_can_be_tapped_and_what_stands_under_a_file(leads, supervisor, talk):
    payloads = [
        '{"text":"Como prefere?","buttons":[{"id":"a","title":"No Pix"},{"id":"b","title":"No cartão"}]}',
        '{"text":null,"media":{"kind":"image","url":"https://x.test/a.jpg","caption":"O combo de agosto"}}',
    ]
    for payload in payloads:
        await leads.change("UPDATE outbox SET payload = :payload", payload=payload)
        page = read((await supervisor.get(f"/conversations/{talk}")).text).text
        shown = ("Como prefere?", "[No Pix]", "[No cartão]") if "buttons" in payload else ("O combo de agosto",)
        assert [words for words in shown if words not in page] == []


async def test_why_leads_from_the_words_to_the_arrow_to_the_delivery(leads, supervisor, talk):
    page = (await supervisor.get(f"/conversations/{talk}?tab=why&msg=out-{await _last(leads, 'outbox')}")).text
    text = read(page).text

    steps = [
        "Por que o robô mandou isso?",
        "Bruna Azeredo escreveu “e o preço, quanto fica?”",
        "por mais mensagens",
        "1 mensagem virou 1 evento",
        "Entendeu: pediu o preço",
        "Estava em CONVERSA e ficou ali",
        "Em CONVERSA, quando pediu o preço, fica em CONVERSA e o robô faz mandar a oferta.",
        "Prazo novo",
        "Entrou na fila de envio",
        "na mesma gravação do estado",
        "1 tentativa",
    ]
    places = [text.find(step, text.find("Por que o robô")) for step in steps]
    assert -1 not in places, steps[places.index(-1)]
    assert places == sorted(places)
    assert "<mark>quanto fica</mark>" in page
    assert "/flows/loja/versions/1" in read(page).links
    assert "bub bot foc" in page


async def test_why_quotes_the_words_as_the_customer_wrote_them(leads, supervisor):
    number = await leads.greet()
    await leads.greet(text="e o preço... QUÂNTO Fica?")

    page = (await supervisor.get(f"/conversations/{number}?msg=in-{await _last(leads, 'inbound')}")).text

    assert "<mark>QUÂNTO Fica</mark>" in page


async def test_why_about_a_customers_line_says_what_was_answered(leads, supervisor, talk):
    page = read((await supervisor.get(f"/conversations/{talk}?msg=in-{await _last(leads, 'inbound')}")).text)

    assert "O que aconteceu com esta mensagem?" in page.text
    assert "Respondeu: mandar a oferta" in page.text
    assert f"/conversations/{talk}?tab=why&msg=out-{await _last(leads, 'outbox')}" in page.links


async def test_why_about_a_silence_names_the_deadline(leads, supervisor, talk):
    await leads.change("UPDATE conversation SET deadline_at = :at", at=leads.clock.now())
    await leads.work(1_000)

    text = read((await supervisor.get(f"/conversations/{talk}?tab=timeline&depth=trace")).text).text

    assert "CONVERSA → FIM" in text
    assert "2 dias de silêncio" in text


@pytest.mark.parametrize(
    ("words", "age", "why"),
    [
        ("oi?", 0, "é ignorado em FIM, como o fluxo diz"),
        ("oi", 9 * HOUR, "chegou tarde demais para ser respondida"),
        ("\u200b", 0, "não havia nada para ler nela"),
    ],
)
async def test_why_nothing_was_answered_is_said_too(leads, supervisor, talk, words, age, why):
    await leads.change("UPDATE conversation SET state = 'FIM', deadline_at = NULL")
    await leads.say("5511900000142", words, age=age)
    await leads.work()

    part = (await supervisor.get(f"/conversations/{talk}/facts?msg=in-{await _last(leads, 'inbound')}")).text
    panel, _, _ = part.partition('id="msgs"')

    assert why in read(panel).text


async def test_a_message_that_still_waits_says_so(leads, supervisor, talk):
    await leads.say("5511900000142", "mais uma coisa")

    page = read((await supervisor.get(f"/conversations/{talk}?msg=in-{await _last(leads, 'inbound')}")).text)

    assert "Ainda esperando o fim da rajada" in page.text
    assert "escrevendo: o robô espera terminar" in page.text


async def test_a_line_of_another_conversation_explains_nothing(leads, supervisor, talk):
    other = await leads.greet("5511900000777", name="Ana")

    for ref in (f"in-{await _last(leads, 'inbound')}", "out-999", "x", "in-1 OR 1=1"):
        response = await supervisor.get(f"/conversations/{talk}", params={"tab": "why", "msg": ref})
        assert response.status_code == 200
        assert "Ana escreveu" not in response.text
    assert other != talk


@pytest.mark.parametrize(
    ("status", "reason", "said"),
    [
        ("held", "paused", "Retida: o robô estava pausado"),
        ("suppressed", "opt_out", "Não enviada: o cliente pediu para não receber mensagens"),
        ("suppressed", "window_closed_no_template", "não há modelo aprovado"),
        ("suppressed", "state_changed", "Não enviada: algo mais novo a tornou errada"),
        ("failed", "server", "Não enviada: o canal teve uma falha"),
        ("uncertain", "answer_lost", "Ainda não se sabe se chegou: a resposta do canal se perdeu"),
        ("review", "sender_lost", "Ninguém sabe se chegou: o programa parou no meio do envio. Você decide."),
        ("pending", "a_code_of_tomorrow", "Na fila de envio"),
        ("failed", "a_code_of_tomorrow", "motivo a_code_of_tomorrow"),
    ],
)
async def test_a_message_that_did_not_simply_leave_stands_where_it_would_be_with_its_reason(
    leads, supervisor, talk, status, reason, said
):
    letter = await _last(leads, "outbox")
    await leads.change("UPDATE outbox SET status = :s, reason = :r WHERE id = :id", s=status, r=reason, id=letter)

    for path in ("", f"?tab=why&msg=out-{letter}", "?tab=sends"):
        text = read((await supervisor.get(f"/conversations/{talk}{path}")).text).text
        assert said in text
        assert "Sai por R$ 297,00." in text


async def test_a_message_that_is_postponed_says_until_when(leads, supervisor, talk):
    until = leads.clock.now() + HOUR
    await leads.change(
        "UPDATE outbox SET status = 'pending', reason = 'quiet_hours', due_at = :u WHERE id = :id",
        u=until,
        id=await _last(leads, "outbox"),
    )

    text = read((await supervisor.get(f"/conversations/{talk}")).text).text

    assert "Sai às 08:53: era noite" in text


async def test_edited_and_deleted_messages_are_marked(leads, supervisor, talk):
    await leads.change("UPDATE inbound SET deleted_at = at WHERE id = :id", id=await _last(leads, "inbound"))

    page = (await supervisor.get(f"/conversations/{talk}")).text

    assert "<del>e o preço, quanto fica?</del>" in page
    assert "apagada" in page


async def test_secrets_of_the_flow_never_leave_and_other_fields_are_written_for_people(leads, supervisor, talk):
    page = (await supervisor.get(f"/conversations/{talk}?tab=data")).text

    assert "111.222" not in page
    assert "•••" in page
    assert "R$ 297,00" in read(page).text
    for tab in ("timeline", "why", "sends"):
        assert "111.222" not in (await supervisor.get(f"/conversations/{talk}?tab={tab}")).text


async def test_who_only_looks_sees_no_whole_phone_and_no_button(leads, signed_in, talk):
    watcher = await signed_in(Role.READONLY)
    await leads.change("UPDATE outbox SET status = 'review' WHERE id = :id", id=await _last(leads, "outbox"))
    await leads.change("UPDATE contact SET email = 'bruna@example.com', opt_out_at = 1")

    for tab in ("why", "timeline", "sends", "data"):
        page = (await watcher.get(f"/conversations/{talk}?tab={tab}")).text
        assert "90000-0142" not in page
        assert "900000142" not in page
        assert "bruna@example.com" not in page
        assert [form.action for form in read(page).forms if form.action.startswith("/conversations")] == []


async def test_facts_that_hold_a_number_are_for_those_who_may_see_it(leads, signed_in, supervisor, talk):
    await leads.change(
        """INSERT INTO log (at, conversation_id, outcome, facts)
           VALUES (0, :c, 'identity_linked', '{"phone": "5511900000142"}')""",
        c=talk,
    )
    watcher = await signed_in(Role.READONLY)

    assert "5511900000142" in (await supervisor.get(f"/conversations/{talk}?tab=timeline&depth=trace")).text
    assert "5511900000142" not in (await watcher.get(f"/conversations/{talk}?tab=timeline&depth=trace")).text


async def test_a_conversation_that_is_not_there_is_not_found(leads, supervisor, flow):
    assert (await supervisor.get("/conversations/999")).status_code == 404
    assert (await supervisor.get("/conversations/999/news")).status_code == 404
    assert (await supervisor.get("/conversations/x")).status_code == 404
    assert (await supervisor.get("/conversations/99999999999999999999999")).status_code == 404


async def test_news_are_told_only_when_there_are_some_and_leave_the_composer_alone(leads, supervisor, talk):
    page = (await supervisor.get(f"/conversations/{talk}")).text
    address = page.partition('hx-get="')[2]
    while not address.startswith(f"/conversations/{talk}/news"):
        address = address.partition('hx-get="')[2]
    address = address.partition('"')[0].replace("&amp;", "&")
    assert (await supervisor.get(address)).status_code == 204

    await leads.say("5511900000142", "ainda está aí?")
    news = (await supervisor.get(address)).text

    assert "ainda está aí?" in news
    for part in ("news", "msgs", "cv-head", "facts"):
        assert f'id="{part}"' in news
    assert 'id="compose"' not in news
    assert 'id="words"' not in news


async def test_the_panel_alone_is_told_with_the_line_marked(leads, supervisor, talk):
    letter = await _last(leads, "outbox")

    part = (await supervisor.get(f"/conversations/{talk}/facts?tab=why&msg=out-{letter}")).text

    assert "<html" not in part
    assert "Entendeu: pediu o preço" in part
    assert "bub bot foc" in part


async def test_those_that_need_somebody_are_listed_beside_it(leads, supervisor, talk):
    other = await leads.greet("5511900000777", name="Ana")
    await leads.change("UPDATE conversation SET attention = 'asked_for_person' WHERE id = :id", id=other)

    page = (await supervisor.get(f"/conversations/{talk}")).text

    assert f"/conversations/{other}" in read(page).links
    assert "quer pessoa" in page
