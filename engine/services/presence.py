"""Who else has a draft open right now, and what is selected there; of a person only the name is told."""

from dataclasses import dataclass

from engine.core.flow import SECOND, Millis
from engine.runtime import Runtime
from engine.services import accounts
from engine.store import presence

__all__ = ["LASTS", "Present", "leave", "look", "others"]

LASTS: Millis = 60 * SECOND
"""Whoever was not seen for longer is not there any more."""
LONGEST = 200
"""Characters of a selection that are kept."""


@dataclass(frozen=True, slots=True)
class Present:
    """Somebody else; `sel` is what they have selected (`s:NOVO`, `t:t1`), "" for nothing."""

    name: str
    sel: str


async def look(runtime: Runtime, slug: str, user_id: int, sel: str) -> tuple[Present, ...]:
    """Say that the person has the draft open, and see who else has."""
    now = runtime.clock.now()
    await runtime.store.write(
        f"presence:{slug}",
        lambda tx: presence.seen(tx, flow=slug, user_id=user_id, sel=sel[:LONGEST], at=now, since=now - LASTS),
    )
    return await others(runtime, slug, user_id)


async def others(runtime: Runtime, slug: str, user_id: int) -> tuple[Present, ...]:
    """Who else has it open."""
    since = runtime.clock.now() - LASTS
    there = await runtime.store.read(lambda tx: presence.others(tx, slug, user_id, since))
    if not there:
        return ()
    named = {
        account.id: account.name or account.email.partition("@")[0] for account in await accounts.everybody(runtime)
    }
    return tuple(Present(named[user], sel) for user, sel in there if user in named)


async def leave(runtime: Runtime, slug: str, user_id: int) -> None:
    """The person closed it."""
    await runtime.store.write(f"presence:{slug}", lambda tx: presence.gone(tx, slug, user_id))
