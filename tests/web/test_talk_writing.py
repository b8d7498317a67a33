"""Writing in a conversation with plain forms: what changed meanwhile, templates, files, notes, ready replies."""

import asyncio

import pytest
import pytest_asyncio

from engine.core.permissions import Role
from engine.core.platform_templates import Template
from engine.services import canned, channels
from engine.store import templates
from tests.core.test_picture_size import png
from tests.core.test_sent_kinds import MP3
from tests.web.conftest import ACTOR
from tests.web.pages_read import read

HTMX = {"hx-request": "true"}
PICTURE = png(64, 48)
NOTHING = {"file": ("", b"")}
"""What a browser sends where no file was chosen."""


@pytest_asyncio.fixture
async def shut(runtime, leads, talk):
    """A conversation of the Cloud API whose 24 hours are over, with one approved template."""
    cloud = await channels.add(runtime, "whatsapp_cloud", "Loja", ACTOR, flow="pequeno")
    at = leads.clock.now() - 27 * 3_600_000
    await leads.change("UPDATE conversation SET channel_id = :c, last_inbound_at = :at", c=cloud.id, at=at)
    one = Template(
        name="retomada",
        language="pt_BR",
        status="APPROVED",
        components=[{"type": "BODY", "text": "Oi {{1}}, ainda quer <{{2}}>?"}],
    )
    await runtime.store.write("x", lambda tx: templates.put(tx, cloud.id, one, leads.clock.now()))
    return talk


async def form_of(person, talk, action, query=""):
    return read((await person.get(f"/conversations/{talk}{query}")).text).form(f"/conversations/{talk}/{action}")


def fields_of(form, **changes):
    """What goes beside a file."""
    return {name: value for name, value in form.data(**changes).items() if name != "file"}


async def written(leads):
    return await leads.runtime.store.read(
        lambda tx: tx.rows("SELECT * FROM outbox WHERE author IS NOT NULL ORDER BY id")
    )


@pytest.mark.parametrize("headers", [{}, HTMX])
async def test_what_happened_while_somebody_typed_is_told_and_the_text_stays(supervisor, leads, talk, headers):
    form = await form_of(supervisor, talk, "messages")
    await leads.greet(text="e o preço?")
    assert await leads.value("SELECT state FROM conversation") == "FIM"

    first = await supervisor.post(form.action, form.data(text="quer o link?"), headers=headers)
    assert first.status_code == 409
    assert "foi de CONVERSA para FIM" in read(first.text).text
    assert "quer o link?" in first.text
    assert await written(leads) == []

    again = read(first.text).form(form.action)
    second = await supervisor.post(again.action, again.data(text="quer o link?"), headers=headers)
    assert second.status_code in (200, 303)
    assert len(await written(leads)) == 1


async def test_two_posts_of_one_form_at_the_same_time_are_one_message(supervisor, leads, talk):
    form = await form_of(supervisor, talk, "messages")

    answers = await asyncio.gather(*(supervisor.post(form.action, form.data(text="oi")) for _ in range(4)))

    assert {answer.status_code for answer in answers} == {303}
    assert len(await written(leads)) == 1


async def test_outside_of_the_24_hours_there_is_a_template_with_its_values_and_how_it_reads(supervisor, leads, shut):
    page = read((await supervisor.get(f"/conversations/{shut}")).text)
    assert "Janela de 24 h fechada há 3 h" in page.text
    assert "Agora só um modelo aprovado chega ao cliente" in page.text
    assert not [form for form in page.forms if form.action.endswith(("/messages", "/files"))]

    query = "?mode=template&template=retomada/pt_BR"
    form = await form_of(supervisor, shut, "template", query)
    values = {"value.1": "Ana", "value.2": "o <b>curso</b>"}
    seen = await supervisor.post(f"/conversations/{shut}/compose", form.data(**values))
    assert seen.status_code == 200
    assert "Oi Ana, ainda quer &lt;o &lt;b&gt;curso&lt;/b&gt;&gt;?" in seen.text
    assert await written(leads) == []

    empty = await supervisor.post(form.action, form.data(**{**values, "value.2": " "}))
    assert empty.status_code == 422
    assert "Preencha todos os valores" in empty.text
    assert 'value="Ana"' in empty.text

    for _ in range(2):
        assert (await supervisor.post(form.action, form.data(**values))).status_code == 303
    (letter,) = await written(leads)
    assert letter["as_template"]
    assert "Oi Ana, ainda quer" in (await supervisor.get(f"/conversations/{shut}")).text


