"""Notes of the team in a conversation: for colleagues' eyes, never sent."""

from engine.core.errors import Refused
from engine.core.permissions import Actor
from engine.runtime import Runtime
from engine.services.talk_unit import audited, existing, write
from engine.store import journal, talk_notes
from engine.store.connection import Tx
from engine.store.journal import Record

__all__ = ["LONGEST", "note"]

LONGEST = 4_096


async def note(runtime: Runtime, conversation_id: int, text: str, form_token: str, actor: Actor) -> bool:
    """Write a note down; False when this form did so already. The log says that there is one, not what it says.

    Raises NotFound, and Refused: empty_note, talk_note_long.
    """
    words = text.strip()
    if not words:
        raise Refused("empty_note")
    if len(words) > LONGEST:
        raise Refused("talk_note_long", longest=LONGEST)

    def unit(tx: Tx) -> bool:
        now = runtime.clock.now()
        conversation = existing(tx, conversation_id)
        written = talk_notes.put(tx, conversation.id, now, actor.who, words, form_token)
        if written is None:
            return False
        facts = {"by": actor.who, "note": written}
        journal.record(tx, now, conversation.about, Record(outcome="note", reason="noted", facts=facts))
        audited(tx, now, actor, "conversation.note", str(conversation.id), {"note": written})
        return True

    return await write(runtime, conversation_id, unit)
