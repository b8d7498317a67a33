"""Pictures of a flow that no single one holds: by phase, by their address and on the page, in every format."""

import re

import pytest

from engine.core.diagram.phases import phase_of, phases
from engine.core.document import read as document
from engine.services import publish
from tests.web.conftest import ACTOR
from tests.web.pages_read import read

MANY = 310
BASE, PAGE = "/flows/longo/diagram", "/flows/longo/export"


def long_flow(count=MANY, phase=62):
    """A road of states whose document says in which phase each stands: five of them."""
    names = [f"E{number}" for number in range(count)]
    return {
        "schema": 1,
        "slug": "longo",
        "title": "Longo",
        "initial": names[0],
        "events": {"msg_recebida": {"source": "message"}},
        "actions": {"oi": {"kind": "send", "text": "Oi!"}},
        "states": {name: {"deadline": "1d", "phase": f"Etapa {number // phase}"} for number, name in enumerate(names)},
        "transitions": [
            {"id": f"f{n}", "from": name, "on": "msg_recebida", "to": names[(n + 1) % count], "do": ["oi"]}
            for n, name in enumerate(names)
        ]
        + [{"id": f"u{n}", "from": name, "on": "timeout", "to": name} for n, name in enumerate(names)],
    }


@pytest.fixture
def longo(runtime, editor):
    async def added(**more):
        await publish.add_draft(runtime, long_flow(**more), ACTOR)

    return added


async def test_without_a_choice_each_format_is_the_overview_and_mermaid_and_json_are_whole(editor, longo):
    await longo()

    for kind, begins in (("svg", b"<svg"), ("png", b"\x89PNG"), ("pdf", b"%PDF"), ("dot", b"digraph fases")):
        answer = await editor.get(f"{BASE}.{kind}?ratio=16x9")
        assert (answer.status_code, answer.content[: len(begins)]) == (200, begins), kind
        assert f"longo-draft-overview.{kind}" in answer.headers["content-disposition"]
    svg = (await editor.get(f"{BASE}.svg?title=1")).text
    assert "Etapa 4" in svg
    assert "62 estados" in svg
    assert "as fases" in svg
    assert (await editor.get(f"{BASE}.mmd")).text.count("state ") == MANY
    assert len((await editor.get(f"{BASE}.json")).json()["states"]) == MANY


async def test_a_phase_is_drawn_with_stubs_where_it_goes_on_in_every_format(editor, longo):
    await longo()

    every = phases(document(long_flow()))
    number, beyond = phase_of(every, "E62"), phase_of(every, "E124")
    svg = (await editor.get(f"{BASE}.svg?phase={number}&title=1")).text
    assert re.search(r">\W*E62\b", svg)
    assert re.search(r">\W*E61\b", svg) is None
    assert f"fase {beyond}" in svg, "where it goes on"
    assert f"fase {number} · Etapa 1" in svg, "its title says which it is"
    for kind in ("png", "pdf", "dot", "mmd"):
        answer = await editor.get(f"{BASE}.{kind}?phase={number}")
        assert (answer.status_code, f"longo-draft-{number}.{kind}" in answer.headers["content-disposition"]) == (
            200,
            True,
        )
    told = (await editor.get(f"{BASE}.mmd?phase=0&counts=1")).text
    assert told.count("state ") == 5
    assert re.search(r"p\d --> p\d: 1 seta", told)


async def test_one_whole_picture_is_refused_with_what_there_is_instead(editor, longo):
    await longo()

    answer = await editor.get(f"{BASE}.png?phase=all")

    assert answer.status_code == 422
    assert "Uma imagem mostra até 300 estados. Leve por fase" in answer.text
    assert (await editor.get(f"{BASE}.mmd?phase=all")).status_code == 200


@pytest.mark.parametrize(
    ("query", "told"), [("phase=9", "não tem a fase 9"), ("phase=x", "0 para a visão geral, ou all")]
)
async def test_a_phase_that_there_is_none_of_is_400_with_words(editor, longo, query, told):
    await longo(count=100, phase=50)

    answer = await editor.get(f"{BASE}.svg?{query}")

    assert (answer.status_code, told in answer.text) == (400, True)
    assert told in (await editor.get(f"{PAGE}?{query}")).text or query == "phase=9", (
        "the page goes on with the usual one"
    )


async def test_the_page_offers_the_phases_with_the_overview_chosen_and_says_why(editor, longo):
    await longo()

    page = (await editor.get(PAGE)).text
    assert "Uma imagem mostra até 300 estados e este fluxo tem 310" in page
    assert read(page).form(PAGE).fields["phase"] == ["0"]
    assert "O fluxo inteiro" not in page
    assert "phase=0" in page.split('class="exp-view"')[1][:400]
    chosen = (await editor.get(f"{PAGE}?phase=3&format=pdf")).text
    assert read(chosen).form(PAGE).fields["phase"] == ["3"]
    assert "diagram.pdf?" in chosen
    assert "phase=3" in chosen.split("diagram.pdf?")[1][:200]
    whole = (await editor.get(f"{PAGE}?format=mmd")).text
    assert read(whole).form(PAGE).fields["phase"] == ["all"], "as text there is room for all"
    assert "phase=0" in whole.split('class="exp-view"')[1][:400], "and the page shows the overview"


async def test_a_flow_that_one_picture_holds_is_whole_unless_a_phase_is_chosen_and_a_small_one_has_none(editor, longo):
    await longo(count=100, phase=50)

    page = (await editor.get(PAGE)).text
    assert read(page).form(PAGE).fields["phase"] == ["all"]
    assert "Visão geral das fases" in page
    assert "phase=all" in page.split("diagram.png?")[1][:200], "and its link means that when the flow has grown, too"
    assert "phase" not in read((await editor.get("/flows/pequeno/export")).text).form("/flows/pequeno/export").fields
    assert (await editor.get("/flows/pequeno/diagram.svg?phase=0")).status_code == 200
    assert (await editor.get("/flows/pequeno/diagram.svg?phase=1")).status_code == 400
