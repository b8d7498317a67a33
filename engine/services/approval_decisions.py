"""A person decides about what waits for approval: once, whoever else does the same at that moment (R7, R42, R44).

The decision is an event of the conversation like any other. It is stored and applied in one transaction, after all that
was due before it: a payment that came first has already led elsewhere, and then nothing is left to decide.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from engine.core.approval import Approver, Bubble, digest_of, edited
from engine.core.errors import NotFound, Refused
from engine.core.events import Event
from engine.core.flow import APPROVED, REJECTED, Flow, Millis, Source
from engine.core.folding import sanitise
from engine.core.permissions import Actor
from engine.core.windows import window_open
from engine.runtime import Runtime
from engine.services import approval_requests
from engine.services.advance import advance
from engine.services.approval_requests import EVENT
from engine.services.intake import derived
from engine.services.live_cards import has_window
from engine.store import approvals, audit, channels, contacts, conversations, queue
from engine.store.approvals import Approval
from engine.store.connection import Tx
from engine.store.conversations import Conversation
from engine.store.journal import Record

__all__ = ["CONFLICTS", "REASON_LONGEST", "Decider", "approve", "extend", "reject"]

REASON_LONGEST = 500
CONFLICTS = ("approval_decided", "approval_expired", "approval_changed")
"""Refusals of somebody who saw what is not so any more."""


@dataclass(frozen=True, slots=True)
class Decider:
    """Who decides: for the audit, and for the question whether they may."""

    actor: Actor
    approver: Approver


@dataclass(frozen=True, slots=True)
class _Standing:
    """What waits, where it waits, and when it expires."""

    found: Approval
    conversation: Conversation
    flow: Flow


_Unit = Callable[[Tx, _Standing, Millis], Refused | None]


async def approve(
    runtime: Runtime, approval_id: int, seen: str, who: Decider, texts: Mapping[int, str] | None = None
) -> None:
    """Let the messages leave as they are, or with other `texts` at some places of their list (R27).

    `seen` is the sha256 that the page showed. Raises NotFound, and Refused: approval_not_yours, approval_decided,
    approval_expired, approval_changed, approval_no_arrow, approval_window, approval_opted_out, empty_message,
    message_too_long.
    """

    def unit(tx: Tx, at: _Standing, now: Millis) -> Refused | None:
        if at.found.sha256 != seen:
            return Refused("approval_changed")
        if not at.found.transition:
            return Refused("approval_no_arrow")
        content = edited(at.found.content, texts or {})
        if refusal := _unsendable(tx, at.conversation, content, now):
            return refusal
        if not approvals.release(tx, at.found, content, now, by=who.actor.who):
            return Refused("approval_decided")
        facts = {"sha256": digest_of(content), "edited": content != at.found.content}
        _apply(tx, runtime, at, APPROVED, {}, facts, who.actor, now)
        return None

    await _decided(runtime, approval_id, who, unit)


async def reject(runtime: Runtime, approval_id: int, reason: str, who: Decider) -> None:
    """Send nothing of it. Raises NotFound, and Refused: approval_reason_missing, approval_reason_long, approval_no_arrow, and as above."""
    words = sanitise(reason)[0].strip()
    if not words:
        raise Refused("approval_reason_missing")
    if len(words) > REASON_LONGEST:
        raise Refused("approval_reason_long", longest=REASON_LONGEST)

    def unit(tx: Tx, at: _Standing, now: Millis) -> Refused | None:
        if not at.flow.own_group(at.found.state, REJECTED) and not at.flow.global_group(at.found.state, REJECTED):
            return Refused("approval_no_arrow")
        if not approvals.end(tx, at.found.id, approvals.REJECTED, now, by=who.actor.who, reason=words):
            return Refused("approval_decided")
        _apply(tx, runtime, at, REJECTED, {"reason": words}, {"sha256": at.found.sha256}, who.actor, now)
        return None

    await _decided(runtime, approval_id, who, unit)


async def extend(runtime: Runtime, approval_id: int, who: Decider) -> None:
    """Give it as much time again as the state gives, once. Raises NotFound, and Refused: approval_extended, and as above."""

    def unit(tx: Tx, at: _Standing, now: Millis) -> Refused | None:
        snapshot, ladder = at.conversation.snapshot, at.flow.states[at.found.state].deadline
        if snapshot.deadline_at is None or not ladder or not approvals.extend(tx, at.found.id, who.actor.who):
            return Refused("approval_extended")
        after = replace(snapshot, deadline_at=snapshot.deadline_at + ladder[min(snapshot.rung, len(ladder) - 1)])
        facts = {"approval": at.found.id, "by": who.actor.who, "after": {"deadline_at": after.deadline_at}}
        conversations.save(
            tx,
            at.conversation,
            after,
            now,
            [Record(outcome="note", reason="approval_extended", facts=facts)],
            due_at=at.conversation.due_at,
            oldest_pending_at=at.conversation.oldest_pending_at,
            attention=at.conversation.attention,
        )
        audit.note(
            tx, now, who.actor, "approval.extended", subject=str(at.conversation.id), facts={"approval": at.found.id}
        )
        return None

    await _decided(runtime, approval_id, who, unit)


async def _decided(runtime: Runtime, approval_id: int, who: Decider, unit: _Unit) -> None:
    """Do it in the conversation's own lane. What was due before is applied even when the decision is refused."""
    first = await runtime.store.read(lambda tx: approvals.get(tx, approval_id))
    if first is None:
        raise NotFound("approval", approval_id)
    if not who.approver.may_decide(first.approvers):
        raise Refused("approval_not_yours", approvers=list(first.approvers))

    def whole(tx: Tx) -> Refused | None:
        advance(tx, runtime, first.conversation_id)
        found, now = approvals.get(tx, approval_id), runtime.clock.now()
        conversation = conversations.load(tx, first.conversation_id)
        if found is None or conversation is None:
            raise NotFound("approval", approval_id)
        if found.status != approvals.PENDING:
            return _settled(found)
        flow = runtime.flows.within(tx, conversation.flow, conversation.flow_version)
        asked = approval_requests.asked_for(tx, runtime, flow, conversation, now)
        if asked.transition != found.transition:  # another arrow is true by now, and it would send something else
            approval_requests.sync(tx, runtime, conversation.id, now, "changed")
            return Refused("approval_changed")
        return unit(tx, _Standing(found, conversation, flow), now)

    refusal = await runtime.store.write(f"conversation:{first.conversation_id}", whole)
    if refusal is not None:
        raise refusal


