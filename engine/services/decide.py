"""One event, one decision, one write: state, deadline, log and what is to be sent, together (R25)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from engine.core.events import Event, Outcome, Step
from engine.core.flow import Flow, Millis, Send, Source, Value
from engine.core.interpreter import environment, step
from engine.runtime import Runtime
from engine.services import approval_requests, contact_values
from engine.services.approved import judged
from engine.services.loop_guard import LOOP, stopped
from engine.services.memory import remembered
from engine.services.perform import Plan, perform, plans, superseded
from engine.store import contacts, conversations, outbox
from engine.store.connection import Tx
from engine.store.conversations import Conversation, moment
from engine.store.journal import Record
from engine.store.splits import SPLIT


@dataclass(frozen=True, slots=True)
class Decided:
    """What became of the event (R29)."""

    outcome: str
    reason: str | None
    step: Step


def decide(
    tx: Tx,
    runtime: Runtime,
    flow: Flow,
    conversation: Conversation,
    event: Event,
    now: Millis,
    *,
    opts_out: bool = False,
    said: str = "",
) -> Decided:
    """Judge the event by the table and write all that follows. `opts_out`: the lead asked to stop (R75); `said` are
    the lead's words.
    """
    person = contacts.row(tx, conversation.contact_id)
    values = contact_values.values(person)
    taken = _spent(step(flow, conversation.snapshot, event, now, values), event)
    taken, approval = judged(tx, flow, conversation, event, taken)
    stops = opts_out or taken.opts_out
    replies, entry = (0, None) if stops else _replies(tx, flow, conversation, event, taken, said, now)
    if taken.outcome is Outcome.MOVED:
        known = remembered(tx, runtime.flows, runtime.ids, flow, conversation, person, taken.actions, now)
        shown = {**environment(taken.snapshot, event, now, values), **known}
        planned = plans(
            tx,
            flow,
            conversation,
            taken,
            event,
            person,
            shown,
            now,
            confirms=stops,
            unanswered=replies is None,
            approval=approval,
        )
        entries = [_moved(flow, conversation, event, taken, planned, values)]
    else:
        planned = []
        entries = [_still(conversation, event, taken)]
    if stops:
        contacts.set_opt_out(tx, conversation.contact_id, now)
        entries.append(Record(outcome="opt_out", event_id=event.id, event=event.type, frm=conversation.snapshot.state))
    entries += ([entry] if entry else []) + [record for plan in planned for record in plan.records]
    if taken.outcome is Outcome.MOVED or stops:
        entries += superseded(tx, _outdated(tx, conversation, event, stops), event, stops)
    moved = taken.outcome is Outcome.MOVED
    expired = approval_requests.follow(tx, runtime, flow, conversation, taken.snapshot, event, moved=moved, now=now)
    _save(tx, conversation, event, taken, replies, entries, now, expired=expired)
    perform(tx, conversation, planned, now)
    if taken.outcome is Outcome.MOVED:
        return Decided("moved", None, taken)
    return Decided(entries[0].outcome, entries[0].reason, taken)


def _spent(taken: Step, event: Event) -> Step:
    """A deadline that fired is over, unless the arrow armed another one."""
    if event.source is not Source.CLOCK or (taken.taken is not None and not taken.taken.keep_deadline):
        return taken
    return replace(taken, snapshot=replace(taken.snapshot, deadline_at=None))


def _replies(
    tx: Tx, flow: Flow, conversation: Conversation, event: Event, taken: Step, said: str, now: Millis
) -> tuple[int | None, Record | None]:
    """How many messages answer the event; None when none may, because of a robot on the other side (R32). The record
    says so the first time.
    """
    sends = sum(isinstance(flow.actions[name], Send) for name in taken.actions)
    if not sends or event.source not in (Source.MESSAGE, Source.CLOCK):
        return 0, None
    if conversation.attention == LOOP:
        return None, None
    if event.source is Source.CLOCK:
        return 0, None
    facts = stopped(tx, flow, conversation, said, sends, now)
    if facts is None:
        return sends, None
    told = {**facts, "to": "supervisor"}
    return None, Record(outcome="alert", reason=LOOP, event_id=event.id, event=event.type, facts=told)


def _save(
    tx: Tx,
    conversation: Conversation,
    event: Event,
    taken: Step,
    replies: int | None,
    entries: list[Record],
    now: Millis,
    *,
    expired: bool,
) -> None:
    """A batch event takes what waited; any other event leaves it waiting."""
    waits = event.source is not Source.MESSAGE
    leaves = taken.snapshot.state != conversation.snapshot.state
    attention = conversation.attention if replies is not None else LOOP
    if taken.outcome is Outcome.AMBIGUOUS and attention != LOOP:
        attention = "two_transitions"
    elif expired and attention != LOOP:
        attention = approval_requests.EXPIRED
    conversations.save(
        tx,
        conversation,
        taken.snapshot,
        now,
        entries,
        due_at=conversation.due_at if waits else None,
        oldest_pending_at=conversation.oldest_pending_at if waits else None,
        attention=attention,
        replies_in_state=0 if leaves or replies is None else conversation.replies_in_state + replies,
        rearmed=taken.taken is not None and not taken.taken.keep_deadline,
        active=taken.outcome is Outcome.MOVED,
    )


def _moved(
    flow: Flow,
    conversation: Conversation,
    event: Event,
    taken: Step,
    planned: list[Plan],
    contact: Mapping[str, Value],
) -> Record:
    before, after = moment(conversation.snapshot, flow.hidden), moment(taken.snapshot, flow.hidden)
    delta = {name: value for name, value in after.items() if value != before[name]}
    facts: dict[str, object] = {
        **_common(event, taken),
        "transition": taken.taken.id if taken.taken else None,
        "flow_version": conversation.flow_version,
        "actions": [plan.action for plan in planned],
        # Arrivals move it without a row of their own, so it is always said (R46).
        "after": {**delta, "last_inbound_at": after["last_inbound_at"]},
    }
    if taken.event_type != event.type:
        facts["as"] = taken.event_type
    branch = flow.branches.get(taken.taken.id) if taken.taken else None
    if branch is not None:
        facts["split"] = {
            "variant": branch.letter,
            "share": branch.arrow.share,
            "point": branch.point(flow.slug, contact),
        }
    return Record(
        outcome="transition",
        reason=SPLIT if branch is not None else None,
        event_id=event.id,
        event=event.type,
        frm=conversation.snapshot.state,
        to=taken.snapshot.state,
        facts=facts,
    )


def _still(conversation: Conversation, event: Event, taken: Step) -> Record:
    """Nothing moves: say why."""
    facts = _common(event, taken)
    outcome, reason = "no_transition", None
    if taken.outcome is Outcome.AMBIGUOUS:
        outcome, reason = "alert", "two_transitions"
        facts |= {"candidates": list(taken.candidates), "to": "supervisor"}
    elif taken.outcome is Outcome.IGNORED:
        outcome, reason = "ignored", "by_flow"
    # Arrivals move it without a row of their own, so it is always said (R46).
    facts["after"] = {"last_inbound_at": taken.snapshot.last_inbound_at} | (
        {"deadline_at": None} if event.source is Source.CLOCK else {}
    )
    return Record(
        outcome=outcome,
        reason=reason,
        event_id=event.id,
        event=event.type,
        frm=conversation.snapshot.state,
        facts=facts,
    )


def _common(event: Event, taken: Step) -> dict[str, object]:
    undefined = {"undefined": list(taken.undefined)} if taken.undefined else {}
    return {**event.facts, "source": event.source.value, **undefined}


def _outdated(tx: Tx, conversation: Conversation, event: Event, stops: bool) -> list[outbox.Row]:
    """What waits to be sent and this event makes wrong (R36): a payment and a goodbye end every pitch, the lead's
    own word ends what only the clock wanted to say.
    """
    if stops or event.source is Source.PAYMENT:
        return outbox.supersede(tx, conversation.id)
    return outbox.supersede(tx, conversation.id, causes=("clock", "campaign")) if event.source is Source.MESSAGE else []
