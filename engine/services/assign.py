"""A conversation is given to a colleague, or to nobody; who decides sees whose it was."""

from engine.core.errors import NotFound, Refused
from engine.core.permissions import Actor, Permission, may
from engine.runtime import Runtime
from engine.services import accounts
from engine.services.accounts import Account
from engine.services.talk_unit import audited, existing, write
from engine.store import assignments, journal
from engine.store.assignments import Assigned
from engine.store.connection import Tx
from engine.store.journal import Record

__all__ = ["assign", "assigned", "colleagues"]


async def colleagues(runtime: Runtime) -> list[Account]:
    """Everybody to whom a conversation can be given, by name."""
    found = [
        one
        for one in await accounts.everybody(runtime)
        if one.disabled_at is None and not one.invited and may(one.role, Permission.CONVERSE)
    ]
    return sorted(found, key=lambda one: (one.name or one.email).casefold())


async def assigned(runtime: Runtime, conversation_id: int) -> Assigned | None:
    """Whose it is."""
    return await runtime.store.read(lambda tx: assignments.of(tx, conversation_id))


async def assign(runtime: Runtime, conversation_id: int, user_id: int, actor: Actor, *, seen: int) -> None:
    """Give it to the account `user_id`, 0 for nobody. `seen` is whose it was on the person's page.

    Raises NotFound for a colleague who is not one, Refused("assigned_meanwhile") when it is somebody else's by now.
    """
    people = {one.id: one.name or one.email for one in await colleagues(runtime)}
    if user_id and user_id not in people:
        raise NotFound("colleague", user_id)

    def unit(tx: Tx) -> None:
        now = runtime.clock.now()
        conversation, there = existing(tx, conversation_id), assignments.of(tx, conversation_id)
        whose = 0 if there is None else there.user_id
        if whose == user_id:
            return
        if whose != seen:
            raise Refused(
                "assigned_meanwhile", mine=people.get(user_id, ""), theirs="" if there is None else there.name
            )
        if user_id:
            assignments.assign(tx, conversation.id, user_id, actor.who, now)
        else:
            assignments.release(tx, conversation.id)
        facts = {"by": actor.who, "to": people.get(user_id, ""), "was": "" if there is None else there.name}
        journal.record(tx, now, conversation.about, Record(outcome="note", reason="assigned", facts=facts))
        audited(tx, now, actor, "conversation.assign", str(conversation.id), {"to": user_id, "was": whose})

    await write(runtime, conversation_id, unit)
