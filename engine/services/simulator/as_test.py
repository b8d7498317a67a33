"""A run as a test: a scenario of the project's own format, and what happens in it now as what has to happen."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from engine.adapters.payments.registry import PLATFORMS
from engine.services.scenarios.compare import Seen
from engine.services.scenarios.format import Scenario
from engine.services.scenarios.posting import LEAD
from engine.services.scenarios.reading import read
from engine.services.scenarios.run import played as scenario_played
from engine.services.simulator.play import Played
from engine.services.simulator.scenes import aside
from engine.services.simulator.stage import MOST_ROUNDS, seconds
from engine.store.scratch import scratch

__all__ = ["came", "document_of", "expected", "moves"]

TOLD = ("transition", "no_transition", "ignored", "alert", "opt_out", "duplicate")
"""Outcomes of log rows that a test is about; when exactly letters left, and what was retried, is not."""
_KEYS = ("outcome", "reason", "event", "frm", "to")


async def document_of(name: str, setup: Mapping[str, Any], came_to: Played) -> dict[str, Any]:
    """The scenario without its flow. It ends where the clock stands, and is played once to see what happens."""
    world = {key: value for key, value in setup.items() if key != "flow"}
    inputs = [*came_to.inputs, {"at": seconds(came_to.now), "kind": "clock"}]
    scenario = {
        "case": name,
        "given": "Kept from a run of the simulator.",
        "setup": {**world, "faults": list(came_to.faults)},
        "inputs": inputs,
        "expect": {},
    }
    return {**scenario, "expect": expected(await came(scenario, setup["flow"]["document"]))}


async def came(document: Mapping[str, Any], tree: Mapping[str, Any]) -> Seen:
    """What happens in a test when this flow is played. Raises InvalidDocument, NotFound, Refused."""
    whole = {**document, "setup": {**document["setup"], "flow": {"document": tree}}}

    async def work() -> Seen:
        scenario: Scenario = read(whole, Path(), frozenset(PLATFORMS))
        with scratch() as url:
            return await scenario_played(scenario, url, MOST_ROUNDS)

    return await aside(work)


def expected(seen: Seen) -> dict[str, Any]:
    """What was seen as what has to be seen: where the customer stands, what moved and what did not, what was sent."""
    standing = [one for one in seen.conversations if LEAD in one["names"] or "+" + LEAD in one["names"]]
    states = [{"contact": LEAD, "state": one["state"], "opt_out": one["opt_out"]} for one in standing[-1:]]
    return {
        "conversations": states,
        "log": moves(seen),
        "actions": [label for label, _ in seen.left],
        "texts": list(seen.texts),
    }


def moves(seen: Seen) -> list[dict[str, Any]]:
    """The log rows that a test is about, each with what is said of it."""
    return [
        {key: record[key] for key in _KEYS if record.get(key) is not None}
        for record in seen.records
        if record["outcome"] in TOLD and not (record["outcome"] == "ignored" and record.get("outbox"))
    ]
