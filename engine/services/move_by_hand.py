"""A person moves a conversation: with a reason, once a form, and only out of the state that they saw (R25, R26)."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.core.errors import Refused
from engine.core.events import Event, Snapshot
from engine.core.flow import Flow, Millis, Source, StateKind
from engine.core.hand_moves import along, put_into, ways
from engine.core.interpreter import environment
from engine.core.permissions import Actor
from engine.runtime import Runtime
from engine.services import approval_requests, contact_values
from engine.services.giving_back import given_back
from engine.services.memory import remembered
from engine.services.perform import Plan, perform, plans, superseded
from engine.services.talk_unit import audited, existing, write
from engine.store import contacts, conversations, outbox, queue
from engine.store.connection import Tx
from engine.store.conversations import Conversation, moment
from engine.store.journal import Record

__all__ = ["LONGEST", "Move", "move"]

LONGEST = 500
"""Characters of a reason."""
OUTDATED = ("message", "clock", "campaign")
"""What the robot still wanted to say about the old state, and nobody needs any more (R36)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """What a person asks for. `seen` is the state that they saw, `arrow` the arrow whose actions are to be done, "" for
    none. `give_back`: the robot gets the chat, `decisions` says of each held letter whether it is sent.
    """

    to: str
    why: str
    seen: str
    form: str
    arrow: str = ""
    give_back: bool = False
    decisions: Mapping[int, bool] | None = None


async def move(runtime: Runtime, conversation_id: int, asked: Move, actor: Actor) -> bool:
    """Move it; False when this form moved it already (a double click).

    Raises NotFound, and Refused: reason_missing, reason_too_long, state_changed, state_gone, already_there, arrow_gone,
    opted_out (the arrow's actions would write to somebody who wants no messages), held_undecided, talk_followed.
    """
    return await write(runtime, conversation_id, lambda tx: _moved(tx, runtime, conversation_id, asked, actor))


def _moved(tx: Tx, runtime: Runtime, conversation_id: int, asked: Move, actor: Actor) -> bool:
    now, event_id = runtime.clock.now(), f"ui:{asked.form}"
    conversation = existing(tx, conversation_id)
    if queue.exists(tx, event_id):
        return False
    flow = runtime.flows.within(tx, conversation.flow, conversation.flow_version)
    why = _checked(tx, flow, conversation, asked)
    event = Event(id=event_id, type="", source=Source.HUMAN, at=now)
    queue.put(tx, event, now, conversation_id=conversation.id, contact_id=conversation.contact_id, outcome="moved")
    if asked.give_back and contacts.row(tx, conversation.contact_id)["paused_until"] is not None:
        given_back(tx, now, conversation, actor, send_held=None, decisions=asked.decisions)
        conversation = existing(tx, conversation_id)  # the end of a pause moves its deadline
    after, planned = _decided(tx, runtime, flow, conversation, event, asked.arrow, asked.to, now)
    facts: dict[str, object] = {
        "by": actor.who,
        "why": why,
        "arrow": asked.arrow or None,
        "actions": [plan.action for plan in planned],
        "flow_version": conversation.flow_version,
        "after": _delta(flow, conversation.snapshot, after),
    }
    frm = conversation.snapshot.state
    entries = [
        Record(outcome="note", reason="moved_by_person", event_id=event.id, frm=frm, to=after.state, facts=facts),
        *(record for plan in planned for record in plan.records),
    ]
    stops = flow.states[after.state].kind is StateKind.OPTOUT
    if stops:
        contacts.set_opt_out(tx, conversation.contact_id, now)
        entries.append(Record(outcome="opt_out", reason="moved_by_person", event_id=event.id, frm=frm))
    late = outbox.supersede(tx, conversation.id, causes=None if stops else OUTDATED)
    # What a person just released is their word, not the robot's of before.
    entries += superseded(tx, [row for row in late if row.reason != "given_back"], event, stops)
    conversations.save(
        tx,
        conversation,
        after,
        now,
        entries,
        due_at=conversation.due_at,
        oldest_pending_at=conversation.oldest_pending_at,
        replies_in_state=0,
        rearmed=True,
        active=True,
    )
    perform(tx, conversation, planned, now)
    approval_requests.sync(tx, runtime, conversation.id, now, "moved_by_person")
    told = {"from": frm, "to": after.state, "why": why, "arrow": asked.arrow or None}
    audited(tx, now, actor, "conversation.move", str(conversation.id), told)
    return True


def _checked(tx: Tx, flow: Flow, conversation: Conversation, asked: Move) -> str:
    """The reason as it is kept. Raises Refused."""
    why, state = " ".join(asked.why.split()), conversation.snapshot.state
    if conversation.followed_by is not None:
        raise Refused("talk_followed")
    if asked.seen != state:
        raise Refused("state_changed", was=asked.seen, now=state)
    if asked.to not in flow.states:
        raise Refused("state_gone", state=asked.to[:100])
    if asked.to == state:
        raise Refused("already_there", state=state)
    if not why:
        raise Refused("reason_missing")
    if len(why) > LONGEST:
        raise Refused("reason_too_long", longest=LONGEST)
    if asked.arrow:
        if not any(one.id == asked.arrow and one.to == asked.to for one in ways(flow, state)):
            raise Refused("arrow_gone")
        if contacts.row(tx, conversation.contact_id)["opt_out_at"] is not None:
            raise Refused("opted_out")
    return why


def _decided(
    tx: Tx,
    runtime: Runtime,
    flow: Flow,
    conversation: Conversation,
    event: Event,
    arrow: str,
    to: str,
    now: Millis,
) -> tuple[Snapshot, list[Plan]]:
    """Where the conversation stands then, and what is to be done: nothing, unless an arrow's actions are wanted."""
    if not arrow:
        return put_into(flow, conversation.snapshot, to, now, event.id), []
    person = contacts.row(tx, conversation.contact_id)
    values = contact_values.values(person)
    taken = along(flow, conversation.snapshot, flow.arrows[arrow], event, now, values)
    known = remembered(tx, runtime.flows, runtime.ids, flow, conversation, person, taken.actions, now)
    shown = {**environment(taken.snapshot, event, now, values), **known}
    free = {**person, "paused_until": None}  # it is the person who holds the chat that asks for them
    return taken.snapshot, plans(tx, flow, conversation, taken, event, free, shown, now, confirms=False)


def _delta(flow: Flow, was: Snapshot, after: Snapshot) -> dict[str, object]:
    before = moment(was, flow.hidden)
    return {name: value for name, value in moment(after, flow.hidden).items() if value != before[name]}
