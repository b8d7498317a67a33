"""Rows that have waited too long: for a reader, for their time, for whoever claimed them."""

from engine.core.flow import Millis
from engine.store.connection import Tx
from engine.store.examination.rows import Place, places

__all__ = ["leased_too_long", "never_to_be_read", "overdue"]


def never_to_be_read(tx: Tx) -> list[Place]:
    """Messages that wait in a conversation that nothing will read."""
    return places(
        tx,
        "inbound",
        """SELECT i.id FROM inbound i JOIN conversation c ON c.id = i.conversation_id
           WHERE i.processed_at IS NULL AND c.due_at IS NULL""",
    )


def overdue(tx: Tx, before: Millis) -> list[Place]:
    """What was due before an instant and still is. What waits behind a letter on the wire or postponed is not."""
    return [
        *places(
            tx,
            "conversation",
            """SELECT c.id FROM conversation c JOIN contact p ON p.id = c.contact_id WHERE c.due_at < :before
               OR (c.deadline_at < :before AND c.due_at IS NULL AND p.paused_until IS NULL)""",
            before=before,
        ),
        *places(tx, "contact", "SELECT id FROM contact WHERE paused_until < :before", before=before),
        *places(
            tx,
            "event",
            "SELECT id FROM event WHERE processed_at IS NULL AND (due_at < :before OR conversation_id IS NULL)",
            before=before,
        ),
        *places(tx, "inquiry", "SELECT id FROM inquiry WHERE outcome IS NULL AND due_at < :before", before=before),
        *places(
            tx,
            "outbox",
            """SELECT o.id FROM outbox o WHERE o.status = 'pending' AND o.due_at < :before AND NOT EXISTS (
                 SELECT 1 FROM outbox e WHERE e.conversation_id = o.conversation_id AND e.id < o.id
                 AND (e.status IN ('sending', 'uncertain') OR (e.status = 'pending' AND e.due_at >= :before)))""",
            before=before,
        ),
        *places(tx, "media", "SELECT inbound_id AS id FROM media WHERE due_at < :before", before=before),
    ]


def leased_too_long(tx: Tx, before: Millis, latest: Millis) -> list[Place]:
    """Letters on the wire whose lease ended before an instant, and conversations leased until after `latest`."""
    return [
        *places(
            tx,
            "outbox",
            "SELECT id FROM outbox WHERE status IN ('sending', 'uncertain') AND lease_until < :before",
            before=before,
        ),
        *places(
            tx,
            "conversation",
            "SELECT id FROM conversation WHERE lease_until > :latest OR send_lease_until > :latest",
            latest=latest,
        ),
    ]
