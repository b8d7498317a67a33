"""Pictures by address: every format and choice, wrong values told, cached, with nothing of a customer in them."""

import json
import re
import struct
import zlib

import pytest

from engine import samples
from engine.core.document import read as read_document
from engine.core.permissions import Role
from engine.services import edit, publish
from tests.services.small_flow import small
from tests.web.conftest import ACTOR
from tests.web.leads import phone_for
from tests.web.pages_read import read

BASE = "/flows/pequeno/diagram"


async def _second(runtime, flow):
    change = {"op": "set_state", "id": "NOVO", "field": "deadline", "value": "4h"}
    await edit.edit(runtime, flow, change, actor=ACTOR)
    await publish.publish(runtime, flow, "segunda", ACTOR)
    await edit.edit(runtime, flow, {**change, "value": "6h"}, actor=ACTOR)


@pytest.mark.parametrize(
    ("kind", "media", "begins"),
    [
        ("svg", "image/svg+xml", b"<svg"),
        ("png", "image/png", b"\x89PNG"),
        ("pdf", "application/pdf", b"%PDF"),
        ("mmd", "text/plain", b"---"),
        ("dot", "text/plain", b"digraph"),
        ("json", "application/json", b"{"),
    ],
)
async def test_every_format_is_what_it_says(editor, flow, kind, media, begins):
    answer = await editor.get(f"{BASE}.{kind}?legend=1&counts=1&ids=1")

    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith(media)
    assert answer.content.startswith(begins)
    assert f"pequeno-v1.{kind}" in answer.headers["content-disposition"]
    assert "private" in answer.headers["cache-control"]


@pytest.mark.parametrize(
    ("query", "silence", "named"),
    [
        ("", "4 h", "v2"),
        ("?version=live", "4 h", "v2"),
        ("?version=1", "1 dia", "v1"),
        ("?version=draft", "6 h", "draft"),
    ],
)
async def test_a_version_is_live_draft_or_a_number(runtime, editor, flow, query, silence, named):
    await _second(runtime, flow)

    answer = await editor.get(f"{BASE}.svg{query}")

    assert f"{silence} de silêncio" in answer.text
    assert f"pequeno-{named}.svg" in answer.headers["content-disposition"]


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("theme=pink", "theme é um destes: light, dark"),
        ("ratio=7x7", "ratio é um destes: 16x9"),
        ("actions=yes", "actions é 0 ou 1"),
        ("legend=2", "legend é 0 ou 1"),
        ("version=nova", "version é live, draft ou o número"),
        ("version=0", "version é live, draft"),
        ("version=-1", "version é live, draft"),
    ],
)
async def test_a_wrong_value_is_400_with_words(editor, flow, query, told):
    answer = await editor.get(f"{BASE}.png?{query}")

    assert answer.status_code == 400
    assert told in answer.text


async def test_what_there_is_not_is_404(runtime, editor, flow):
    await publish.add_draft(runtime, small(slug="novo"), ACTOR)

    for path in (
        f"{BASE}.svg?version=9",
        f"{BASE}.bmp",
        "/flows/nada/diagram.svg",
        "/flows/novo/diagram.svg?version=live",
    ):
        assert (await editor.get(path)).status_code == 404, path
    assert (await editor.get("/flows/novo/diagram.svg")).status_code == 200, "the draft, while nothing is live"


async def test_the_browser_that_has_it_gets_it_only_when_it_changed(runtime, editor, flow):
    first = await editor.get(f"{BASE}.svg?version=draft")
    mine = {"if-none-match": f'"x", {first.headers["etag"]}'}

    again = await editor.get(f"{BASE}.svg?version=draft", headers=mine)
    other = await editor.get(f"{BASE}.svg?version=draft&theme=dark", headers=mine)
    await _second(runtime, flow)
    changed = await editor.get(f"{BASE}.svg?version=draft", headers=mine)

    assert (again.status_code, again.content) == (304, b"")
    assert (other.status_code, changed.status_code) == (200, 200)


async def test_a_slide_has_the_size_of_a_slide_with_legend_and_without(editor, flow):
    for legend in (0, 1):
        png = (await editor.get(f"{BASE}.png?ratio=16x9&legend={legend}")).content
        assert struct.unpack(">II", png[16:24]) == (1920, 1080)
    sheet = (await editor.get(f"{BASE}.pdf?ratio=a4&legend=1")).content
    assert b"/MediaBox [0 0 842.00 595.00]" in sheet


