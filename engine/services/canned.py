"""Replies to choose from: kept by the team, filled in with what is known of the person who gets one."""

import re
from collections.abc import Mapping

from engine.core.errors import NotFound, Refused, Stale
from engine.core.events import Event
from engine.core.flow import Millis, Source, Value
from engine.core.interpreter import environment
from engine.core.permissions import Actor
from engine.core.templating import placeholders, render
from engine.runtime import Runtime
from engine.services import contact_values
from engine.store import audit, contacts, conversations, replies
from engine.store.connection import Tx
from engine.store.replies import Reply

__all__ = ["LONGEST", "MOST", "change", "everything", "filled", "remove", "values_within"]

LONGEST, SHORTCUT = 4_096, 32
MOST = 500
_SHORTCUT = re.compile(rf"[^\W_](?:[\w-]{{0,{SHORTCUT - 1}}})")
_BRACES = re.compile(r"\{\{.*?\}\}|\{\{|\}\}", re.DOTALL)
CONTACT = frozenset({"name", "first_name", "phone", "email"})
"""What a reply may say of the person; every other path is a field of the flow."""


async def everything(runtime: Runtime) -> list[Reply]:
    """All of them by shortcut."""
    return await runtime.store.read(replies.everything)


async def change(runtime: Runtime, reply_id: int, shortcut: str, text: str, actor: Actor, *, seen: Millis = 0) -> None:
    """Write one, a new one for 0. `seen` is when the one on the page was written.

    Raises NotFound, Stale, and Refused: shortcut_unusable, shortcut_taken, reply_unusable, reply_gaps, too_many_replies.
    """
    short, words = shortcut.strip().lstrip("/").casefold(), text.strip()
    if _SHORTCUT.fullmatch(short) is None:
        raise Refused("shortcut_unusable", longest=SHORTCUT)
    if not 0 < len(words) <= LONGEST:
        raise Refused("reply_unusable", longest=LONGEST)
    if wrong := _gaps(words):
        raise Refused("reply_gaps", gaps=wrong)

    def unit(tx: Tx) -> None:
        now = runtime.clock.now()
        known = {one.id: one for one in replies.everything(tx)}
        if any(one.shortcut == short and one.id != reply_id for one in known.values()):
            raise Refused("shortcut_taken", shortcut=short)
        if reply_id == 0:
            if len(known) >= MOST:
                raise Refused("too_many_replies", most=MOST)
            replies.put(tx, short, words, actor.who, now)
        elif (there := known.get(reply_id)) is None:
            raise NotFound("reply", reply_id)
        elif not replies.change(tx, reply_id, short, words, actor.who, max(now, there.at + 1), seen=seen):
            raise Stale("reply", words, there.text)
        audit.note(tx, now, actor, "reply.changed", subject=short)

    await runtime.store.write("replies", unit)


async def remove(runtime: Runtime, reply_id: int, actor: Actor) -> None:
    """Forget one. Raises NotFound."""

    def unit(tx: Tx) -> None:
        there = replies.get(tx, reply_id)
        if there is None:
            raise NotFound("reply", reply_id)
        replies.remove(tx, reply_id)
        audit.note(tx, runtime.clock.now(), actor, "reply.removed", subject=there.shortcut)

    await runtime.store.write("replies", unit)


async def filled(runtime: Runtime, conversation_id: int, reply_id: int) -> str:
    """A reply as this person would get it; what nobody knows, and what is sensitive, leaves its default behind.

    Raises NotFound.
    """

    def unit(tx: Tx) -> str:
        reply, conversation = replies.get(tx, reply_id), conversations.load(tx, conversation_id, lock=False)
        if reply is None or conversation is None:
            raise NotFound("reply", reply_id)
        flow = runtime.flows.within(tx, conversation.flow, conversation.flow_version)
        return render(flow, reply.text, values_within(tx, runtime, conversation.id)).strip()

    return await runtime.store.read(unit)


def values_within(tx: Tx, runtime: Runtime, conversation_id: int) -> Mapping[str, Value]:
    """What texts may say in a conversation, by their paths, without the fields that nobody of the team sees."""
    conversation = conversations.load(tx, conversation_id, lock=False)
    if conversation is None:
        raise NotFound("conversation", conversation_id)
    now, flow = runtime.clock.now(), runtime.flows.within(tx, conversation.flow, conversation.flow_version)
    event = Event(id="", type="", source=Source.HUMAN, at=now)
    person = contact_values.values(contacts.row(tx, conversation.contact_id))
    known = environment(conversation.snapshot, event, now, person)
    return {path: value for path, value in known.items() if path not in flow.hidden}


def _gaps(text: str) -> list[str]:
    """What stands in braces and is no gap, or asks for something of the person that nobody knows."""
    wrong = []
    for found in _BRACES.findall(text):
        paths = placeholders(found)
        of_contact = [path.partition(".")[2] for path in paths if path.startswith("contact.")]
        if (
            not paths
            or not CONTACT.issuperset(of_contact)
            or any("." in p and not p.startswith("contact.") for p in paths)
        ):
            wrong.append(found[:60])
    return wrong
