"""A person's unit of work in one conversation: its lane, its row, the pause and the audit row that go with it."""

from collections.abc import Callable, Mapping
from typing import TypeVar

from engine.core.errors import NotFound
from engine.core.flow import Millis
from engine.core.permissions import Actor
from engine.runtime import Runtime
from engine.store import audit, contacts, conversations, journal, pauses
from engine.store.connection import Tx
from engine.store.conversations import Conversation
from engine.store.journal import Record

__all__ = ["NOBODY", "audited", "existing", "held", "write"]

T = TypeVar("T")
NOBODY = (None, "phone", "flow")
"""Who may have begun a pause without being an account of the team."""


async def write(runtime: Runtime, conversation_id: object, unit: Callable[[Tx], T]) -> T:
    """In the conversation's own lane, so that it is in order with what the robot does there."""
    return await runtime.store.write(f"conversation:{conversation_id}", unit)


def existing(tx: Tx, conversation_id: int) -> Conversation:
    """The conversation, locked. Raises NotFound."""
    found = conversations.load(tx, conversation_id)
    if found is None:
        raise NotFound("conversation", conversation_id)
    return found


def held(tx: Tx, conversation: Conversation, now: Millis, until: Millis, actor: Actor, how: str) -> None:
    """A person holds the chat: the robot is quiet for the contact, and the log and the audit say so."""
    pauses.begin(tx, conversation.contact_id, now, until, actor.who)
    ends = contacts.row(tx, conversation.contact_id)["paused_until"]  # a longer pause that was on stays
    facts = {"source": "desk", "by": actor.who, "until": ends, "how": how}
    journal.record(tx, now, conversation.about, Record(outcome="human_takeover", facts=facts))
    audited(tx, now, actor, "conversation.pause", str(conversation.id), facts)


def audited(tx: Tx, now: Millis, actor: Actor, what: str, subject: str, facts: Mapping[str, object]) -> None:
    """What the person did, for the audit."""
    audit.append(tx, at=now, who=actor.who, what=what, subject=subject, facts=facts, address=actor.address)
