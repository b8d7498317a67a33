"""Stop every send at once, and let them go on (SEC-S12). Nothing is lost: letters wait, and leave by the usual rules.

The switch is read in the transaction that claims a letter, and again right before the call when that took a while, so an
attempt that has begun is the last one. What only the clock or a campaign wanted to say meanwhile is said once: of several
such letters to one conversation the newest leaves.
"""

from itertools import groupby

from engine.core.flow import Millis
from engine.core.permissions import Actor
from engine.core.windows import Decision, Verdict
from engine.runtime import Runtime
from engine.services.withhold import withhold
from engine.store import audit, outbox
from engine.store.connection import Tx
from engine.store.halt import Halt, halt, halted, lift

__all__ = ["UNASKED", "Halt", "resume", "standing", "stop"]

LONGEST = 300
UNASKED = ("clock", "campaign")
"""What nobody asked for."""
KEY = "emergency"


async def standing(runtime: Runtime) -> Halt | None:
    """The stop that is on."""
    return await runtime.store.read(halted)


async def stop(runtime: Runtime, actor: Actor, reason: str = "") -> Halt:
    """Hold every send from now on; a stop that is on already stays as it is."""

    def unit(tx: Tx) -> Halt:
        if (there := halted(tx)) is not None:
            return there
        made = Halt(runtime.clock.now(), actor.who, " ".join(reason.split())[:LONGEST])
        halt(tx, made)
        audit.note(tx, made.at, actor, "sending.stopped", facts={"reason": made.reason})
        return made

    return await runtime.store.write(KEY, unit)


async def resume(runtime: Runtime, actor: Actor) -> int:
    """Let messages leave again; returns how many were out of date. Nothing happens when nothing is held."""

    def unit(tx: Tx) -> int:
        there, now = halted(tx), runtime.clock.now()
        if there is None:
            return 0
        lift(tx)
        dropped = _out_of_date(tx, now, there.at)
        audit.note(tx, now, actor, "sending.resumed", facts={"dropped": dropped, "held_for": now - there.at})
        return dropped

    return await runtime.store.write(KEY, unit)


def _out_of_date(tx: Tx, now: Millis, since: Millis) -> int:
    dropped = 0
    for _, letters in groupby(outbox.unasked_since(tx, since, UNASKED), key=lambda row: row.conversation_id):
        rows = list(letters)
        for row in rows:
            if row.event_id != rows[-1].event_id:
                withhold(tx, now, row, Verdict(Decision.SUPPRESS, "sending_stopped"))
                dropped += 1
    return dropped
