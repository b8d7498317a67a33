"""Giving people tags and taking them away again, one person or several at once."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.core.errors import NotFound, Refused
from engine.core.permissions import Actor
from engine.core.tagging import COLOURS, LONGEST, MOST, cleaned
from engine.runtime import Runtime
from engine.store import audit, contacts, conversations, journal, tags
from engine.store.connection import Tx
from engine.store.journal import Record

__all__ = ["Tagged", "change", "everything", "of"]

LISTED = 200


@dataclass(frozen=True, slots=True)
class Tagged:
    """What one person is called and their tags, with colours."""

    conversation_id: int
    flow: str
    name: str | None
    phone: str | None
    tags: tuple[tuple[str, int], ...]


async def everything(runtime: Runtime) -> tuple[tuple[str, int], ...]:
    """The tags that somebody has, with their colours."""

    def unit(tx: Tx) -> tuple[tuple[str, int], ...]:
        chosen = tags.colours(tx)
        return tuple(tags.painted(name, chosen) for name in tags.in_use(tx, LISTED))

    return await runtime.store.read(unit)


async def of(runtime: Runtime, conversation_ids: Sequence[int]) -> tuple[Tagged, ...]:
    """The people of these conversations. Raises NotFound."""

    def unit(tx: Tx) -> tuple[Tagged, ...]:
        chosen = tags.colours(tx)
        return tuple(_tagged(tx, one, chosen) for one in conversation_ids)

    return await runtime.store.read(unit)


async def change(
    runtime: Runtime,
    conversation_ids: Sequence[int],
    actor: Actor,
    *,
    add: str = "",
    colour: int | None = None,
    remove: str = "",
) -> None:
    """Give the people of these conversations a tag, take one away, or both; what is so already stays so.

    Raises NotFound, Refused("tag_unreadable") and Refused("too_many_tags").
    """
    fresh = cleaned(add)
    if add.strip() and not fresh:
        raise Refused("tag_unreadable", most=LONGEST)

    def unit(tx: Tx) -> None:
        if fresh and colour is not None and 0 <= colour < COLOURS:
            tags.paint(tx, fresh, colour)
        for one in sorted(set(conversation_ids)):  # everybody locks in the same order
            _changed(tx, runtime.clock.now(), one, fresh, remove, actor)

    await runtime.store.write(f"conversation:{conversation_ids[0] if conversation_ids else 0}", unit)


def _tagged(tx: Tx, conversation_id: int, chosen: dict[str, int]) -> Tagged:
    found = conversations.load(tx, conversation_id)
    if found is None:
        raise NotFound("conversation", conversation_id)
    person = contacts.row(tx, found.contact_id)
    return Tagged(conversation_id, found.flow, person["name"], person["phone"], tags.of(person["tags"], chosen))


def _changed(tx: Tx, now: int, conversation_id: int, add: str, remove: str, actor: Actor) -> None:
    found = conversations.load(tx, conversation_id)
    if found is None:
        raise NotFound("conversation", conversation_id)
    contacts.hold(tx, found.contact_id)
    before = [name for name, _ in tags.of(contacts.row(tx, found.contact_id)["tags"], {})]
    after = [name for name in before if name != remove]
    if add and add not in after:
        after.append(add)
    if len(after) > max(MOST, len(before)):
        raise Refused("too_many_tags", most=MOST)
    if after == before:
        return
    contacts.set_tags(tx, found.contact_id, after)
    # Which tag it was is said by the contact alone: the log and the audit keep for good what a person may have erased.
    journal.record(tx, now, found.about, Record(outcome="note", reason="tagged", facts={"by": actor.who}))
    audit.append(tx, at=now, who=actor.who, what="contact.tagged", subject=str(found.contact_id), address=actor.address)