async def test_each_switch_shows_or_hides_its_own(editor, flow):
    async def words(query):
        return (await editor.get(f"{BASE}.svg?{query}")).text

    assert "→ oi" in await words("actions=1")
    assert "→ oi" not in await words("actions=0")
    assert "de qualquer estado" not in await words("legend=1")
    assert ">em conversa<" in await words("legend=1")
    assert ">em conversa<" not in await words("legend=0")
    assert ">t3<" in await words("ids=1")
    assert ">t3<" not in await words("ids=0")
    assert "v1, no ar desde" in await words("title=1")
    assert "no ar desde" not in await words("title=0")
    assert "#13151b" in (await words("theme=dark")).lower()


async def test_the_words_of_a_pdf_are_words_with_their_accents(runtime, editor, flow):
    await edit.edit(runtime, flow, {"op": "set_title", "value": "Lançamento já é"}, actor=ACTOR)

    file = (await editor.get(f"{BASE}.pdf?version=draft&legend=1")).content

    page = zlib.decompress(re.search(rb"stream\n(.*?)\nendstream", file, re.DOTALL)[1]).decode("latin-1")
    said = [bytes.fromhex(code).decode("cp1252") for code in re.findall(r"<([0-9a-f]+)> Tj", page)]
    assert "Lançamento já é" in said
    assert any("silêncio" in text for text in said)
    assert b"/FontFile" not in file and b"/Image" not in file


@pytest.mark.parametrize("name", [*samples.names(), samples.EMPTY])
async def test_the_json_imported_again_has_the_same_sha256(runtime, editor, name):
    await publish.add_draft(runtime, samples.tree(name), ACTOR)
    content = (await editor.get(f"/flows/{name}/diagram.json?version=draft")).content
    await runtime.store.write("k", lambda tx: tx.run("DELETE FROM flow WHERE slug = :slug", slug=name))

    await editor.post("/flows/import", files={"file": (f"{name}.json", content)})

    assert (await edit.opened(runtime, name)).flow.sha256 == read_document(samples.tree(name)).sha256


async def test_counts_are_shown_and_nothing_of_a_customer_is(runtime, editor, flow):
    lead = await phone_for(runtime, flow)
    await lead.greet()
    await runtime.store.write("k", lambda tx: tx.run("UPDATE contact SET name = 'Josefina', phone = '5541988887777'"))

    for kind in ("svg", "dot", "mmd", "json"):
        text = (await editor.get(f"{BASE}.{kind}?counts=1&ids=1&legend=1")).text
        assert "Josefina" not in text
        assert "8888" not in text
    assert "(1)" in (await editor.get(f"{BASE}.mmd?counts=1")).text
    assert "(1)" not in (await editor.get(f"{BASE}.mmd")).text


async def test_a_flow_too_large_for_a_picture_is_told_and_still_goes_as_text(runtime, editor, monkeypatch, flow):
    monkeypatch.setattr("engine.core.diagram.dot.MOST_STATES", 2)

    answer = await editor.get(f"{BASE}.png")

    assert answer.status_code == 422
    assert "grande demais para uma imagem" in answer.text
    assert (await editor.get(f"{BASE}.mmd")).status_code == 200


async def test_only_who_may_see_flows_gets_a_picture(stranger, signed_in, flow):
    assert (await stranger.get(f"{BASE}.png")).status_code == 401
    assert (await stranger.get("/flows/pequeno/export")).status_code == 401
    assert (await (await signed_in(Role.READONLY)).get(f"{BASE}.png")).status_code == 200


async def test_the_page_of_an_export_offers_what_it_shows(runtime, editor, flow):
    await _second(runtime, flow)

    page = (await editor.get("/flows/pequeno/export?format=pdf&version=1&ratio=a4&legend=0&actions=0&actions=1")).text
    plain = page.replace("&amp;", "&")

    query = "version=1&theme=light&ratio=a4&title=1&legend=0&actions=0&counts=0&ids=0"
    assert f'href="/flows/pequeno/diagram.pdf?{query}" download' in plain
    assert f'src="/flows/pequeno/diagram.svg?{query}"' in plain
    assert f'value="http://trilho.test/flows/pequeno/diagram.pdf?{query}"' in plain
    assert read(page).form("/flows/pequeno/export").fields["format"] == ["pdf"]


async def test_a_wrong_choice_on_the_page_is_told_and_the_usual_one_taken(editor, flow):
    answer = await editor.get("/flows/pequeno/export?ratio=zzz&version=77&format=exe")

    assert answer.status_code == 200
    assert "ratio é um destes" in answer.text
    assert "/flows/pequeno/diagram.png?version=live" in answer.text


async def test_the_json_is_the_document_as_it_is_stored(runtime, editor, flow):
    assert json.loads((await editor.get(f"{BASE}.json")).text) == json.loads(await publish.shown(runtime, flow, 1))
