"""`trilho replay`: recorded conversations decided again by another version of their flow."""

import asyncio
import json
import shutil
from pathlib import Path

import pytest

from engine.runtime import ManualClock, SystemClock
from engine.services import publish
from tests.command_line import Trilho
from tests.runtimes import a_runtime
from tests.services.small_flow import TREE, small
from tests.web.conftest import ACTOR
from tests.web.leads import phone_for


@pytest.fixture
def trilho(tmp_path: Path, sqlite_url: str) -> Trilho:
    """An installation with one recorded conversation of two decisions, and a version 2 that leads elsewhere."""
    data = tmp_path / "data"
    data.mkdir()

    async def recorded() -> None:
        runtime = a_runtime(sqlite_url, clock=ManualClock(SystemClock().now() - 60_000))
        await publish.publish_tree(runtime, TREE, "primeira", ACTOR)
        await (await phone_for(runtime, "pequeno")).greet()
        tree = small()
        tree["transitions"][0]["to"], tree["transitions"][1]["to"] = "FIM", "CONVERSA"
        await publish.publish_tree(runtime, tree, "segunda", ACTOR)
        await runtime.close()

    asyncio.run(recorded())
    for part in tmp_path.glob("trilho.db*"):
        shutil.move(part, data / part.name)
    return Trilho(data)


def test_the_same_version_differs_nowhere_and_ends_with_0(trilho: Trilho) -> None:
    told = trilho("replay", "pequeno", "--against", "1")
    assert (told.code, told.out.splitlines()[-1]) == (
        0,
        "1 conversas, 1 decisões: 0 seriam outras, 0 não dá para repetir.",
    )


def test_each_decision_that_would_differ_is_a_line_and_ends_with_1(trilho: Trilho) -> None:
    told = trilho("replay", "pequeno", "--against", "2", "--language", "en")
    assert told.code == 1
    line = told.out.splitlines()[0]
    assert "NOVO, msg_recebida: goes to CONVERSA, does oi, waits 172800 s; now goes to FIM, does oi" in line
    assert told.out.splitlines()[-1] == "Customers might have answered differently."


def test_the_draft_or_a_file_may_decide_and_json_is_one_document(trilho: Trilho, tmp_path: Path) -> None:
    found = trilho("replay", "pequeno", "--against", "draft", "--json")
    assert (found.code, found.json["differing"]) == (1, 1)
    (one,) = found.json["differences"]
    assert (one["was"]["to"], one["now"]["to"], one["what"]) == ("CONVERSA", "FIM", ["to", "wait"])
    (tmp_path / "flow.json").write_text(json.dumps(TREE))
    assert trilho("replay", "pequeno", "--against", str(tmp_path / "flow.json")).code == 0


@pytest.mark.parametrize(
    "words",
    [
        ("replay", "pequeno"),
        ("replay", "pequeno", "--against", "9"),
        ("replay", "nada", "--against", "1"),
        ("replay", "pequeno", "--against", "venda"),
        ("replay", "pequeno", "--against", "1", "--days", "0"),
    ],
)
def test_wrong_use_is_one_line_and_ends_with_2(trilho: Trilho, words: tuple[str, ...]) -> None:
    told = trilho(*words)
    assert told.code == 2
    assert told.out == ""