async def test_a_text_that_the_closing_window_overtook_is_kept_beside_the_templates(supervisor, leads, talk, runtime):
    form = await form_of(supervisor, talk, "messages")
    cloud = await channels.add(runtime, "whatsapp_cloud", "Loja", ACTOR, flow="pequeno")
    at = leads.clock.now() - 27 * 3_600_000
    await leads.change("UPDATE conversation SET channel_id = :c, last_inbound_at = :at", c=cloud.id, at=at)

    response = await supervisor.post(form.action, form.data(text="oi, tudo bem?"), headers=HTMX)

    assert response.status_code == 422
    assert "oi, tudo bem?" in response.text
    assert "Nenhum modelo aprovado é conhecido" in response.text


@pytest.mark.parametrize(
    ("content", "name", "tag"), [(PICTURE, "foto.png", "<img"), (MP3, "voz.mp3", "<audio")], ids=["picture", "audio"]
)
async def test_a_file_is_sent_once_and_seen_by_the_team_and_on_the_phone(
    app, browser_of, supervisor, leads, talk, content, name, tag
):
    form = await form_of(supervisor, talk, "files", "?mode=file")
    for _ in range(2):
        sent = await supervisor.client.post(form.action, data=fields_of(form), files={"file": (name, content)})
        assert sent.status_code == 303
    await leads.work(1_000)

    (letter,) = await written(leads)
    assert letter["status"] == "sent"
    page = (await supervisor.get(f"/conversations/{talk}")).text
    assert tag in page
    file = await supervisor.get("/sent/1")
    assert (file.status_code, file.content) == (200, content)
    assert file.headers["content-security-policy"].startswith("default-src 'none'")
    assert (await supervisor.get("/sent/1", headers={"range": "bytes=0-3"})).content == content[:4]

    lead, stranger, nobody = browser_of(app), browser_of(app), browser_of(app)
    token = leads.channel.token
    for client, number in ((lead, "5511900000142"), (stranger, "5511900000143")):
        client.cookies.set("trilho_phone", f"{number}|x", domain="trilho.test", path=f"/phone/{token}")
    assert tag in (await lead.get(f"/phone/{token}")).text
    assert (await lead.get(f"/phone/{token}/files/1")).content == content
    assert (await stranger.get(f"/phone/{token}/files/1")).status_code == 404
    assert (await nobody.get(f"/phone/{token}/files/1")).status_code == 404
    assert (await nobody.get("/sent/1")).status_code == 401


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({}, "Escolha um arquivo"),
        ({"file": ("x.png", b"<script>alert(1)</script>")}, "não é imagem"),
        ({"file": ("../../x.png", b"MZ" + bytes(50))}, "não é imagem"),
    ],
)
async def test_what_is_no_picture_is_refused_and_its_words_stay(supervisor, leads, talk, files, said):
    form = await form_of(supervisor, talk, "files", "?mode=file")

    response = await supervisor.client.post(form.action, data=fields_of(form, text="a tabela"), files=files or NOTHING)

    assert response.status_code == 422
    assert said in response.text
    assert 'value="a tabela"' in response.text
    assert await written(leads) == []


async def test_a_file_over_every_limit_is_not_read(supervisor, talk):
    form = await form_of(supervisor, talk, "files", "?mode=file")
    huge = {"file": ("x.mp3", MP3 + bytes(17 * 1024 * 1024))}

    assert (await supervisor.client.post(form.action, data=fields_of(form), files=huge)).status_code == 413


