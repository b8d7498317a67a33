"""The findings about a flow, once for the same document, and faster after an edit than the first time.

A large flow takes seconds: who edits gets what is known after a moment, with how far the proofs are, and asks again.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock

from engine.core.checks.findings import Finding
from engine.core.checks.run import Memory, check, check_at_once
from engine.core.flow import Flow

__all__ = ["Proof", "at_hand", "checked", "so_far"]

KEPT = 256
MOMENT_S = 0.25
"""How long somebody who edits waits for the proofs."""
AT_ONCE = 4
"""How many flows of a list are begun to be checked at the same time."""
_checked: dict[str, Sequence[Finding]] = {}
"""A memory of pure results: findings depend on the document alone, and its sha256 is its identity."""
_going: dict[str, "_Going"] = {}
_answers, _one_at_a_time = Memory(), Lock()
"""Answers of the prover, most of which an edit leaves as they are."""


@dataclass(frozen=True, slots=True)
class Proof:
    """What is known of a flow. `going` is how many of how many proofs over all runs are made, None when all are."""

    findings: Sequence[Finding]
    going: tuple[int, int] | None = None


class _Going:
    """Proofs that are being made in a thread, for everybody who asks."""

    def __init__(self, flow: Flow) -> None:
        self.done, self.total = 0, len(flow.rules) + 1
        self.first: Sequence[Finding] | None = None
        self.task = asyncio.ensure_future(self._made(flow))

    async def _made(self, flow: Flow) -> Sequence[Finding]:
        try:
            findings = await asyncio.to_thread(self._check, flow)
        finally:
            _going.pop(flow.sha256, None)
        while len(_checked) >= KEPT:
            _checked.pop(next(iter(_checked)), None)
        _checked[flow.sha256] = findings
        return findings

    def _check(self, flow: Flow) -> Sequence[Finding]:
        # A small flow does not wait for a large one: without the memory it is proved as well, only not as fast.
        if not _one_at_a_time.acquire(blocking=False):
            return check(flow, Memory(), self._told)
        try:
            return check(flow, _answers, self._told)
        finally:
            _one_at_a_time.release()

    def _told(self, done: int) -> None:
        self.done = done


async def checked(flow: Flow) -> Sequence[Finding]:
    """All findings, however long it takes."""
    if (known := _checked.get(flow.sha256)) is not None:
        return known
    # Others may wait for it too: one of them who goes away ends it for nobody.
    return await asyncio.shield(_begun(flow).task)


async def so_far(flow: Flow) -> Proof:
    """All findings if that takes a moment, else those that need no proof over all runs."""
    if (known := _checked.get(flow.sha256)) is not None:
        return Proof(known)
    going = _begun(flow)
    done, _ = await asyncio.wait({going.task}, timeout=MOMENT_S)
    if done:
        return Proof(going.task.result())
    if going.first is None:
        going.first = await asyncio.to_thread(check_at_once, flow)
    return Proof(going.first, (going.done, going.total))


async def at_hand(wanted: Sequence[Flow]) -> dict[str, Sequence[Finding]]:
    """The findings of many flows, by sha256, as far as they are known after a moment; the first few others are begun."""
    unknown = [flow for flow in wanted if flow.sha256 not in _checked]
    begun = [_begun(flow).task for flow in unknown[:AT_ONCE]]
    if begun:
        await asyncio.wait(begun, timeout=MOMENT_S)
    return {flow.sha256: found for flow in wanted if (found := _checked.get(flow.sha256)) is not None}


def _begun(flow: Flow) -> _Going:
    going = _going.get(flow.sha256)
    if going is None or going.task.get_loop() is not asyncio.get_running_loop():
        going = _going[flow.sha256] = _Going(flow)
    return going
