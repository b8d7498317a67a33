"""A request for each conversation that stands in an approval state, and none for any other: raised, withdrawn, replaced.

It is written in the transaction that moves the conversation (R7). What would be sent is rendered then, as the arrow on
`approved` would render it at that moment; nothing renders it again before it is sent.
"""

from dataclasses import dataclass, replace

from engine.core.approval import Bubble, digest_of
from engine.core.events import Event, Outcome, Snapshot
from engine.core.flow import APPROVED, Flow, Millis, Send, Source, StateKind
from engine.core.interpreter import environment, step
from engine.runtime import Runtime
from engine.services import contact_values
from engine.services.letters import letters
from engine.services.memory import remembered
from engine.store import approvals, contacts, conversations, journal
from engine.store.approvals import Approval
from engine.store.connection import Tx
from engine.store.conversations import Conversation
from engine.store.journal import Record

__all__ = ["EVENT", "EXPIRED", "Asked", "after_publication", "asked_for", "follow", "stands", "sync", "withdraw"]

EVENT = "approval"
"""The id of a decision's event begins so; the number of its request follows, so that there is one a request."""
EXPIRED = "approval_expired"
"""Why a conversation needs a person whose approval nobody decided in time."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What an approval would do now: the arrow, "" when there is none, and the messages that it would send."""

    transition: str
    content: tuple[Bubble, ...]


def stands(flow: Flow, state: str) -> bool:
    """Whether a conversation in this state waits for a person."""
    known = flow.states.get(state)
    return known is not None and known.kind is StateKind.APPROVAL


def asked_for(tx: Tx, runtime: Runtime, flow: Flow, conversation: Conversation, now: Millis) -> Asked:
    """What an approval would do at this moment."""
    person = contacts.row(tx, conversation.contact_id)
    values = contact_values.values(person)
    event = Event(id=EVENT, type=APPROVED, source=Source.HUMAN, at=now)
    taken = step(flow, conversation.snapshot, event, now, values)
    if taken.outcome is not Outcome.MOVED or taken.taken is None:
        return Asked("", ())
    known = remembered(tx, runtime.flows, runtime.ids, flow, conversation, person, taken.actions, now)
    shown = {**environment(taken.snapshot, event, now, values), **known}
    language, content = str(person["language"] or "pt-BR"), []
    for place, name in enumerate(taken.actions):
        spec = flow.actions[name]
        if isinstance(spec, Send):
            content += [Bubble(place, name, part, of, what) for part, of, what in letters(flow, spec, shown, language)]
    return Asked(taken.taken.id, tuple(content))


def follow(
    tx: Tx,
    runtime: Runtime,
    flow: Flow,
    before: Conversation,
    after: Snapshot,
    event: Event,
    *,
    moved: bool,
    now: Millis,
) -> bool:
    """What an event means for the request of a conversation that it takes from `before` to `after`; True when it expired.

    The clock lets it expire, unless the flow waits on. Anything else that leads elsewhere withdraws it.
    """
    was, waits = stands(flow, before.snapshot.state), stands(flow, after.state)
    if not was and not waits:
        return False
    expires = event.source is Source.CLOCK and was and not (moved and after.state == before.snapshot.state)
    conversation = replace(before, snapshot=after)
    if expires:
        _ended(tx, conversation, approvals.EXPIRED, now, event.type)
    if moved or not was:
        _agree(tx, runtime, flow, conversation, now, event.type)
    return expires


def sync(tx: Tx, runtime: Runtime, conversation_id: int, now: Millis, why: str) -> None:
    """Make request and conversation agree after something other than an event moved it: a publication, a merge."""
    conversation = conversations.load(tx, conversation_id)
    if conversation is not None:
        flow = runtime.flows.within(tx, conversation.flow, conversation.flow_version)
        _agree(tx, runtime, flow, conversation, now, why)


def withdraw(tx: Tx, conversation_id: int, now: Millis, why: str) -> None:
    """Nothing is asked in this conversation any more."""
    conversation = conversations.load(tx, conversation_id)
    if conversation is not None:
        _ended(tx, conversation, approvals.WITHDRAWN, now, why)


def after_publication(tx: Tx, runtime: Runtime, flow: Flow, number: int, now: Millis) -> None:
    """Whoever came to another version, or to another state, is asked about as that version says (R61)."""
    states = [name for name in flow.states if stands(flow, name)]
    came = approvals.standing(tx, flow.slug, number, states)
    for conversation_id in sorted({*approvals.of_flow(tx, flow.slug), *came}):
        sync(tx, runtime, conversation_id, now, "publication")


def _agree(tx: Tx, runtime: Runtime, flow: Flow, conversation: Conversation, now: Millis, why: str) -> None:
    """Withdraw what waits for another state, replace what would by now send something else, raise what is missing."""
    waiting = approvals.pending_of(tx, conversation.id)
    snapshot = conversation.snapshot
    if not stands(flow, snapshot.state) or conversation.followed_by is not None:
        if waiting is not None:
            _ended(tx, conversation, approvals.WITHDRAWN, now, why)
        return
    asked = asked_for(tx, runtime, flow, conversation, now)
    made = Approval(
        conversation_id=conversation.id,
        flow=conversation.flow,
        flow_version=conversation.flow_version,
        state=snapshot.state,
        entered_at=snapshot.entered_at,
        transition=asked.transition,
        content=asked.content,
        sha256=digest_of(asked.content),
        approvers=flow.states[snapshot.state].approvers,
        created_at=now,
    )
    if waiting is not None and (waiting.state, waiting.entered_at) == (made.state, made.entered_at):
        same = ("flow_version", "transition", "sha256", "approvers")
        if all(getattr(waiting, name) == getattr(made, name) for name in same):
            return
        made = replace(made, extended_by=waiting.extended_by)  # the time that was given is given still
    if waiting is not None:
        _ended(tx, conversation, approvals.REPLACED, now, why)
    number = approvals.add(tx, made)
    facts = {"approval": number, "sha256": made.sha256, "messages": len(made.content), "to": "supervisor"}
    entry = Record(outcome="note", reason="approval_asked", frm=snapshot.state, facts=facts)
    journal.record(tx, now, conversation.about, entry)


def _ended(tx: Tx, conversation: Conversation, status: str, now: Millis, why: str) -> None:
    waiting = approvals.pending_of(tx, conversation.id)
    if waiting is None or not approvals.end(tx, waiting.id, status, now, reason=why):
        return
    expired = status == approvals.EXPIRED
    outcome, facts = "alert" if expired else "note", {"approval": waiting.id, "to": "supervisor"}
    entry = Record(outcome=outcome, reason=f"approval_{status}", event=why, frm=waiting.state, facts=facts)
    journal.record(tx, now, conversation.about, entry)
