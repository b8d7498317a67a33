"""A person is erased, for good and everywhere (LGPD, art. 18; SEC-S24).

What stays tells of nobody: that a conversation was in which state when, and the hashes that say that nobody changed that.
Whoever asked for no more messages is remembered by a keyed digest of their names, so that a list that is imported later,
or a notice of a payment, does not begin to write to them again (R73).
"""

import asyncio
from dataclasses import dataclass

from engine.core.errors import NotFound
from engine.core.permissions import Actor
from engine.runtime import Runtime
from engine.store import audit, contacts, erasing, erasures, journal
from engine.store.connection import Tx
from engine.store.journal import About, Record

__all__ = ["Erased", "Held", "erase", "held", "once_more", "resist"]

SYSTEM = Actor("system")
WHY = "erased_before"
"""Why somebody who came back takes no messages: they had asked for none before they were erased."""


@dataclass(frozen=True, slots=True)
class Held:
    """What is held of a person: rows by table; `name` and `phone` as they are called."""

    contact_id: int
    name: str | None
    phone: str | None
    opted_out: bool
    rows: dict[str, int]


@dataclass(frozen=True, slots=True)
class Erased:
    """What was taken out, in rows by table; `remembered`: the wish for no more messages goes on."""

    contact_id: int
    rows: dict[str, int]
    remembered: bool


async def held(runtime: Runtime, contact_id: int) -> Held:
    """What erasing would take. Raises NotFound."""

    def unit(tx: Tx) -> Held:
        people = _people(tx, contact_id, lock=False)
        row = contacts.row(tx, contact_id)
        rows = erasing.counts(tx, people, erasing.talks(tx, people, lock=False))
        return Held(contact_id, row["name"], row["phone"], row["opt_out_at"] is not None, rows)

    return await runtime.store.read(unit)


async def erase(runtime: Runtime, contact_id: int, actor: Actor) -> Erased:
    """Erase a contact and all that were merged into it. Raises NotFound, also for one that was erased already."""
    now = runtime.clock.now()

    def unit(tx: Tx) -> Erased:
        people = _people(tx, contact_id)
        remembered = contacts.row(tx, contact_id)["opt_out_at"] is not None
        if remembered:
            erasures.keep(tx, runtime.vault.marks, erasing.names(tx, people), now)
        rows = erasing.erase(tx, people, erasing.talks(tx, people), now)
        audit.note(tx, now, actor, "contact.erased", subject=str(contact_id), facts={"contacts": people, "rows": rows})
        return Erased(contact_id, rows, remembered)

    erased = await runtime.store.write(f"contact:{contact_id}", unit)
    await asyncio.to_thread(erasing.emptied, runtime.settings.database_url)
    return erased


async def once_more(runtime: Runtime) -> int:
    """Erase what came in of erased people while they were erased; how many people it was. Part of every day."""
    now = runtime.clock.now()

    def unit(tx: Tx) -> int:
        found = erasing.left_behind(tx)
        for contact_id in found:
            rows = erasing.erase(tx, [contact_id], erasing.talks(tx, [contact_id]), now)
            audit.note(tx, now, SYSTEM, "contact.erased", subject=str(contact_id), facts={"again": True, "rows": rows})
        return len(found)

    return await runtime.store.write("erasing", unit)


def resist(tx: Tx, marks: erasures.Marks, contact_id: int, about: About, now: int) -> bool:
    """A contact that is new: if somebody of that name asked for no more messages and was erased, they still want none.

    Their own opt-in ends it, as ever. True when it was so.
    """
    if not erasures.any_kept(tx) or not erasures.remembered(tx, marks, erasing.names(tx, [contact_id])):
        return False
    contacts.set_opt_out(tx, contact_id, now)
    journal.record(tx, now, about, Record(outcome="opt_out", reason=WHY))
    return True


def _people(tx: Tx, contact_id: int, *, lock: bool = True) -> list[int]:
    people = erasing.everybody(tx, contact_id, lock=lock)
    if not people:
        raise NotFound("contact", contact_id)
    return people
