"""A lead's message, its edit, its deletion, a reaction: stored once, and waiting for its burst to end (R21, R22)."""

from engine.core.batching import due_at
from engine.core.flow import Flow
from engine.core.folding import visible
from engine.core.inbound import Deletion, Edit, Message, Reaction
from engine.services.intake import Arrival, cycle, note, whose
from engine.store import acquaintance, contacts, conversations, inbox, marks, outbox
from engine.store.connection import Tx
from engine.store.conversations import Conversation


def message(tx: Tx, arrival: Arrival, item: Message) -> None:
    """Store the message and move its conversation's due time; nothing is decided here."""
    channel_id = _channel(arrival)
    standing = _standing(tx, arrival, item, channel_id)
    if standing is None:
        return
    contact_id, conversation, flow = standing
    ignored = _unanswerable(item, arrival.now - item.at > flow.settings.max_age)
    stored = inbox.store(
        tx,
        channel_id,
        conversation.id,
        contact_id,
        item,
        arrival.now,
        webhook_id=arrival.webhook_id,
        ignored=ignored,
    )
    if stored is None:
        note(tx, arrival, "duplicate", id=item.provider_id)
        return
    if ignored:
        about = {"id": item.provider_id}
        note(
            tx,
            arrival,
            "ignored",
            ignored,
            contact_id=contact_id,
            conversation_id=conversation.id,
            facts=about,
        )
        return
    oldest = arrival.now if conversation.oldest_pending_at is None else conversation.oldest_pending_at
    due = due_at(oldest, arrival.now, flow.debounce_in(conversation.snapshot.state))
    marks.note_arrival(tx, conversation, channel_id, item.at, due, oldest)


def _standing(tx: Tx, arrival: Arrival, item: Message, channel_id: int) -> tuple[int, Conversation, Flow] | None:
    """Who wrote and in which conversation; None when that cannot be told, which is recorded."""
    if (known := acquaintance.met(tx, item.person, arrival.flow)) is not None:
        current = known.conversation
        return known.contact_id, current, arrival.flows.within(tx, current.flow, current.flow_version)
    quoted = outbox.by_provider(tx, channel_id, item.reply_to) if item.reply_to else None
    found = whose(
        tx,
        arrival,
        item.person,
        known=None if quoted is None else quoted.contact_id,
        via=None if quoted is None else f"quoted message id {item.reply_to}",
    )
    if found is None:
        note(tx, arrival, "orphan", "no_sender", id=item.provider_id)
        return None
    opened = cycle(tx, arrival, found)
    if opened is None:
        note(tx, arrival, "ignored", "no_live_flow", contact_id=found.contact_id, id=item.provider_id)
        return None
    return found.contact_id, *opened


def edit(tx: Tx, arrival: Arrival, item: Edit) -> None:
    """The words of a message changed: what waits is answered as edited, what was answered is only marked."""
    known = inbox.known(tx, _channel(arrival), item.target_id)
    if known is None:
        note(tx, arrival, "ignored", "edit_of_unknown_message", id=item.target_id)
        return
    inbox.edit(tx, int(known["id"]), item.text, item.at)
    late = {"after_processing": True} if known["processed_at"] is not None else {}
    marks.set_touched(tx, int(known["conversation_id"]))
    note(
        tx,
        arrival,
        "message_edited",
        contact_id=known["contact_id"],
        conversation_id=known["conversation_id"],
        id=item.target_id,
        text=item.text,
        facts=late,
    )


def deletion(tx: Tx, arrival: Arrival, item: Deletion) -> None:
    """A message was taken back: if it still waits it is not answered."""
    known = inbox.known(tx, _channel(arrival), item.target_id)
    if known is None:
        note(tx, arrival, "ignored", "deletion_of_unknown_message", id=item.target_id)
        return
    if known["deleted_at"] is not None:
        note(tx, arrival, "duplicate", id=item.target_id)
        return
    inbox.delete(tx, int(known["id"]), arrival.now, item.at)
    conversation_id = int(known["conversation_id"])
    waiting = inbox.pending(tx, conversation_id)
    if not waiting and known["processed_at"] is None:
        marks.set_due(tx, conversation_id, None, None)
    note(
        tx,
        arrival,
        "message_deleted",
        contact_id=known["contact_id"],
        conversation_id=conversation_id,
        id=item.target_id,
    )


def reaction(tx: Tx, arrival: Arrival, item: Reaction) -> None:
    """An emoji on a message is kept and never answered."""
    contact_id = contacts.known(tx, item.person)
    standing = None if contact_id is None else conversations.newest(tx, contact_id, arrival.flow)
    if contact_id is None or standing is None:
        note(tx, arrival, "ignored", "reaction_without_conversation", id=item.provider_id)
        return
    note(
        tx,
        arrival,
        "ignored",
        "reaction",
        contact_id=contact_id,
        conversation_id=standing.id,
        id=item.provider_id,
        target=item.target_id,
        emoji=item.emoji,
    )


def _unanswerable(item: Message, too_old: bool) -> str | None:
    if item.kind in ("text", "unknown") and not visible(item.text or "") and not item.media:
        return "empty_message"
    return "too_old" if too_old else None


def _channel(arrival: Arrival) -> int:
    if arrival.channel_id is None:
        raise LookupError("a message without a channel")
    return arrival.channel_id
