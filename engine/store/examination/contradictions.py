"""Rows that contradict another, or themselves: doubles, outcomes, evidence, and whom a row belongs to."""

from engine.store.connection import Tx
from engine.store.examination.rows import Place, places

__all__ = [
    "at_odds_with_outcome",
    "logged_for_nobody",
    "once_keys_used_twice",
    "sent_without_evidence",
    "stored_twice",
    "two_in_one_place",
    "with_nobody",
]

_WHOSE = "(SELECT 1 FROM conversation c WHERE c.id = r.conversation_id)"
_SOMEBODY = "SELECT 1 FROM contact p WHERE p.merged_into IS NULL AND p.id ="
_LOGGED_FOR_NOBODY = f"FROM log r WHERE r.n IS NOT NULL AND NOT EXISTS {_WHOSE}"


def stored_twice(tx: Tx) -> list[Place]:
    """Messages with one provider id, events with one id or one business key: the last of each."""
    return [
        *places(
            tx,
            "inbound",
            "SELECT MAX(id) AS id FROM inbound GROUP BY channel_id, provider_id HAVING COUNT(*) > 1",
        ),
        *places(tx, "event", "SELECT id FROM event GROUP BY id HAVING COUNT(*) > 1"),
        *places(
            tx,
            "event",
            """SELECT MAX(id) AS id FROM event WHERE business_key IS NOT NULL GROUP BY business_key
               HAVING COUNT(*) > 1""",
        ),
    ]


def once_keys_used_twice(tx: Tx) -> list[Place]:
    """The last letter of each once-key that several letters of a conversation have."""
    return places(
        tx,
        "outbox",
        """SELECT MAX(id) AS id FROM outbox WHERE once_key IS NOT NULL GROUP BY conversation_id, once_key
           HAVING COUNT(*) > 1""",
    )


def at_odds_with_outcome(tx: Tx) -> list[Place]:
    """Messages and events that were taken without an outcome, or have one that they cannot have."""
    return [
        *places(
            tx,
            "inbound",
            """SELECT id FROM inbound WHERE (processed_at IS NULL AND outcome IS NOT NULL)
               OR (processed_at IS NOT NULL AND outcome IS NULL) OR (outcome = 'batched' AND event_id IS NULL)
               OR (outcome <> 'batched' AND event_id IS NOT NULL)""",
        ),
        *places(
            tx,
            "event",
            """SELECT id FROM event WHERE (processed_at IS NULL AND outcome IS NOT NULL) OR outcome = 'taken'
               OR (processed_at IS NOT NULL AND outcome IS NULL)""",
        ),
    ]


def sent_without_evidence(tx: Tx) -> list[Place]:
    """Letters that count as sent with no time, or with no word from the platform or a person that they were."""
    return places(
        tx,
        "outbox",
        """SELECT o.id FROM outbox o WHERE o.status = 'sent' AND (o.sent_at IS NULL OR (o.provider_id IS NULL
           AND o.delivery IS NULL AND COALESCE(o.reason, '') <> 'said_by_person'
           AND NOT EXISTS (SELECT 1 FROM evidence e WHERE e.settled_by = o.id)))""",
    )


def with_nobody(tx: Tx) -> list[Place]:
    """Rows whose conversation is gone, conversations whose person is, and people who became another and still have a name."""
    return [
        *places(tx, "inbound", f"SELECT r.id FROM inbound r WHERE NOT EXISTS {_WHOSE}"),
        *places(tx, "outbox", f"SELECT r.id FROM outbox r WHERE NOT EXISTS {_WHOSE}"),
        *places(tx, "event", f"SELECT r.id FROM event r WHERE r.conversation_id IS NOT NULL AND NOT EXISTS {_WHOSE}"),
        *places(
            tx,
            "media",
            """SELECT m.inbound_id AS id FROM media m WHERE NOT EXISTS (
                 SELECT 1 FROM inbound i WHERE i.id = m.inbound_id)""",
        ),
        *places(tx, "log", f"SELECT r.id {_LOGGED_FOR_NOBODY}"),
        *places(
            tx,
            "conversation",
            f"SELECT c.id FROM conversation c WHERE NOT EXISTS ({_SOMEBODY} c.contact_id)",
        ),
        *places(
            tx,
            "contact",
            f"""SELECT o.id FROM contact o WHERE o.merged_into IS NOT NULL AND (NOT EXISTS ({_SOMEBODY} o.merged_into)
               OR EXISTS (SELECT 1 FROM identity i WHERE i.contact_id = o.id))""",
        ),
    ]


def two_in_one_place(tx: Tx) -> list[Place]:
    """Cycles of one person and flow that are current at once, and those followed by none that is current."""
    return [
        *places(
            tx,
            "conversation",
            """SELECT MAX(id) AS id FROM conversation WHERE followed_by IS NULL
               GROUP BY contact_id, flow HAVING COUNT(*) > 1""",
        ),
        *places(
            tx,
            "conversation",
            # An erased person's talks are followed by themselves: nobody goes on there.
            """SELECT c.id FROM conversation c WHERE c.followed_by IS NOT NULL AND NOT EXISTS (
                 SELECT 1 FROM contact e WHERE e.id = c.contact_id AND e.erased_at IS NOT NULL
                 AND c.followed_by = c.id) AND NOT EXISTS (
                 SELECT 1 FROM conversation n WHERE n.id = c.followed_by AND n.contact_id = c.contact_id
                 AND n.flow = c.flow AND n.followed_by IS NULL)""",
        ),
    ]


def logged_for_nobody(tx: Tx) -> int | None:
    """The first row of a chain whose conversation is gone."""
    found = tx.value(f"SELECT MIN(r.id) {_LOGGED_FOR_NOBODY}")
    return None if found is None else int(found)
