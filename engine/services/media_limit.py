"""How large a lead's file may be: one setting of the installation (SEC-S20)."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.adapters.media import DEFAULT_LIMIT
from engine.core.errors import Refused
from engine.core.permissions import Actor
from engine.runtime import Runtime
from engine.store import audit, installation, media_counts
from engine.store.connection import Tx

__all__ = ["Report", "limit_within", "set_limit", "show"]

NAME = "media_limit"
LARGEST = 100 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Report:
    """The limit in bytes, the files by state, and the bytes that are kept."""

    limit: int
    files: Mapping[str, int]
    bytes: int


def limit_within(tx: Tx) -> int:
    """Bytes that a file may have."""
    found = installation.value(tx, NAME)
    return found if isinstance(found, int) else DEFAULT_LIMIT


async def set_limit(runtime: Runtime, actor: Actor, limit: int) -> None:
    """From now on. Raises Refused("media_limit_unusable")."""
    if not 1 <= limit <= LARGEST:
        raise Refused("media_limit_unusable", most=LARGEST // 1024 // 1024)

    def unit(tx: Tx) -> None:
        installation.set_value(tx, NAME, limit)
        audit.note(tx, runtime.clock.now(), actor, "media.limit", subject=NAME, facts={"bytes": limit})

    await runtime.store.write("settings", unit)


async def show(runtime: Runtime) -> Report:
    """The limit, and what there is."""
    return await runtime.store.read(lambda tx: Report(limit_within(tx), *media_counts.files(tx)))
