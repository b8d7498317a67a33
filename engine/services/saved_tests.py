"""Saved tests of a flow: kept runs of the simulator that publishing plays again, on the flow that would go live."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.core.canonical import digest
from engine.core.errors import Conflict, NotFound, Refused, TrilhoError
from engine.core.permissions import Actor
from engine.runtime import Runtime
from engine.services.scenarios.compare import Seen
from engine.services.simulator.as_test import came, document_of, expected
from engine.services.simulator.play import Played
from engine.services.simulator.runs import Run
from engine.store import audit, saved_tests
from engine.store.connection import Tx
from engine.store.saved_tests import SavedTest

__all__ = ["Difference", "Result", "add", "delete", "document", "listed", "rename", "run_all"]

LONGEST_NAME = 80
MOST = 100
KEPT = 512
_known: dict[str, tuple["Difference", ...]] = {}
"""A memory of pure results: what a test shows depends on the test and the flow's document alone."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The first place in which a list is not as it was. `about`: moves, texts, state, opt_out or unplayable; `place` counts
    from 1; `expected` and `got` are entries (of moves: as the log has them), None where the list is at its end.
    """

    about: str
    place: int
    expected: Any
    got: Any


@dataclass(frozen=True, slots=True)
class Result:
    """How one test went."""

    test: SavedTest
    differences: tuple[Difference, ...]

    @property
    def passed(self) -> bool:
        """Whether everything happened as it did when the test was kept."""
        return not self.differences


async def run_all(
    runtime: Runtime, slug: str, tree: Mapping[str, Any], tests: Sequence[SavedTest] | None = None
) -> tuple[Result, ...]:
    """Play every test of the flow, or some, on this document, beside the loop; the same pair of them is played once."""
    chosen = await listed(runtime, slug) if tests is None else tests
    return tuple([Result(test, await _differences(test, tree)) for test in chosen])


async def listed(runtime: Runtime, slug: str) -> list[SavedTest]:
    """The tests of a flow, by name."""
    return await runtime.store.read(lambda tx: saved_tests.of(tx, slug))


async def add(runtime: Runtime, run: Run, came_to: Played, name: str, actor: Actor) -> int:
    """Keep what a run came to as a test; its id. Raises Refused: test_name, test_there, test_empty, too_many_tests."""
    called = _called(name)
    if not came_to.inputs:
        raise Refused("test_empty")
    kept = json.dumps(await document_of(called, run.setup, came_to), ensure_ascii=False)
    slug, now = run.row.flow, runtime.clock.now()

    def unit(tx: Tx) -> int:
        if len(saved_tests.of(tx, slug)) >= MOST:
            raise Refused("too_many_tests", most=MOST)
        made = saved_tests.add(tx, flow=slug, name=called, document=kept, who=actor.who, now=now)
        if made is None:
            raise Refused("test_there", name=called)
        audit.note(tx, now, actor, "test.saved", subject=slug, facts={"name": called})
        return made

    return await runtime.store.write(f"tests:{slug}", unit)


async def rename(runtime: Runtime, slug: str, test_id: int, name: str) -> None:
    """Call a test otherwise. Raises NotFound, Refused: test_name, test_there."""
    called = _called(name)

    def unit(tx: Tx) -> None:
        if not saved_tests.rename(tx, slug, test_id, called):
            raise NotFound("test", test_id)

    try:
        await runtime.store.write(f"tests:{slug}", unit)
    except Conflict:
        raise Refused("test_there", name=called) from None


async def delete(runtime: Runtime, slug: str, test_id: int, actor: Actor) -> None:
    """Let go of a test. Raises NotFound."""
    now = runtime.clock.now()

    def unit(tx: Tx) -> None:
        found = saved_tests.get(tx, slug, test_id)
        if found is None:
            raise NotFound("test", test_id)
        saved_tests.delete(tx, slug, test_id)
        audit.note(tx, now, actor, "test.deleted", subject=slug, facts={"name": found.name})

    await runtime.store.write(f"tests:{slug}", unit)


async def document(runtime: Runtime, slug: str, test_id: int, tree: Mapping[str, Any]) -> dict[str, Any]:
    """A test as a file for `trilho scenario`, with this document as its flow. Raises NotFound."""
    found = await runtime.store.read(lambda tx: saved_tests.get(tx, slug, test_id))
    if found is None:
        raise NotFound("test", test_id)
    scenario: dict[str, Any] = json.loads(found.document)
    return {**scenario, "case": found.name, "setup": {"flow": {"document": tree}, **scenario["setup"]}}


async def _differences(test: SavedTest, tree: Mapping[str, Any]) -> tuple[Difference, ...]:
    key = digest([test.document, dict(tree)])
    if key not in _known:
        while len(_known) >= KEPT:
            _known.pop(next(iter(_known)))
        _known[key] = await _played(json.loads(test.document), tree)
    return _known[key]


async def _played(scenario: Mapping[str, Any], tree: Mapping[str, Any]) -> tuple[Difference, ...]:
    try:
        seen: Seen = await came(scenario, tree)
    except TrilhoError as error:
        return (Difference("unplayable", 1, None, str(error)),)
    return tuple(_between(scenario["expect"], expected(seen)))


def _between(wanted: Mapping[str, Any], got: Mapping[str, Any]) -> list[Difference]:
    found: list[Difference] = []
    for about, key in (("moves", "log"), ("texts", "texts"), ("actions", "actions")):
        place = _first(wanted[key], got[key])
        if place is not None and not (about == "actions" and found):
            pair = [row[place] if place < len(row) else None for row in (wanted[key], got[key])]
            found.append(Difference(about, place + 1, *pair))
    before, after = ((one["conversations"] or [{}])[-1] for one in (wanted, got))
    ends = [Difference(about, 1, before.get(about), after.get(about)) for about in ("state", "opt_out")]
    return [*found, *(one for one in ends if one.expected != one.got)]


def _first(wanted: Sequence[Any], got: Sequence[Any]) -> int | None:
    """The first place where two lists differ."""
    if list(wanted) == list(got):
        return None
    same = (one == other for one, other in zip(wanted, got, strict=False))
    return next((place for place, is_same in enumerate(same) if not is_same), min(len(wanted), len(got)))


def _called(name: str) -> str:
    called = " ".join(name.split())
    if not 0 < len(called) <= LONGEST_NAME or not called.isprintable():
        raise Refused("test_name", longest=LONGEST_NAME)
    return called
