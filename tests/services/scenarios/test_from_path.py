"""A finding's path as a scenario: the real engine goes the same way and does what the rule forbids."""

import json
from functools import cache
from typing import Any

import pytest

from engine import samples
from engine.adapters.payments.registry import PLATFORMS
from engine.core.checks.findings import Finding, Severity, Where
from engine.core.checks.run import check
from engine.core.document import read
from engine.core.errors import Refused
from engine.core.flow import Send
from engine.services.scenarios.compare import Seen, differences
from engine.services.scenarios.format import Scenario
from engine.services.scenarios.from_path import scenario_of
from engine.services.scenarios.reading import load
from engine.services.scenarios.run import played
from tests.core.corpus.planted import corpus

CLOSED = "window_closed_no_template"
"""What really becomes of a free-form send after the window: the engine does not let it leave."""
RULES = [entry for entry in corpus() if entry.code[0] == "R"]


@cache
def paths() -> list[Any]:
    """(document, finding) for every violated rule of the literal sale and of the corpus."""
    trees = [("venda-literal", samples.tree("venda-literal")), *((f"{e.code} {e.name}", e.faulty) for e in RULES)]
    return [
        pytest.param(tree, found, id=f"{name} {found.code}")
        for name, tree in trees
        for found in check(read(tree))
        if found.path and found.code[0] == "R"
    ]


@pytest.fixture
def play(tmp_path, sqlite_url):
    async def _play(scenario: dict[str, Any]) -> tuple[Scenario, Seen]:
        path = tmp_path / "path.json"
        path.write_text(json.dumps(scenario))
        read_back = load(path, frozenset(PLATFORMS))
        return read_back, await played(read_back, sqlite_url)

    return _play


def test_every_violated_rule_of_the_literal_sale_has_a_path() -> None:
    codes = {found.code for found in check(read(samples.tree("venda-literal"))) if found.path}

    assert codes >= {"R3", "R4", "R5", "R7", "R8"}


@pytest.mark.parametrize(("tree", "found"), paths())
async def test_the_engine_goes_the_path_and_does_what_is_forbidden(tree, found: Finding, play) -> None:
    scenario, seen = await play(scenario_of(tree, found))

    assert differences(scenario.expect, seen) == []
    flow = read(tree)
    last = [name for name in found.path[-1]["do"] if isinstance(flow.actions[name], Send)]
    left = [label.removeprefix("template:") for label, _ in seen.left]
    closed = [record["action"] for record in seen.records if record.get("reason") == CLOSED]
    if found.code == "R4":
        assert set(last) & set(closed)
    else:
        assert set(last) <= {*left, *closed}
        assert not last or set(last) & set(left) or found.path[-1]["event"] == "timeout"


async def test_the_scenario_of_a_mended_flow_fails(play) -> None:
    entry = next(e for e in RULES if e.name == "a pitch after the payment")
    (found,) = check(read(entry.faulty))
    scenario = scenario_of(entry.faulty, found)
    scenario["setup"]["flow"]["document"] = entry.repaired

    read_back, seen = await play(scenario)

    assert differences(read_back.expect, seen)


def told(*steps: dict[str, Any]) -> Finding:
    return Finding(code="R1", severity=Severity.ERROR, where=Where(), message="-", path=steps or None)


def going(event: str, frm: str, to: str, arrow: str | None, **values: Any) -> dict[str, Any]:
    return {"event": event, "from": frm, "to": to, "transition": arrow, "do": [], "values": values}


def flow_with(**changes: Any) -> dict[str, Any]:
    tree = next(e for e in corpus() if e.name == "an island").repaired
    for section, entries in changes.items():
        tree[section] = {**tree[section], **entries} if isinstance(entries, dict) else [*tree[section], *entries]
    return tree


def refusal(tree: dict[str, Any], found: Finding) -> tuple[str, dict[str, object]]:
    with pytest.raises(Refused) as refused:
        scenario_of(tree, found)
    return refused.value.code, dict(refused.value.facts)


def test_what_no_scenario_can_do_is_refused_with_its_reason() -> None:
    person = flow_with(
        events={
            "aprovou": {"source": "human"},
            "duvida": {"source": "message", "falls_back_to": "msg", "priority": 10},
        },
        transitions=[{"id": "t80", "from": "NOVO", "on": "aprovou", "to": "CONVERSA"}],
    )

    assert refusal(person, told()) == ("path_missing", {})
    assert refusal(person, told(going("aprovou", "NOVO", "CONVERSA", "t80"))) == ("path_event", {"event": "aprovou"})
    assert refusal(person, told(going("duvida", "NOVO", "CONVERSA", "t1"))) == ("path_words", {"event": "duvida"})
    assert refusal(person, told(going("msg", "NOVO", "OFERTA", "t4"))) == (
        "path_differs",
        {"event": "msg", "state": "NOVO"},
    )


def test_more_payments_than_outcomes_are_refused() -> None:
    names = [f"pagamento_{n}" for n in range(9)]
    tree = flow_with(events={name: {"source": "payment"} for name in names})

    path = told(*(going(name, "NOVO", "NOVO", None) for name in names))

    assert refusal(tree, path) == ("path_event", {"event": "pagamento_8"})


async def test_a_value_that_no_arrow_writes_and_a_name_are_there_from_the_start(play) -> None:
    tree = flow_with(
        transitions=[{"id": "t80", "from": "NOVO", "on": "msg", "when": "vip && contact.name == 'Ana'", "to": "OFERTA"}]
    )
    tree["transitions"][0]["when"] = "otherwise"
    step = going("msg", "NOVO", "OFERTA", "t80", vip=True, **{"contact.name": "Ana"})

    scenario, seen = await play(scenario_of(tree, told(step)))

    assert differences(scenario.expect, seen) == []
    assert (seen.conversations[0]["context"]["vip"], seen.conversations[0]["name"]) == (True, "Ana")


async def test_a_button_is_tapped_where_no_words_are_known(play) -> None:
    tree = flow_with(
        events={"duvida": {"source": "message", "falls_back_to": "msg", "priority": 10}},
        transitions=[{"id": "t80", "from": "NOVO", "on": "duvida", "to": "CONVERSA"}],
    )
    tree["actions"]["boas_vindas"]["buttons"] = [{"id": "duvida", "title": "Uma dúvida"}]

    scenario, seen = await play(scenario_of(tree, told(going("duvida", "NOVO", "CONVERSA", "t80"))))

    assert differences(scenario.expect, seen) == []
    assert "duvida" in [record["event"] for record in seen.records]
