"""Once a day the ends of both chains are kept, in a table that only grows and in a file beside it (SEC-S23)."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path

from engine.adapters import anchor_file
from engine.core.flow import Millis
from engine.runtime import Runtime
from engine.store import anchors
from engine.store.anchors import Anchor
from engine.store.connection import Tx

__all__ = ["Anchor", "anchored", "anchoring", "file_of"]

KEY = "anchors"
FILE = "anchors.txt"


async def anchoring(runtime: Runtime) -> Anchor | None:
    """Keep the anchor of today, None when there is one: several workers make one."""
    now = runtime.clock.now()

    def unit(tx: Tx) -> Anchor | None:
        made = anchors.of_now(tx, _date(now), now)
        return made if anchors.add(tx, made) else None

    made = await runtime.store.write(KEY, unit)
    if made is not None:
        await asyncio.to_thread(anchor_file.append, file_of(runtime), made.line)
    return made


async def anchored(runtime: Runtime) -> list[Anchor]:
    """The anchors, the newest first."""
    return await runtime.store.read(anchors.listed)


def file_of(runtime: Runtime) -> Path:
    """Where the file of anchors lies."""
    return runtime.settings.data_dir / FILE


def _date(at: Millis) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).date().isoformat()
