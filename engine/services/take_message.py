"""A lead's message, its edit, its deletion, a reaction: stored once, and waiting for its burst to end (R21, R22)."""

from collections.abc import Sequence

from engine.core.batching import due_at
from engine.core.folding import visible
from engine.core.inbound import Deletion, Edit, Message, Reaction
from engine.services.intake import Arrival, note
from engine.services.placed import Letter, Placed, channel_of, place, place_together
from engine.services.take_file import Attached, files
from engine.store import contacts, conversations, flows, inbox, marks, outbox, sent
from engine.store.connection import Tx
from engine.store.marks import Waits

__all__ = ["Letter", "deletion", "edit", "messages", "reaction"]


def messages(tx: Tx, letters: Sequence[Letter]) -> list[None]:
    """Store the messages and move their conversations' due times; nothing is decided here.

    Those of people whom we know are taken in together, which costs little more than one of them.
    """
    for letter in letters:
        if letter.keep is not None:
            letter.keep(tx)
    first = letters[0].arrival
    together = place_together(tx, first.flows.live_lately(tx, first.now), letters)
    if known := [placed for placed in together if placed is not None]:
        _store(tx, known)
    others = [letter for letter, placed in zip(letters, together, strict=True) if placed is None]
    live = flows.live_numbers(tx) if others else {}
    for letter in others:
        if (placed := place(tx, live, letter)) is not None:
            _store(tx, [placed])
    return [None] * len(letters)


def _store(tx: Tx, placed: Sequence[Placed]) -> None:
    arrived = [_arrived(each) for each in placed]
    waits: dict[int, Waits] = {}
    written = inbox.store(tx, arrived)
    kept = ((n, each) for n, each in zip(written, placed, strict=True) if n is not None)
    files(tx, [Attached(n, each.item, each.arrival.now) for n, each in kept])
    for each, message, stored in zip(placed, arrived, written, strict=True):
        if stored is None:
            note(tx, each.arrival, "duplicate", id=each.item.provider_id)
        elif message.ignored:
            note(
                tx,
                each.arrival,
                "ignored",
                message.ignored,
                contact_id=each.contact_id,
                conversation_id=each.conversation.id,
                id=each.item.provider_id,
            )
        else:
            waits[each.conversation.id] = _waiting(each, waits.get(each.conversation.id))
    marks.note_arrivals(tx, list(waits.values()))


def _arrived(placed: Placed) -> inbox.Arrived:
    too_old = placed.arrival.now - placed.item.at > placed.flow.settings.max_age
    return inbox.Arrived(
        channel_of(placed.arrival),
        placed.conversation.id,
        placed.contact_id,
        placed.item,
        placed.arrival.now,
        placed.arrival.webhook_id,
        _unanswerable(placed.item, too_old),
        str(placed.route),
    )


def _waiting(placed: Placed, before: Waits | None) -> Waits:
    """The batch with this message in it; `before` is the batch with those that came with it."""
    now, current = placed.arrival.now, placed.conversation
    oldest = current.oldest_pending_at if before is None else before.oldest
    oldest = now if oldest is None else oldest
    due = due_at(oldest, now, placed.flow.debounce_in(current.snapshot.state))
    at = placed.item.at if before is None else max(before.at, placed.item.at)
    return Waits(current.id, channel_of(placed.arrival), at, due, oldest, now)


def edit(tx: Tx, arrival: Arrival, item: Edit) -> None:
    """The words of a message changed: what waits is answered as edited, what was answered is only marked."""
    known = inbox.known(tx, channel_of(arrival), item.target_id)
    if known is None:
        if not _ours(tx, arrival, "message_edited", item):
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
    known = inbox.known(tx, channel_of(arrival), item.target_id)
    if known is None:
        if not _ours(tx, arrival, "message_deleted", item):
            note(tx, arrival, "ignored", "deletion_of_unknown_message", id=item.target_id)
        return
    if known["deleted_at"] is not None:
        note(tx, arrival, "duplicate", id=item.target_id)
        return
    inbox.delete(tx, int(known["id"]), arrival.now, item.at)
    conversation_id = int(known["conversation_id"])
    if known["processed_at"] is None:
        # What is left may be over by now: it need not wait for this one, nor for its words (R22, R23).
        waiting = inbox.pending(tx, conversation_id)
        oldest = min((w.received_at for w in waiting), default=None)
        marks.set_due(tx, conversation_id, arrival.now if waiting else None, oldest)
    note(
        tx,
        arrival,
        "message_deleted",
        contact_id=known["contact_id"],
        conversation_id=conversation_id,
        id=item.target_id,
    )


def _ours(tx: Tx, arrival: Arrival, outcome: str, item: Edit | Deletion) -> bool:
    """A message that our own side sent was changed on the phone; False when it is not one of those."""
    row = outbox.by_provider(tx, channel_of(arrival), item.target_id)
    if row is None:
        return False
    text = item.text if isinstance(item, Edit) else None
    if text is not None:
        sent.reword(tx, row.id, {**row.payload, "text": text})
    told = {"outbox": row.id, "id": item.target_id} | ({} if text is None else {"text": text})
    note(tx, arrival, outcome, contact_id=row.contact_id, conversation_id=row.conversation_id, facts=told)
    return True


def reaction(tx: Tx, arrival: Arrival, item: Reaction) -> None:
    """An emoji on a message is kept and never answered."""
    contact_id = contacts.known(tx, item.person)
    about = outbox.by_provider(tx, channel_of(arrival), item.target_id)
    standing = None if contact_id is None else conversations.latest_id(tx, contact_id)
    if contact_id is None or standing is None:
        note(tx, arrival, "ignored", "reaction_without_conversation", id=item.provider_id)
        return
    note(
        tx,
        arrival,
        "ignored",
        "reaction",
        contact_id=contact_id,
        conversation_id=standing if about is None or about.contact_id != contact_id else about.conversation_id,
        id=item.provider_id,
        target=item.target_id,
        emoji=item.emoji,
    )


def _unanswerable(item: Message, too_old: bool) -> str | None:
    if item.kind in ("text", "unknown") and not visible(item.text or "") and not item.media:
        return "empty_message"
    return "too_old" if too_old else None
