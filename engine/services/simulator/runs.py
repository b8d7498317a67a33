"""Runs of the simulator as they are stored: begun, continued, stepped back. Each is its maker's own.

Nothing here reaches a conversation, a channel or a queue of the installation: a run is a row of its own table, and it
is played on a database that is thrown away.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.core.canonical import canonical
from engine.core.checks.findings import Finding
from engine.core.document import read
from engine.core.errors import NotFound, Stale
from engine.core.flow import Flow
from engine.core.permissions import Actor
from engine.runtime import Runtime
from engine.services.scenarios.from_path import scenario_of
from engine.services.scenarios.posting import outcomes, source
from engine.services.simulator.play import Played, play
from engine.services.simulator.steps import Step, stored, told, usable
from engine.services.source_events import payment_events
from engine.services.sources import EVENTS
from engine.store import flows, simulations
from engine.store.connection import Tx
from engine.store.simulations import Simulation

__all__ = ["Run", "act", "back", "latest", "opened", "payable", "played", "reset", "start", "start_at"]

LATEST = 6


@dataclass(frozen=True, slots=True)
class Run:
    """A stored run, read. `setup` is its world, as the scenario format has it; `moved_on`: the draft is another by now."""

    row: Simulation
    flow: Flow
    setup: Mapping[str, Any]
    steps: tuple[Step, ...]
    moved_on: bool

    @property
    def given(self) -> int:
        """How many of the first steps are the way of a finding: a fresh start keeps them."""
        return sum(step.kind == "given" for step in self.steps)


async def start(runtime: Runtime, slug: str, actor: Actor, version: int | None = None) -> int:
    """A new run of the draft as it is now, or of a published version; its id. Raises NotFound."""

    def unit(tx: Tx) -> int:
        text, revision = _document(tx, slug, version)
        return _added(tx, runtime, slug, actor, version, revision, text, {}, ())

    return await runtime.store.write(f"simulation:{actor.who}", unit)


async def start_at(runtime: Runtime, slug: str, actor: Actor, revision: int, finding: Finding) -> int:
    """A new run that goes the way of a finding of the draft, so that it is seen to happen. Raises NotFound, Refused."""

    def unit(tx: Tx) -> int:
        text, current = _document(tx, slug, None)
        if current != revision:
            raise Stale("draft", revision, current, current)
        found = scenario_of(json.loads(text), finding)
        setup = found["setup"]
        begun = {"conversations": setup["conversations"], "sources": setup["sources"]}
        steps = [usable(Step(kind="given", row=row)) for row in found["inputs"]]
        calm = canonical(setup["flow"]["document"])
        return _added(tx, runtime, slug, actor, None, revision, calm, begun, steps)

    return await runtime.store.write(f"simulation:{actor.who}", unit)


async def opened(runtime: Runtime, slug: str, run_id: int, actor: Actor) -> Run:
    """A run of this person. Raises NotFound for one of somebody else, and Refused for one that cannot be read."""

    def unit(tx: Tx) -> tuple[Simulation, int | None]:
        row = simulations.get(tx, run_id, slug, actor.who)
        if row is None:
            raise NotFound("simulation", run_id)
        draft = flows.draft(tx, slug)
        return row, None if draft is None else draft.revision

    row, current = await runtime.store.read(unit)
    tree, begun = json.loads(row.document), json.loads(row.begun)
    flow = read(tree)
    moved_on = row.version is None and row.draft_revision != current
    return Run(row, flow, _setup(tree, flow, begun), told(row.steps), moved_on)


async def latest(runtime: Runtime, slug: str, actor: Actor) -> list[Simulation]:
    """The newest runs of a flow by one person."""
    return (await runtime.store.read(lambda tx: simulations.latest(tx, slug, actor.who)))[:LATEST]


async def played(run: Run, at: int | None = None) -> Played:
    """What the run came to, or what it had come to after its first `at` steps. Raises Refused."""
    return await play(run.setup, run.steps if at is None else run.steps[:at])


async def act(runtime: Runtime, run: Run, step: Step, at: int | None = None) -> Run:
    """Do one more step, after the first `at` when the run was looked at there; later ones are dropped.

    What cannot be played is not stored. Raises Refused, and Stale when the run was changed meanwhile.
    """
    steps = (*run.steps[: len(run.steps) if at is None else at], usable(step))
    text = stored(steps)
    await play(run.setup, steps)
    return await _written(runtime, run, text)


async def back(runtime: Runtime, run: Run, at: int | None = None) -> Run:
    """Drop the last step; nothing happens where there is none. Raises Stale."""
    kept = run.steps[: len(run.steps) if at is None else at][:-1]
    return await _written(runtime, run, stored(kept))


async def reset(runtime: Runtime, run: Run) -> None:
    """Begin again: on the draft as it is now, or where the way of a finding ends. Raises Stale, NotFound."""
    steps = run.steps[: run.given]

    def unit(tx: Tx) -> None:
        fresh = run.row.version is None and not run.given
        text, revision = _document(tx, run.row.flow, None) if fresh else (run.row.document, run.row.draft_revision)
        _change(tx, runtime, run, stored(steps), text, revision)

    await runtime.store.write(f"simulation:{run.row.who}", unit)


async def _written(runtime: Runtime, run: Run, text: str) -> Run:
    def unit(tx: Tx) -> None:
        _change(tx, runtime, run, text, run.row.document, run.row.draft_revision)

    await runtime.store.write(f"simulation:{run.row.who}", unit)
    return await opened(runtime, run.row.flow, run.row.id, Actor(run.row.who))


def _change(tx: Tx, runtime: Runtime, run: Run, steps: str, document: str, revision: int | None) -> None:
    now = runtime.clock.now()
    if not simulations.change(tx, run.row, steps=steps, document=document, draft_revision=revision, now=now):
        raise Stale("simulation", run.row.revision)


def _added(
    tx: Tx,
    runtime: Runtime,
    slug: str,
    actor: Actor,
    version: int | None,
    revision: int | None,
    document: str,
    begun: Mapping[str, Any],
    steps: Sequence[Step],
) -> int:
    return simulations.add(
        tx,
        flow=slug,
        who=actor.who,
        version=version,
        draft_revision=revision,
        document=document,
        begun=canonical(begun),
        steps=stored(steps),
        now=runtime.clock.now(),
    )


def _document(tx: Tx, slug: str, version: int | None) -> tuple[str, int | None]:
    """The document to play and, of the draft, its revision."""
    draft = flows.draft(tx, slug)
    if draft is None:
        raise NotFound("flow", slug)
    if version is None:
        return draft.document, draft.revision
    text = flows.document(tx, slug, version)
    if text is None:
        raise NotFound("version", f"{slug}@{version}")
    return text, None


def payable(flow: Flow) -> tuple[str, ...]:
    """The payment events that one source can tell of, those with their usual names first."""
    events = payment_events(flow)
    usual = [event for event in events if event in EVENTS.values()]
    return (*usual, *(event for event in events if event not in usual))[: len(EVENTS)]


def _setup(tree: Mapping[str, Any], flow: Flow, begun: Mapping[str, Any]) -> dict[str, Any]:
    """The world of a run. The events of a finding's way keep the outcomes that they have there."""
    return {
        "flow": {"document": tree},
        "channel": {"kind": "whatsapp_cloud"},
        "sources": begun.get("sources") or [source(outcomes(payable(flow)))],
        "conversations": begun.get("conversations") or [],
    }
