"""The findings about a flow, once for the same document, and faster after an edit than the first time."""

import asyncio
from collections.abc import Sequence
from threading import Lock

from engine.core.checks.findings import Finding
from engine.core.checks.run import Memory, check
from engine.core.flow import Flow

__all__ = ["checked"]

KEPT = 64
_checked: dict[str, Sequence[Finding]] = {}
"""A memory of pure results: findings depend on the document alone, and its sha256 is its identity."""
_answers, _one_at_a_time = Memory(), Lock()
"""Answers of the prover, most of which an edit leaves as they are."""


async def checked(flow: Flow) -> Sequence[Finding]:
    """The findings; in a thread, because the proofs may take seconds."""
    if (known := _checked.get(flow.sha256)) is not None:
        return known
    findings = await asyncio.to_thread(_check, flow)
    while len(_checked) >= KEPT:
        _checked.pop(next(iter(_checked)), None)
    _checked[flow.sha256] = findings
    return findings


def _check(flow: Flow) -> Sequence[Finding]:
    with _one_at_a_time:
        return check(flow, _answers)
