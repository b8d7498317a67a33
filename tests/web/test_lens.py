"""What is laid over the drawing, which phase of a large flow it shows, and the problem that is looked at: all in the address."""

import re

import pytest

from engine.core.diagram.phases import MOST_AT_ONCE, phases
from engine.services import edit, publish
from tests.services.small_flow import small
from tests.web.conftest import ACTOR

BASE = "/flows/pequeno/draft"
NAMES = [f"E{number}" for number in range(MOST_AT_ONCE + 5)]
HTMX = {"hx-request": "true"}


def big():
    """A long road; every state is reached and ends."""
    tree = small()
    tree["states"] = {**{name: {"deadline": "1d"} for name in NAMES}, "FIM": {"kind": "final"}}
    tree["initial"] = "E0"
    tree["transitions"] = [
        {"id": f"t{number}", "from": name, "on": "msg_recebida", "to": [*NAMES[1:], "FIM"][number]}
        for number, name in enumerate(NAMES)
    ] + [{"id": f"m{name}", "from": name, "on": "timeout", "to": "FIM"} for name in NAMES]
    return tree


def marked(page):
    return re.search(r'id="canvas-svg"(?: data-phase="(\d+)")?', page)[1]


@pytest.mark.parametrize(
    ("show", "there", "away"),
    [
        ("traffic", "mais conversas em 7 dias", "tem um problema"),
        ("problems", "tem um problema", "mais conversas em 7 dias"),
        ("none", "Mostrar:", "tem um problema"),
        ("anything<", "conversas agora</b>", "tem um problema"),
    ],
)
async def test_what_is_laid_over_is_in_the_address(editor, flow, show, there, away):
    answer = await editor.get(BASE, params={"show": show})
    assert answer.status_code == 200 and there in answer.text and away not in answer.text


async def test_every_link_of_the_drawing_keeps_what_is_laid_over_it(editor, flow):
    page = (await editor.get(f"{BASE}?show=none")).text
    assert 'href="?sel=s:NOVO&amp;show=none"' in page


async def test_a_change_draws_what_the_page_of_it_shows(editor, flow):
    headers = {**HTMX, "x-csrf-token": editor.csrf, "hx-current-url": f"http://trilho.test{BASE}?show=traffic"}
    form = {"field": "deadline", "value": "4h", "seen": '"1d"'}
    answer = await editor.client.patch(f"{BASE}/states/NOVO", data=form, headers=headers)
    # The number of a line without traffic.
    assert answer.status_code == 200 and ">0</text>" in answer.text


async def test_a_problem_opens_with_the_drawing_that_marks_what_it_is_about(runtime, editor, flow):
    more = {"op": "add_transition", "fields": {"from": "CONVERSA", "on": "timeout", "to": "NOVO"}}
    await edit.edit(runtime, "pequeno", more, actor=ACTOR)
    page = (await editor.get(BASE)).text
    key = re.search(r'data-sel="p:([0-9a-f]+)"', page)[1]

    part = (await editor.get(f"{BASE}/problems/{key}", headers=HTMX)).text
    whole = (await editor.get(f"{BASE}?sel=p:{key}")).text

    for text in (part, whole):
        assert 'class="fluxo quiet"' in text and " err" in text and "Ir para" in text
    assert "<html" not in part and "hx-swap-oob" in part


async def test_a_problem_that_is_solved_by_now_selects_nothing(editor, flow):
    assert "Nada escolhido" in (await editor.get(f"{BASE}?sel=p:0123456789abcdef")).text
    assert "Nada escolhido" in (await editor.get(f"{BASE}/problems/nada", headers=HTMX)).text


async def test_a_large_flow_begins_with_its_phases_and_shows_the_one_of_what_is_selected(runtime, editor):
    await publish.publish_tree(runtime, big(), "grande", ACTOR)
    every = phases((await edit.opened(runtime, "pequeno")).flow)

    first = (await editor.get(BASE)).text
    assert marked(first) == "0" and first.count('data-sel="p:') == len(every)
    for phase in every[:2]:
        assert marked((await editor.get(f"{BASE}?phase={phase.number}")).text) == str(phase.number)
        assert marked((await editor.get(f"{BASE}?sel=s:{phase.states[0]}")).text) == str(phase.number)
    for wrong in ("99", "-1", "x", "9" * 30):
        assert marked((await editor.get(f"{BASE}?phase={wrong}")).text) == "0"


async def test_a_panel_of_another_phase_comes_with_its_drawing_and_one_of_this_without(runtime, editor):
    await publish.publish_tree(runtime, big(), "grande", ACTOR)
    every = phases((await edit.opened(runtime, "pequeno")).flow)
    near, far = every[0].states[1], every[1].states[0]
    there = {**HTMX, "hx-current-url": f"http://trilho.test{BASE}?sel=s:{every[0].states[0]}"}

    assert "canvas-svg" not in (await editor.get(f"{BASE}/states/{near}", headers=there)).text
    moved = (await editor.get(f"{BASE}/states/{far}", headers=there)).text
    assert marked(moved) == "2" and 'id="phases" hx-swap-oob' in moved
    closed = (await editor.get(f"{BASE}/nothing", headers=there)).text
    assert "canvas-svg" not in closed


async def test_a_large_page_travels_compressed_to_who_asked_for_it_and_to_no_other(runtime, editor, flow):
    own = await editor.get(BASE, headers={"sec-fetch-site": "same-origin"})
    other = await editor.get(BASE, headers={"sec-fetch-site": "cross-site"})
    unsaid = await editor.get(BASE)

    assert own.headers["content-encoding"] == "gzip" and own.text == unsaid.text
    assert "content-encoding" not in other.headers and "content-encoding" not in unsaid.headers
