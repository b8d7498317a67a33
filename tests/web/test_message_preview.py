"""A message in the panel as the customer sees it, with WhatsApp's limits told at the field."""

from engine.services import edit, templates
from tests.web.conftest import ACTOR
from tests.web.pages_read import read
from web.rich_text import rich

BASE = "/flows/pequeno/draft"
PANEL = f"{BASE}?sel=t:t1"


async def _action(runtime, **fields):
    for field, value in fields.items():
        change = {"op": "set_action", "id": "oi", "field": field, "value": value}
        await edit.edit(runtime, "pequeno", change, actor=ACTOR)


def test_looks_become_elements_and_everything_else_is_escaped():
    assert str(rich("*Oi* <b> _x_")) == '<span class="wa plain"><b>Oi</b> &lt;b&gt; <i>x</i></span>'
    assert str(rich("`{0}` {1}")) == '<span class="wa plain"><code>{0}</code> {1}</span>'
    assert str(rich('https://x.test/"><script>')).count("<script") == 0


async def test_the_gaps_are_filled_with_examples_and_the_signs_are_shown_as_looks(runtime, editor, flow):
    await _action(runtime, text="*Oi*, {{contact.first_name}}! ~R$ 500~ ~veja~ https://x.test {{toques}}")

    page = (await editor.get(PANEL)).text

    assert "<b>Oi</b>, Bruna!" in page
    assert "<s>veja</s>" in page
    assert '<span class="wa-link">https://x.test</span>' in page


async def test_buttons_lists_and_files_are_shown_as_they_leave(runtime, editor, flow):
    await _action(
        runtime,
        media={"image": "https://x.test/foto.png", "caption": "A _foto_"},
        text="Escolha",
        buttons=[{"id": "a", "title": "Um título longo demais aqui"}, {"id": "b", "title": "Não"}],
    )

    page = (await editor.get(PANEL)).text

    assert 'title="https://x.test/foto.png"' in page
    assert "A <i>foto</i>" in page
    assert '<span class="wa-button">Um título longo dem…</span>' in page, "cut as it is cut when it is sent"
    assert 'class="room over" data-room="buttons-0-oi" data-index="0"' in page
    assert "passa do limite, o fim é cortado" in page


async def test_a_text_over_the_limit_is_shown_in_the_pieces_that_leave(runtime, editor, flow):
    await _action(runtime, text="palavra " * 600)

    page = (await editor.get(PANEL)).text

    assert "Sai em 2 mensagens, uma depois da outra." in page
    assert 'class="room over" data-room="text-oi"' in page
    await _action(runtime, text="palavra " * 200, buttons=[{"id": "a", "title": "Sim"}])
    page = (await editor.get(PANEL)).text
    assert 'data-limit="1024"' in page, "above buttons there is less room"
    assert "Sai em 2 mensagens" in page


async def test_what_is_too_many_is_told_below_the_picture_and_what_is_too_long_at_its_field(runtime, editor, flow):
    rows = [{"id": f"r{n}", "title": "x" * 25} for n in range(11)]
    await _action(runtime, list={"button": "Ver", "rows": rows})

    page = (await editor.get(PANEL)).text

    assert "11 opções: uma lista tem no máximo 10." in page
    assert 'class="room over" data-room="rows-0-oi" data-index="0" data-limit="24"' in page, "a title at its own field"


async def test_a_template_shows_its_head_body_and_footer_with_the_values(runtime, editor, flow, monkeypatch):
    known = templates.Template(
        name="volta", language="pt_BR",
        components=(
            {"type": "HEADER", "format": "TEXT", "text": "Oi de novo"},
            {"type": "BODY", "text": "Faltam {{1}} dias, *{{2}}*"},
            {"type": "FOOTER", "text": "Responda PARAR para sair"},
            {"type": "BUTTONS", "buttons": [{"type": "QUICK_REPLY", "text": "Quero"}]},
        ),
    )  # fmt: skip
    await _action(
        runtime, template={"name": "volta", "language": "pt_BR", "params": ["{{toques}}", "{{contact.first_name}}"]}
    )
    assert "Nenhum canal disse ainda" in (await editor.get(PANEL)).text

    async def listed(runtime):
        return {("volta", "pt_BR"): known}

    monkeypatch.setattr(templates, "by_name", listed)
    page = (await editor.get(PANEL)).text

    assert "Oi de novo" in page
    assert "dias, <b>Bruna</b>" in page
    assert '<span class="wa-foot">Responda PARAR para sair</span>' in page
    assert '<span class="wa-button">Quero</span>' in page


async def test_what_is_being_typed_is_shown_and_stored_nowhere(runtime, editor, flow):
    before = await edit.opened(runtime, "pequeno")
    typed = {"field": "text", "value": "*Novo* <i>", "seen": "null"}

    shown = await editor.post(f"{BASE}/actions/oi/preview", typed)

    assert "<b>Novo</b> &lt;i&gt;" in shown.text
    assert read(shown.text).forms == []
    assert (await edit.opened(runtime, "pequeno")).revision == before.revision
    assert (await editor.post(f"{BASE}/actions/oi/preview", {"field": "text", "value": " "})).status_code == 204
    assert (await editor.post(f"{BASE}/actions/nada/preview", typed)).status_code == 204


async def test_the_panel_of_an_action_shows_its_message_and_where_it_is_used(runtime, editor, flow):
    page = (await editor.get(f"{BASE}?sel=n:action:oi")).text
    assert 'id="preview-oi"' in page
    form = read(page).form(ident="f-text-oi")

    done = await editor.post(form.action, form.data(value="Olá"))

    assert done.headers["location"].endswith("sel=n%3Aaction%3Aoi")
    assert (await edit.opened(runtime, "pequeno")).tree["actions"]["oi"]["text"] == "Olá"
