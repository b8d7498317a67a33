"""What payment platforms were asked and have not answered: for an administrator to see, and to have asked again."""

from dataclasses import dataclass

from engine.core.flow import Millis
from engine.core.permissions import Actor
from engine.runtime import Runtime
from engine.services import sources
from engine.store import audit, inquiries
from engine.store.connection import Tx

MOST = 200


@dataclass(frozen=True, slots=True)
class Unanswered:
    """One inquiry. `next_at` is None when nobody will ask any more; `reason` is why the last attempt did not help."""

    source: str
    platform: str
    notice: str
    since: Millis
    attempts: int
    next_at: Millis | None
    reason: str | None


async def listed(runtime: Runtime) -> list[Unanswered]:
    """The oldest first."""
    rows = await runtime.store.read(lambda tx: inquiries.unsettled(tx, MOST))
    return [
        Unanswered(
            source=row["source"],
            platform=row["platform"],
            notice=row["provider_id"],
            since=row["received_at"],
            attempts=row["attempt"],
            next_at=None if row["outcome"] else row["due_at"],
            reason=row["reason"],
        )
        for row in rows
    ]


async def again(runtime: Runtime, name: str, actor: Actor) -> int:
    """Have everything asked anew that failed for a source; how many. Raises NotFound."""
    source = await sources.by_name(runtime, name)
    now = runtime.clock.now()

    def unit(tx: Tx) -> int:
        count = inquiries.again(tx, source.id, now)
        audit.note(tx, now, actor, "source.asked_again", subject=name, facts={"notices": count})
        return count

    return await runtime.store.write("source", unit)
