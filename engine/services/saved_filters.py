"""A person's own filters of the desk: kept under a name, called up as links, forgotten."""

from engine.core.errors import Refused
from engine.core.folding import sanitise, visible
from engine.runtime import Runtime
from engine.store import saved_filters
from engine.store.connection import Tx
from engine.store.saved_filters import SavedFilter

__all__ = ["MOST", "SavedFilter", "delete", "of", "save"]

MOST, LONGEST = 20, 40


async def of(runtime: Runtime, user_id: int) -> list[SavedFilter]:
    """The filters of one person, the oldest first."""
    return await runtime.store.read(lambda tx: saved_filters.of(tx, user_id))


async def save(runtime: Runtime, user_id: int, name: str, query: str) -> None:
    """Keep a filter under a name, in the place of one that has it. Refused("filter_name") or ("too_many_filters")."""
    named = " ".join(sanitise(name)[0].split())
    if not visible(named) or len(named) > LONGEST:
        raise Refused("filter_name", most=LONGEST)

    def unit(tx: Tx) -> None:
        if saved_filters.count(tx, user_id, named) >= MOST:
            raise Refused("too_many_filters", most=MOST)
        saved_filters.save(tx, user_id, named, query, runtime.clock.now())

    await runtime.store.write(f"user:{user_id}", unit)


async def delete(runtime: Runtime, user_id: int, filter_id: int) -> None:
    """Forget one of the person's own filters; nothing happens when it is gone already."""
    await runtime.store.write(f"user:{user_id}", lambda tx: saved_filters.delete(tx, user_id, filter_id))