async def test_a_note_is_for_the_team_and_never_for_the_customer(supervisor, signed_in, leads, talk):
    form = await form_of(supervisor, talk, "notes", "?mode=note")
    for _ in range(2):
        response = await supervisor.post(form.action, form.data(text="já <b>comprou</b> 💚"))
        assert response.status_code == 303
    await leads.work(1_000)

    page = (await supervisor.get(f"/conversations/{talk}")).text
    assert page.count("já &lt;b&gt;comprou&lt;/b&gt; 💚") == 1
    assert await written(leads) == []
    assert await leads.value("SELECT paused_until FROM contact") is None
    assert "nota interna" in (await (await signed_in(Role.READONLY)).get(f"/conversations/{talk}")).text
    empty = await supervisor.post(form.action, form.data(text=" "))
    assert empty.status_code == 422
    assert "Escreva algo antes de anotar" in empty.text


async def test_a_ready_reply_comes_into_the_text_filled_in_and_is_sent_only_by_sending(
    supervisor, leads, talk, runtime
):
    await canned.change(runtime, 0, "preco", "Oi, {{contact.first_name}}! Sai por R$ 297.", ACTOR)
    form = await form_of(supervisor, talk, "messages")

    for before, after in (("", "Oi, Bruna!"), ("/pre", "Oi, Bruna!"), ("Bom dia.", "Bom dia.\nOi, Bruna!")):
        chosen = await supervisor.post(f"/conversations/{talk}/compose", {**form.data(text=before), "reply": "1"})
        text = read(chosen.text).form(form.action).fields["text"][0].strip("\n")
        assert text == f"{after} Sai por R$ 297."
    assert await written(leads) == []
    gone = await supervisor.post(f"/conversations/{talk}/compose", {**form.data(), "reply": "99"})
    assert gone.status_code == 404


@pytest.mark.parametrize("role", [Role.SUPERVISOR, Role.MARKETER])
async def test_who_converses_or_edits_keeps_the_replies(signed_in, role):
    person = await signed_in(role)
    response = await person.post("/settings/replies", {"id": "0", "at": "0", "shortcut": "/Oi", "text": "Olá!"})
    assert response.status_code == 303
    page = read((await person.get("/settings/replies")).text)
    assert "/oi" in page.text
    form = next(one for one in page.forms if one.fields.get("id") == ["1"])

    changed = await person.post(form.action, form.data(text="Olá, tudo bem?"))
    late = await person.post(form.action, form.data(text="Ei!"))

    assert changed.status_code == 303
    assert late.status_code == 409
    assert "Olá, tudo bem?" in late.text
    assert ">\nEi!</textarea>" in late.text
    assert (await person.post("/settings/replies/1/remove")).status_code == 303
    assert (await person.post("/settings/replies/1/remove")).status_code == 404


async def test_a_reply_that_cannot_be_kept_comes_back_as_it_was_typed(supervisor):
    typed = {"id": "0", "at": "0", "shortcut": "oi", "text": "Oi {{contact.cpf}}"}
    response = await supervisor.post("/settings/replies", typed)
    assert response.status_code == 422
    assert "Ninguém sabe o que vai em {{contact.cpf}}." in response.text
    assert ">\nOi {{contact.cpf}}</textarea>" in response.text


async def test_whoever_only_looks_reads_the_replies_and_changes_none(signed_in, runtime):
    await canned.change(runtime, 0, "oi", "Olá!", ACTOR)
    reader = await signed_in(Role.READONLY)
    page = read((await reader.get("/settings/replies")).text)
    assert "Olá!" in page.text
    assert not [form for form in page.forms if form.action.startswith("/settings/replies")]
    typed = {"id": "0", "shortcut": "x", "text": "y"}
    assert (await reader.post("/settings/replies", typed)).status_code == 403
    assert (await reader.post("/settings/replies/1/remove")).status_code == 403
