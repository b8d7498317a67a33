"""What a version would do otherwise than another: compared in a thread, once for the same two documents (V1)."""

import asyncio
from collections.abc import Sequence

from engine.core.checks.findings import Finding
from engine.core.differing.compare import compare
from engine.core.differing.findings import differences
from engine.core.flow import Flow

__all__ = ["differing"]

KEPT = 64
_compared: dict[tuple[str, str], Sequence[Finding]] = {}
"""A memory of pure results: they depend on the two documents alone, and a sha256 is a document's identity."""


async def differing(old: Flow, new: Flow) -> Sequence[Finding]:
    """The differences of behaviour from the old version to the new one; they block nothing."""
    key = old.sha256, new.sha256
    if (known := _compared.get(key)) is not None:
        return known
    found = await asyncio.to_thread(lambda: differences(compare(old, new)))
    while len(_compared) >= KEPT:
        _compared.pop(next(iter(_compared)), None)
    _compared[key] = found
    return found
