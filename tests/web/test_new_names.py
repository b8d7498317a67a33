"""New events, messages and fields, written by people who know no document."""

import pytest

from engine.core.permissions import Role
from engine.services import edit, publish
from tests.web.pages_read import read
from web.new_names import name_of_words

BASE = "/flows/pequeno/draft"


async def tree(runtime):
    return (await edit.opened(runtime, "pequeno")).tree


async def form_of(client, sel, ident):
    return read((await client.get(f"{BASE}?sel={sel}")).text).form(ident=ident)


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("Dar boas-vindas", "dar_boas_vindas"),
        ("  Pediu preço?! ", "pediu_preco"),
        ("2ª chance", "n_2a_chance"),
        ("x" * 90, "x" * 64),
    ],
)
def test_a_name_is_made_of_the_words(words, name):
    assert name_of_words(words) == name


async def test_a_message_is_written_on_an_arrow_and_sent_by_it_as_one_change(runtime, editor, flow):
    form = await form_of(editor, "t:t1", "f-new-message")

    response = await editor.post(form.action, form.data(words="Dizer o preço", text="Custa R$ 297."))

    assert response.status_code == 303
    made = await tree(runtime)
    assert made["actions"]["dizer_o_preco"] == {
        "kind": "send", "text": "Custa R$ 297.", "label": {"pt-BR": "Dizer o preço"},
    }  # fmt: skip
    assert made["transitions"][0]["do"] == ["oi", "dizer_o_preco"]
    undo = read((await editor.get(BASE)).text).form(action="/flows/pequeno/draft/undo")
    await editor.post(undo.action, undo.data())
    assert "dizer_o_preco" not in (await tree(runtime))["actions"]
    assert (await tree(runtime))["transitions"][0]["do"] == ["oi"]


@pytest.mark.parametrize(
    ("words", "text", "said"),
    [("", "Oi", "Falta um nome"), ("oi", "Oi", "oi"), ("novo", "  ", "precisa de um texto")],
)
async def test_a_message_that_cannot_be_stays_in_its_form(runtime, editor, flow, words, text, said):
    form = await form_of(editor, "t:t1", "f-new-message")
    before = await tree(runtime)

    response = await editor.post(form.action, form.data(words=words, text=text))

    assert response.status_code == 422 and said in response.text
    assert read(response.text).form(ident="f-new-message").fields["words"] == [words]
    assert await tree(runtime) == before


async def test_a_gap_that_nothing_fills_is_no_mistake_of_the_form_but_keeps_it_from_being_published(
    runtime, editor, flow
):
    form = await form_of(editor, "t:t1", "f-new-message")

    response = await editor.post(form.action, form.data(words="novo", text="Oi {{nada}}"))

    assert response.status_code == 303
    assert (await publish.review(runtime, "pequeno")).blocked


@pytest.mark.parametrize(
    ("kind", "given", "kept"),
    [
        (
            "event",
            {"words": "Pediu desconto", "source": "message"},
            {
                "source": "message",
                "falls_back_to": "msg_recebida",
                "priority": 10,
                "label": {"pt-BR": "Pediu desconto"},
            },
        ),
        ("event", {"words": "boleto_pago", "source": "payment"}, {"source": "payment"}),
        ("action", {"words": "tchau", "text": "Até!"}, {"kind": "send", "text": "Até!"}),
        ("field", {"words": "tamanho", "type": "text"}, {"type": "text", "optional": True}),
        ("field", {"words": "pontos", "type": "int"}, {"type": "int"}),
        (
            "field",
            {"words": "cor", "type": "enum", "values": "azul, verde,,azul"},
            {"type": "enum", "values": ["azul", "verde"], "default": "azul"},
        ),
    ],
)
async def test_something_new_with_a_name_is_added_and_shown(runtime, editor, flow, kind, given, kept):
    form = await form_of(editor, "names", f"f-new-{kind}")

    response = await editor.post(form.action, form.data(**given))

    assert response.status_code == 303, response.text
    section = {"event": "events", "action": "actions", "field": "context"}[kind]
    name = name_of_words(given["words"])
    assert (await tree(runtime))[section][name] == kept
    assert f"n%3A{kind}%3A{name}" in response.headers["location"]


@pytest.mark.parametrize(
    ("kind", "given", "said"),
    [
        ("event", {"words": "x", "source": "clock"}, "Escolha de onde vem."),
        ("event", {"words": "msg_recebida", "source": "message"}, "msg_recebida"),
        ("field", {"words": "cor", "type": "enum", "values": "azul"}, "pelo menos dois valores"),
        ("field", {"words": "!!!", "type": "int"}, "Falta um nome"),
        ("field", {"words": "cor", "type": "list"}, "Escolha o que guarda."),
    ],
)
async def test_something_new_that_cannot_be_is_refused_with_its_words_kept(runtime, editor, flow, kind, given, said):
    form = await form_of(editor, "names", f"f-new-{kind}")
    before = await tree(runtime)

    response = await editor.post(form.action, form.data(**given))

    assert response.status_code == 422 and said in response.text
    assert read(response.text).form(ident=f"f-new-{kind}").fields["words"] == [given["words"]]
    assert await tree(runtime) == before


async def test_what_an_arrow_notes_down_is_chosen_added_and_taken_away(runtime, editor, flow):
    form = await form_of(editor, "t:t1", "f-set")
    assert form.fields["value"] == ["", ""]

    await editor.post(form.action, form.data(value=["toques", "toques + 1", "", ""]))
    assert (await tree(runtime))["transitions"][0]["set"] == {"toques": "toques + 1"}
    form = await form_of(editor, "t:t1", "f-set")
    assert form.fields["value"] == ["toques", "toques + 1", "", ""]

    await editor.post(form.action, form.data(value=["", "toques + 1", "", ""]))
    assert "set" not in (await tree(runtime))["transitions"][0]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (["toques", ""], "Nada mudou ainda"),
        (["toques", "1", "toques", "2"], "anotado duas vezes"),
        (["toques", "'texto'"], "toques"),
        (["nada", "1"], "nada"),
    ],
)
async def test_what_cannot_be_noted_down_says_why(runtime, editor, flow, rows, said):
    form = await form_of(editor, "t:t1", "f-set")

    response = await editor.post(form.action, form.data(value=rows))

    assert response.status_code == 422 and said in response.text
    assert 'id="e-set"' in response.text
    assert "set" not in (await tree(runtime))["transitions"][0]


async def test_whoever_may_not_edit_has_no_forms_for_new_things(runtime, signed_in, flow):
    reader = await signed_in(Role.READONLY)
    assert "f-new-" not in (await reader.get(f"{BASE}?sel=names")).text
    assert "f-new-" not in (await reader.get(f"{BASE}?sel=t:t1")).text
    assert (await reader.post(f"{BASE}/names/field", {"words": "x", "type": "int"})).status_code == 403
    assert (await reader.post(f"{BASE}/transitions/t1/messages", {"words": "x", "text": "y"})).status_code == 403


async def test_what_is_not_there_is_not_found(editor, flow):
    assert (await editor.post(f"{BASE}/names/nothing", {"words": "x"})).status_code == 404
    assert (await editor.post(f"{BASE}/transitions/t99/messages", {"words": "x", "text": "y"})).status_code == 404
    answer = await editor.post(f"{BASE}/transitions/t99", {"field": "when", "left": "", "sign": "", "right": ""})
    assert answer.status_code == 404
