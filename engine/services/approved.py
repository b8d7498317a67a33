"""What an approved request lets leave: its own messages, byte for byte, and nothing else (R27, R42)."""

from collections.abc import Iterator, Mapping

from engine.core.approval import Bubble, digest_of
from engine.core.canonical import canonical
from engine.core.events import Event, Outcome, Step
from engine.core.flow import APPROVED, REJECTED, Flow
from engine.core.windows import Decision, Verdict
from engine.services.approval_requests import EVENT
from engine.store import approvals
from engine.store.approvals import Approval
from engine.store.connection import Tx
from engine.store.conversations import Conversation
from engine.store.outbox import Row

__all__ = ["DIFFERS", "approved_letters", "decided_by", "judged", "unlike"]

DIFFERS = "not_what_was_approved"
"""Why a letter is suppressed that is not what its request says."""
_STATUS = {APPROVED: approvals.APPROVED, REJECTED: approvals.REJECTED}


def decided_by(tx: Tx, conversation: Conversation, event: Event) -> Approval | None:
    """The request of this conversation that was decided with the event; None for any other event."""
    kind, _, number = event.id.partition(":")
    if kind != EVENT or not number.isdecimal() or event.type not in _STATUS:
        return None
    found = approvals.get(tx, int(number))
    fits = found is not None and found.conversation_id == conversation.id and found.status == _STATUS[event.type]
    return found if fits else None


def judged(tx: Tx, flow: Flow, conversation: Conversation, event: Event, taken: Step) -> tuple[Step, Approval | None]:
    """What the event does, and the request whose messages it sends.

    An event named as a decision that nobody made moves nothing, by whatever way it came; and an approval takes the arrow
    that was approved or none.
    """
    if not flow.decides or taken.event_type not in _STATUS:
        return taken, None
    found = decided_by(tx, conversation, event)
    approves = found is not None and event.type == APPROVED
    another = taken.taken is not None and found is not None and approves and taken.taken.id != found.transition
    if found is None or another:
        still = Step(outcome=Outcome.NO_TRANSITION, snapshot=conversation.snapshot, event_type=event.type)
        return still, None
    return taken, found if approves else None


def approved_letters(approval: Approval, place: int) -> Iterator[tuple[int, int, Mapping[str, object]]]:
    """(number, of how many, payload) of the action at this place of the arrow's list, as they were approved."""
    for bubble in approval.content:
        if bubble.place == place:
            yield bubble.part, bubble.parts, bubble.payload


def unlike(tx: Tx, row: Row) -> Verdict | None:
    """Why a letter must not leave that an approval asked for: it is not what was approved. None for any other letter."""
    if row.approval_id is None:
        return None
    found = approvals.get(tx, row.approval_id)
    if (
        found is not None
        and found.status == approvals.APPROVED
        and found.conversation_id == row.conversation_id
        and digest_of(found.content) == found.sha256
        and any(_same(bubble, row) for bubble in found.content)
    ):
        return None
    return Verdict(Decision.SUPPRESS, DIFFERS)


def _same(bubble: Bubble, row: Row) -> bool:
    return (bubble.action, canonical(bubble.payload)) == (row.action, canonical(row.payload))
