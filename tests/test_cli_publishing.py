"""`trilho flow publish` with people inside and with saved tests."""

import asyncio
import json
from pathlib import Path

import pytest

from engine.core.permissions import Actor
from engine.services import publish, saved_tests
from engine.services.simulator import runs
from engine.services.simulator.steps import Step
from tests.command_line import Trilho, on_its_database
from tests.runtimes import a_runtime
from tests.services.small_flow import small, without_talk
from tests.services.standing import row, stand

MARINA = Actor("marina@example.com")
OTHER_TEXT = small(actions={"oi": {"kind": "send", "text": "Olá!"}})


@pytest.fixture
def trilho(tmp_path: Path, sqlite_url: str) -> Trilho:
    return on_its_database(tmp_path)


@pytest.fixture
def write(tmp_path: Path):
    def written(tree: object) -> Path:
        path = tmp_path / "flow.json"
        path.write_text(json.dumps(tree))
        return path

    return written


def inside(trilho: Trilho, work):
    """What `work` does with a runtime on the database of the commands."""

    async def opened():
        runtime = a_runtime(f"sqlite:///{trilho.data / 'trilho.db'}")
        try:
            return await work(runtime)
        finally:
            await runtime.close()

    return asyncio.run(opened())


async def with_person(runtime):
    await publish.publish_tree(runtime, small(), "", MARINA)
    return await stand(runtime, "CONVERSA")


async def with_test(runtime):
    await publish.publish_tree(runtime, small(), "", MARINA)
    run = await runs.opened(runtime, "pequeno", await runs.start(runtime, "pequeno", MARINA), MARINA)
    run = await runs.act(runtime, run, Step(kind="message", text="oi"))
    await saved_tests.add(runtime, run, await runs.played(run), "diz oi", MARINA)


def standing(trilho: Trilho, one: int):
    found = inside(trilho, lambda runtime: row(runtime, one))
    return found["flow_version"], found["state"]


@pytest.mark.parametrize(("to", "place"), [("NOVO", (2, "NOVO")), ("=", (1, "CONVERSA"))])
def test_people_of_a_removed_state_go_where_the_command_says(trilho: Trilho, write, to: str, place) -> None:
    one = inside(trilho, with_person)

    told = trilho("flow", "publish", write(without_talk()), "--people", f"CONVERSA={to}")

    assert (told.code, told.out.splitlines()[-1]) == (0, "pequeno@2 is published.")
    assert standing(trilho, one) == place


@pytest.mark.parametrize(
    ("people", "sentence"),
    [
        ("NOVO=FIM", "NOVO is no state that this publication removes: it is not in the live version, or stays."),
        ("NADA=FIM", "NADA is no state that this publication removes: it is not in the live version, or stays."),
        ("CONVERSA=NADA", "Nobody can be put into NADA."),
    ],
)
def test_an_answer_that_means_nothing_publishes_nothing(trilho: Trilho, write, people: str, sentence: str) -> None:
    one = inside(trilho, with_person)

    assert trilho("flow", "publish", write(without_talk()), "--people", people).mistakes == [sentence]
    assert standing(trilho, one) == (1, "CONVERSA")
    assert trilho("flow", "list", "--json").json["flows"][0]["live"] == 1


def test_a_changed_deadline_counts_from_the_publication_where_the_command_says_so(trilho: Trilho, write) -> None:
    one = inside(trilho, with_person)
    before = inside(trilho, lambda runtime: row(runtime, one))["deadline_at"]
    tree = small()
    tree["states"]["CONVERSA"]["deadline"] = "9h"

    lost = trilho("flow", "publish", write(tree), "--deadline-anew", "LUA")
    told = trilho("flow", "publish", write(tree), "--deadline-anew", "CONVERSA")

    assert lost.mistakes == ["Nobody can be put into LUA."]
    assert told.code == 0
    assert inside(trilho, lambda runtime: row(runtime, one))["deadline_at"] > before


@pytest.mark.parametrize("people", [["CONVERSA"], ["CONVERSA="], ["=NOVO"], ["CONVERSA=NOVO", "CONVERSA=FIM"]])
def test_an_answer_is_two_states_and_each_is_answered_once(trilho: Trilho, write, people: list[str]) -> None:
    words = [word for one in people for word in ("--people", one)]

    told = trilho("flow", "publish", write(small()), *words)

    assert told.code == 2
    assert "each removed state once" in told.err


def test_a_saved_test_that_differs_keeps_the_flow_from_being_published(trilho: Trilho, write) -> None:
    inside(trilho, with_test)

    told = trilho("flow", "publish", write(OTHER_TEXT))
    answer = trilho("flow", "publish", write(OTHER_TEXT), "--json")

    assert told.code == answer.code == 1
    assert "saved test 'diz oi' differs: texts 1: 'Oi!' became 'Olá!'." in told.out
    assert (answer.json["version"], answer.json["published"]) == (None, False)
    assert [(one["name"], one["differences"][0]["about"]) for one in answer.json["differing"]] == [("diz oi", "texts")]
    assert trilho("flow", "list", "--json").json["flows"][0]["live"] == 1


def test_saved_tests_can_be_skipped_and_one_that_passes_is_no_hindrance(trilho: Trilho, write) -> None:
    inside(trilho, with_test)

    assert trilho("flow", "publish", write(small(title="Outro")), "--json").json["version"] == 2
    assert trilho("flow", "publish", write(OTHER_TEXT), "--skip-tests", "--json").json["version"] == 3
    assert trilho("flow", "publish", write(OTHER_TEXT)).code == 0, "what is live already is not played again"
