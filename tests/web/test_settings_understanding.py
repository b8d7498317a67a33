"""The page of the understanding: phrases are edits of the draft, a text is tried, unclear texts are looked at."""

import json

import pytest
import pytest_asyncio

from engine.core.permissions import Role
from engine.services import edit, publish
from engine.store import audit
from tests.services.small_flow import small
from tests.web.conftest import ACTOR
from tests.web.leads import phone_for
from tests.web.pages_read import read

PAGE = "/settings/understanding"
BASE = f"{PAGE}/pequeno"
EVENTS = {
    "msg_recebida": {"source": "message", "label": "mandou mensagem"},
    "preco": {"source": "message", "falls_back_to": "msg_recebida", "priority": 20, "label": "pediu preço"},
    "compra": {"source": "message", "falls_back_to": "msg_recebida", "priority": 10, "label": "quer comprar"},
}
DOUBT = {"source": "message", "falls_back_to": "msg_recebida", "label": "tem dúvida"}
RULES = [
    {"event": "compra", "any": ["quero comprar"]},
    {"event": "preco", "any": ["quanto custa", "valor"], "none": ["valor da entrega"]},
]
HTMX = {"hx-request": "true"}


@pytest_asyncio.fixture
async def shop(runtime):
    await publish.publish_tree(runtime, small(events=EVENTS, understanding=RULES), "primeira", ACTOR)


@pytest_asyncio.fixture
async def marketer(signed_in, shop):
    return await signed_in(Role.MARKETER)


async def rules(runtime):
    return (await edit.opened(runtime, "pequeno")).tree["understanding"]


async def with_doubt(runtime):
    """An event without a rule: the draft may have one, what is published may not."""
    await edit.edit(runtime, "pequeno", {"op": "add_event", "id": "duvida", "fields": DOUBT}, actor=ACTOR)


async def by_htmx(person, path, form):
    return await person.client.post(f"{BASE}/{path}", data=form, headers={**HTMX, "x-csrf-token": person.csrf})


async def test_rules_stand_in_the_order_in_which_they_are_tried(marketer):
    page = read((await marketer.get(PAGE)).text).text

    assert page.index("pediu preço") < page.index("quer comprar") < page.index("qualquer outra coisa")
    assert "Igual ao que está no ar (v1)." in page


async def test_without_scripts_a_phrase_is_added_to_the_draft_and_the_page_says_that_it_is_not_live(runtime, marketer):
    page = read((await marketer.get(PAGE)).text)
    form = next(f for f in page.forms if f.fields.get("phrase") == [""] and f.fields.get("event") == ["preco"])

    response = await marketer.post(form.action, form.data(phrase="quanto fica"))

    assert response.headers["location"] == f"{PAGE}?flow=pequeno"
    assert (await rules(runtime))[1]["any"] == ["quanto custa", "valor", "quanto fica"]
    after = read((await marketer.get(response.headers["location"])).text)
    assert "Os clientes são respondidos pela v1 até você publicar." in after.text
    assert "/flows/pequeno/publish" in after.links
    [entry] = await runtime.store.read(lambda tx: audit.listed(tx, what="flow.edited"))
    assert json.loads(entry.facts)["phrase"] == "quanto fica"


async def test_a_phrase_is_taken_away_and_undone_from_the_toast(runtime, marketer):
    gone = {"do": "delete", "event": "compra", "phrase": "quero comprar", "among": "any", "at": "0"}

    response = await by_htmx(marketer, "phrases", gone)

    assert [row["event"] for row in await rules(runtime)] == ["preco"]
    undo = next(form for form in read(response.text).forms if form.action == f"{BASE}/undo")
    assert "Salvo no rascunho." in response.text
    for part in ("review", "trial", "holds", "toasts"):
        assert f'id="{part}"' in response.text
    back = await by_htmx(marketer, "undo", undo.data())
    assert back.status_code == 200
    assert await rules(runtime) == RULES


