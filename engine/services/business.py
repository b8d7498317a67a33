"""What the business is called, for the bar of every page: one setting of the installation."""

from engine.core.errors import Refused
from engine.core.folding import sanitise
from engine.core.permissions import Actor
from engine.runtime import Runtime
from engine.store import audit, installation
from engine.store.connection import Tx

__all__ = ["LONGEST", "call", "within"]

NAME = "business"
LONGEST = 60


def within(tx: Tx) -> str:
    """The name, "" where nobody gave one."""
    found = installation.value(tx, NAME)
    return found if isinstance(found, str) else ""


async def call(runtime: Runtime, actor: Actor, name: str) -> None:
    """Call it so from now on, or nothing. Raises Refused("business_name_long")."""
    plain = " ".join(sanitise(name)[0].split())
    if len(plain) > LONGEST:
        raise Refused("business_name_long", longest=LONGEST)

    def unit(tx: Tx) -> None:
        before = within(tx)
        if before == plain:
            return
        installation.set_value(tx, NAME, plain)
        facts = {"before": before, "after": plain}
        audit.note(tx, runtime.clock.now(), actor, "business.named", subject=NAME, facts=facts)

    await runtime.store.write("settings", unit)
