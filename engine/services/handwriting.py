"""A person's own letter into the queue: once a form, and only for the state that the person saw (R25, R74)."""

from collections.abc import Mapping

from engine.core.errors import Refused
from engine.core.events import Event
from engine.core.flow import Source
from engine.core.permissions import Actor
from engine.runtime import Runtime
from engine.services.talk_unit import existing, held
from engine.store import journal, marks, outbox, queue
from engine.store.connection import Tx
from engine.store.journal import Record
from engine.store.outbox import Letter

__all__ = ["queued"]


def queued(
    tx: Tx,
    runtime: Runtime,
    conversation_id: int,
    payload: Mapping[str, object],
    form_token: str,
    actor: Actor,
    *,
    seen: str | None = None,
    as_template: bool = False,
) -> bool:
    """Write the letter and pause the robot; False when this form wrote one already (a double click).

    Raises NotFound, and Refused: talk_followed, state_changed when the conversation is not in the state `seen` any more.
    """
    now = runtime.clock.now()
    conversation = existing(tx, conversation_id)
    if conversation.followed_by is not None:
        raise Refused("talk_followed")
    event = Event(id=f"ui:{form_token}", type="", source=Source.HUMAN, at=now)
    state = conversation.snapshot.state
    if seen is not None and seen != state and not queue.exists(tx, event.id):
        raise Refused("state_changed", was=seen, now=state)
    fresh = queue.put(
        tx, event, now, conversation_id=conversation_id, contact_id=conversation.contact_id, outcome="manual"
    )
    if not fresh:
        journal.record(tx, now, conversation.about, Record(outcome="duplicate", facts={"form": form_token}))
        return False
    letter = Letter(
        action="manual",
        cause="operator",
        state=state,
        payload=payload,
        event_id=event.id,
        author=actor.who,
        as_template=as_template,
    )
    outbox.put(tx, letter, conversation.id, conversation.contact_id, conversation.channel_id, now)
    marks.set_active(tx, conversation.id, now)
    flow = runtime.flows.within(tx, conversation.flow, conversation.flow_version)
    held(tx, conversation, now, now + flow.settings.human_pause, actor, "wrote")
    return True