async def test_a_new_rule_is_made_for_an_event_that_has_none(runtime, marketer):
    await with_doubt(runtime)
    page = read((await marketer.get(PAGE)).text)
    form = next(f for f in page.forms if "do" not in f.fields and f.fields.get("event") == ["duvida"])

    await marketer.post(form.action, form.data(phrase="como funciona"))

    assert (await rules(runtime))[-1] == {"event": "duvida", "any": ["como funciona"]}


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"event": "preco", "at": "1", "among": "any", "phrase": "VALOR"}, "A regra já tem “VALOR”."),
        ({"event": "preco", "at": "1", "among": "any", "phrase": " "}, "Escreva as palavras"),
        ({"event": "preco", "at": "1", "among": "any", "phrase": "👍"}, "nenhuma palavra"),
        ({"event": "preco", "at": "1", "among": "none", "phrase": "x" * 201}, "no máximo 200"),
    ],
)
async def test_a_phrase_that_cannot_be_taken_is_422_beside_its_field(runtime, marketer, form, words):
    plain, fragment = await marketer.post(f"{BASE}/phrases", form), await by_htmx(marketer, "phrases", form)

    for response in (plain, fragment):
        assert response.status_code == 422
        key = f"{form['at']}-{form['among']}"
        assert words in response.text.split(f'id="e-{key}"')[1].split("</p>")[0]
        assert 'aria-invalid="true"' in response.text
    assert await rules(runtime) == RULES


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("phrases", {"event": "nada", "phrase": "x y"}),
        ("phrases", {"event": "timeout", "phrase": "x y"}),
        ("phrases", {"do": "delete", "event": "preco", "phrase": "nada"}),
        ("priority", {"event": "nada", "value": "3"}),
        ("priority", {"event": "preco", "value": "muita"}),
        ("review", {"digest": "a" * 64, "event": "", "phrase": "x"}),
        ("review", {"verdict": "right", "digest": "x"}),
        ("undo", {"step": "999"}),
        ("undo", {}),
    ],
)
async def test_what_no_page_offers_is_refused_and_changes_nothing(runtime, marketer, path, form):
    before = (await edit.opened(runtime, "pequeno")).tree

    assert (await marketer.post(f"{BASE}/{path}", form)).status_code == 422
    assert (await by_htmx(marketer, path, form)).status_code == 422

    assert (await edit.opened(runtime, "pequeno")).tree == before


async def test_the_strength_of_an_event_moves_its_rule_and_a_colleague_first_is_409(runtime, marketer):
    page = read((await marketer.get(PAGE)).text)
    form = next(f for f in page.forms if f.action == f"{BASE}/priority" and f.fields["event"] == ["compra"])

    await marketer.post(form.action, form.data(value="30"))

    after = read((await marketer.get(PAGE)).text).text
    assert after.index("quer comprar") < after.index("pediu preço")
    late = await marketer.post(form.action, form.data(value="40"))
    assert late.status_code == 409
    assert "Outra pessoa mudou para 30 antes" in late.text
    assert (await edit.opened(runtime, "pequeno")).tree["events"]["compra"]["priority"] == 30


async def test_a_tried_text_shows_the_rule_the_words_and_every_state(marketer):
    response = await marketer.post(f"{BASE}/test", {"text": "oi, quanto custa?\nquero comprar"})
    page = read(response.text)

    assert response.status_code == 200
    assert '<mark class="und-m">quanto custa</mark>' in response.text
    assert "<u>quero comprar</u>" in response.text
    assert "regra 1" in page.text and "certeza 100%" in page.text
    assert "A regra 2 (quer comprar) também acertaria por “quero comprar”" in page.text
    assert "acertou no teste" in page.text
    for state in ("NOVO", "CONVERSA", "FIM"):
        assert f"/flows/pequeno/draft?sel=s:{state}" in page.links
    assert "não trata: vale como “mandou mensagem”:" in page.text
    assert "ignorado, como o fluxo diz" in page.text
    assert "oi, quanto custa?\nquero comprar" in response.text  # still there to be changed


