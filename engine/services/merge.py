"""Two contacts are one person: both histories under one of them, in one transaction, told in both logs (R45, R70)."""

from collections.abc import Mapping

from engine.core.flow import Millis
from engine.core.merging import Candidate, goes_on
from engine.core.permissions import Actor
from engine.runtime import Flows
from engine.services import approval_requests
from engine.store import audit, collisions, conversations, cycles, journal, merging
from engine.store.connection import Tx
from engine.store.conversations import Conversation
from engine.store.journal import About, Record

__all__ = ["BY_PROOF", "merge"]

BY_PROOF = Actor("system")
"""Who merged where the sender's own platform said that two names are one person."""


def merge(
    tx: Tx, flows: Flows, now: Millis, one: int, other: int, actor: Actor, via: str, facts: Mapping[str, object]
) -> int:
    """Make one contact of two; the one that was known first stays, and its id is returned.

    Of each flow in which both have a cycle one goes on (`engine/core/merging.py`); the other is followed by it.
    `via` is what said that they are one, `facts` are told with it in the log. Raises StaleConversation when somebody
    merged one of them meanwhile.
    """
    pair = merging.locked(tx, one, other)
    kept, gone = int(pair.kept["id"]), int(pair.gone["id"])
    theirs = {cycle.flow: cycle for cycle in cycles.current(tx, gone)}
    ours = {cycle.flow: cycle for cycle in cycles.current(tx, kept)}
    came = merging.absorb(tx, pair, now)
    told = {"merged": gone, "via": via, "by": actor.who}
    for conversation_id in came:
        _told(tx, conversation_id, told, now)
    for flow in sorted(ours.keys() & theirs.keys()):
        going, followed = goes_on(_candidate(tx, flows, ours[flow]), _candidate(tx, flows, theirs[flow]))
        merging.hand_over(tx, followed.id, going.id, now)
        approval_requests.withdraw(tx, followed.id, now, "merged")
    about = About(contact_id=kept, conversation_id=conversations.latest_id(tx, kept))
    journal.record(tx, now, about, Record(outcome="identity_linked", reason="merged", facts={**facts, **told}))
    if pair.opts_out:
        journal.record(tx, now, about, Record(outcome="opt_out", reason="merged", facts={"merged": gone}))
    collisions.inherit(tx, kept, gone, actor.who, now)
    audit.note(tx, now, actor, "contact.merged", subject=str(kept), facts={"merged": gone, "via": via})
    return kept


def _told(tx: Tx, conversation_id: int, told: Mapping[str, object], now: Millis) -> None:
    """From here on the chain of a conversation speaks of another contact, and says so."""
    conversation = conversations.load(tx, conversation_id)
    if conversation is None:
        return
    conversations.save(
        tx,
        conversation,
        conversation.snapshot,
        now,
        [Record(outcome="note", reason="merged", facts=told)],
        due_at=conversation.due_at,
        oldest_pending_at=conversation.oldest_pending_at,
        attention=conversation.attention,
    )


def _candidate(tx: Tx, flows: Flows, cycle: Conversation) -> Candidate:
    flow = flows.within(tx, cycle.flow, cycle.flow_version)
    return Candidate(cycle.id, flow.states.get(cycle.snapshot.state), cycle.active_at)