def _settled(found: Approval) -> Refused:
    if found.status == approvals.EXPIRED:
        return Refused("approval_expired")
    facts = {"status": found.status, "by": found.decided_by, "at": found.decided_at, "why": found.reason}
    return Refused("approval_decided", **facts)


def _unsendable(tx: Tx, conversation: Conversation, content: tuple[Bubble, ...], now: Millis) -> Refused | None:
    """Why nothing of it would leave now: who approves is told before, and not by the log afterwards (R28, R75)."""
    if not content:
        return None
    if contacts.row(tx, conversation.contact_id)["opt_out_at"] is not None:
        return Refused("approval_opted_out")
    channel = None if conversation.channel_id is None else channels.TABLE.by_id(tx, conversation.channel_id)
    windowed = channel is not None and has_window(channel.kind)
    beside = {bubble.place for bubble in content if bubble.payload.get("template")}
    if windowed and not window_open(conversation.snapshot.last_inbound_at, now) and {b.place for b in content} - beside:
        return Refused("approval_window")
    return None


def _apply(
    tx: Tx,
    runtime: Runtime,
    at: _Standing,
    kind: str,
    data: Mapping[str, str],
    facts: Mapping[str, object],
    actor: Actor,
    now: Millis,
) -> None:
    """The decision as an event, through the same door as every other (R42), and in the audit log (R44)."""
    told = {"approval": at.found.id, "by": actor.who, **facts}
    event = Event(id=derived(EVENT, at.found.id), type=kind, source=Source.HUMAN, at=now, data=dict(data), facts=told)
    queue.put(tx, event, now, conversation_id=at.conversation.id, contact_id=at.conversation.contact_id)
    advance(tx, runtime, at.conversation.id)
    audit.note(tx, now, actor, f"approval.{kind}", subject=str(at.conversation.id), facts={**told, **data})