async def test_with_htmx_a_trial_is_a_fragment_and_the_draft_is_what_is_tried(runtime, marketer):
    await with_doubt(runtime)
    await edit.edit(runtime, "pequeno", {"op": "add_phrase", "event": "duvida", "phrase": "como funciona"}, actor=ACTOR)

    response = await by_htmx(marketer, "test", {"text": "como funciona isso?"})

    assert response.text.lstrip().startswith('<div id="trial"')
    assert "tem dúvida" in response.text
    assert 'id="won-2" class="und-won" hx-swap-oob="true">acertou no teste' in response.text
    empty = await by_htmx(marketer, "test", {"text": "  \n "})
    assert "O que isso faria" not in empty.text


async def test_a_text_that_nobody_understood_is_taught_or_called_right(runtime, marketer):
    leads = await phone_for(runtime, "pequeno")
    for number, text in enumerate(("faz por 250?", "Faz por 250", "bom dia")):
        await leads.say(f"551190000014{number}", text)
        await leads.work()
    page = read((await marketer.get(PAGE)).text)
    assert "veio 2 vezes" in page.text
    teach, right = (
        [form for form in page.forms if form.action == f"{BASE}/review" and form.fields["verdict"] == [what]]
        for what in ("taught", "right")
    )
    taught = next(form for form in teach if form.fields["phrase"] == ["faz por 250"])

    answer = await by_htmx(marketer, "review", taught.data(event="preco", phrase="faz por"))
    assert (await rules(runtime))[1]["any"] == ["quanto custa", "valor", "faz por"]
    assert "Desfazer" in answer.text
    assert "250" not in answer.text.split('id="review"')[1].split("</section>")[0]
    other = next(form for form in right if form.fields["digest"] != taught.fields["digest"])
    gone = await marketer.post(other.action, other.data())

    assert gone.status_code == 303
    assert "Nada para revisar" in (await marketer.get(PAGE)).text
    entries = await runtime.store.read(lambda tx: audit.listed(tx, what="understanding.right"))
    assert len(entries) == 1


async def test_who_may_not_edit_looks_and_tries_but_is_offered_nothing(signed_in, shop):
    person = await signed_in(Role.READONLY)

    page = read((await person.get(PAGE)).text)

    assert {form.action for form in page.forms if form.action.startswith(PAGE)} == {f"{BASE}/test"}
    assert "quanto custa" in page.text
    assert (await person.post(f"{BASE}/test", {"text": "valor"})).status_code == 200
    for path in ("phrases", "priority", "review", "undo"):
        assert (await person.post(f"{BASE}/{path}", {})).status_code == 403


async def test_a_flow_is_chosen_and_one_that_is_not_there_is_the_usual_one(runtime, marketer):
    await publish.add_draft(runtime, small(slug="outro", title="Outro"), ACTOR)

    other = read((await marketer.get(f"{PAGE}?flow=outro")).text)

    assert "nunca foi publicado" in other.text
    assert f"{PAGE}?flow=pequeno" in other.links
    assert (await marketer.get(f"{PAGE}?flow=nada")).status_code == 200
    assert (await marketer.post(f"{PAGE}/nada/test", {"text": "oi"})).status_code == 404
    assert (await marketer.post(f"{PAGE}/nada/phrases", {"event": "x", "phrase": "y"})).status_code == 404


async def test_without_any_flow_the_page_says_what_to_do(signed_in):
    page = await (await signed_in(Role.MARKETER)).get(PAGE)

    assert page.status_code == 200
    assert "Nenhum fluxo ainda" in page.text


async def test_in_english_the_page_speaks_english(marketer):
    page = (await marketer.get(PAGE, headers={"accept-language": "en"})).text

    assert "Try a message" in page
    assert "Testar" not in page


async def test_two_rules_of_one_priority_that_match_are_told_as_no_decision_of_the_flow(runtime, signed_in):
    events = {**EVENTS, "compra": {**EVENTS["compra"], "priority": 20}}
    await publish.publish_tree(runtime, small(events=events, understanding=RULES), "primeira", ACTOR)
    person = await signed_in(Role.MARKETER)

    told = (await by_htmx(person, "test", {"text": "quero comprar, qual o valor?"})).text

    assert "também combina, por “valor”, com a mesma prioridade: só a ordem das regras decide" in told
