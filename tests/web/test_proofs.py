"""The editor while the proofs of a large flow go on: it says so, does not publish, and tells the end by itself."""

import threading

import pytest
import pytest_asyncio

from engine import samples
from engine.core.checks.run import check
from engine.core.errors import Refused
from engine.core.permissions import Role
from engine.services import checked, publish
from engine.services.scenarios.run import play
from tests.web.conftest import ACTOR
from tests.web.pages_read import read

DRAFT = "/flows/venda/draft"


@pytest_asyncio.fixture
async def publisher(runtime, signed_in):
    await publish.publish_tree(runtime, samples.tree("venda"), "primeira", ACTOR)
    return await signed_in(Role.PUBLISHER)


@pytest.fixture
def slow(monkeypatch):
    """Proofs that go on until they are let go."""
    go = threading.Event()

    def held(flow, memory, told):
        told(2)
        assert go.wait(30)
        return check(flow, memory, told)

    monkeypatch.setattr(checked, "_checked", {})
    monkeypatch.setattr(checked, "check", held)
    monkeypatch.setattr(checked, "MOMENT_S", 0.01)
    yield go
    go.set()


async def test_it_says_how_far_the_proofs_are_and_then_what_they_say(publisher, runtime, slow):
    page = (await publisher.get(f"{DRAFT}?view=rules")).text
    words = read(page).text
    assert "Provando as regras: 2 de 10" in words
    assert words.count("provando") == 9 and "provada" not in words
    assert "Nenhum problema encontrado" not in words
    assert 'aria-disabled="true" title="As regras ainda estão sendo provadas"' in page

    still = await publisher.get(f"{DRAFT}/proofs?view=rules&seen=2")
    assert still.status_code == 204
    moved = await publisher.get(f"{DRAFT}/proofs?view=rules&seen=1")
    assert "2 de 10" in moved.text and 'id="problems"' not in moved.text

    slow.set()
    await publish.review(runtime, "venda")
    done = await publisher.get(f"{DRAFT}/proofs?view=rules&seen=2")
    told = read(done.text).text
    assert "Provando" not in told and "provada" in told
    assert 'id="problems" hx-swap-oob="true"' in done.text and "aria-disabled" not in done.text


async def test_the_list_of_flows_does_not_wait_for_proofs(publisher, slow):
    assert (await publisher.get("/flows")).status_code == 200


async def test_the_way_to_a_problem_is_saved_as_a_scenario_that_the_real_engine_plays(runtime, signed_in, tmp_path):
    await publish.add_draft(runtime, samples.tree("venda-literal"), ACTOR)
    person = await signed_in(Role.READONLY)
    page = (await person.get("/flows/venda-literal/draft?view=rules")).text
    links = [link for link in read(page).links if link.endswith("/scenario.json")]
    assert len(links) >= 5
    assert len(set(links)) >= 5
    for number, link in enumerate(dict.fromkeys(links)):
        answer = await person.get(link)
        assert answer.status_code == 200, link
        assert answer.headers["content-disposition"].startswith('attachment; filename="venda-literal-')
        file = tmp_path / f"{number}.json"
        file.write_text(answer.text)
        assert (await play(file)).passed, answer.text[:300]

    assert (await person.get("/flows/venda-literal/draft/problems/nada/scenario.json")).status_code == 404


async def test_a_way_that_no_scenario_can_go_says_why(runtime, signed_in, monkeypatch):
    await publish.add_draft(runtime, samples.tree("venda-literal"), ACTOR)
    person = await signed_in(Role.READONLY)
    page = (await person.get("/flows/venda-literal/draft?view=rules")).text
    link = next(link for link in read(page).links if link.endswith("/scenario.json"))

    def refused(*_):
        raise Refused("path_event", event="aprovado_por_gente")

    monkeypatch.setattr("web.routes.drafts.scenario_of", refused)
    answer = await person.get(link)
    assert answer.status_code == 422 and "Nenhum cenário faz aprovado_por_gente acontecer." in answer.text
