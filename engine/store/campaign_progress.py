"""What became of a campaign's people: waiting, left out and why, and how far each letter came."""

from dataclasses import dataclass, field

from engine.core.flow import SECOND, Millis
from engine.store import outbox
from engine.store.connection import Tx

LETTERS = """campaign_member m JOIN outbox o ON o.conversation_id = m.conversation_id
 AND o.event_id = 'campaign:' || m.campaign_id || ':' || m.contact_id"""


@dataclass(frozen=True, slots=True)
class Progress:
    """People, each counted once for every step that their letter reached."""

    waiting: int = 0
    taken: int = 0
    sent: int = 0
    delivered: int = 0
    read: int = 0
    failed: int = 0
    not_sent: int = 0
    held: int = 0
    answered: int = 0
    left_out: dict[str, int] = field(default_factory=dict)


def progress(tx: Tx, campaign_id: int) -> Progress:
    """Of one campaign, as of now."""
    people = tx.rows(
        "SELECT status, reason, COUNT(*) AS n FROM campaign_member WHERE campaign_id = :id GROUP BY status, reason",
        id=campaign_id,
    )
    letters = tx.one(
        f"""SELECT COUNT(DISTINCT CASE WHEN o.status = 'sent' THEN m.contact_id END) AS sent,
              COUNT(DISTINCT CASE WHEN o.delivery IN ('delivered', 'read', 'played') THEN m.contact_id END) AS delivered,
              COUNT(DISTINCT CASE WHEN o.delivery IN ('read', 'played') THEN m.contact_id END) AS read_,
              COUNT(DISTINCT CASE WHEN o.status IN ('failed', 'review') THEN m.contact_id END) AS failed,
              COUNT(DISTINCT CASE WHEN o.status IN ('suppressed', 'cancelled') THEN m.contact_id END) AS not_sent,
              COUNT(DISTINCT CASE WHEN o.status = 'held' THEN m.contact_id END) AS held
            FROM {LETTERS} WHERE m.campaign_id = :id""",
        id=campaign_id,
    )
    answered = tx.value(
        f"""SELECT COUNT(DISTINCT m.contact_id) FROM {LETTERS} JOIN inbound i ON i.contact_id = m.contact_id
            AND i.at > o.sent_at - :second WHERE m.campaign_id = :id""",
        id=campaign_id,
        second=SECOND,  # platforms tell whole seconds
    )
    of = {status: sum(row["n"] for row in people if row["status"] == status) for status in ("waiting", "taken")}
    found = letters or {}
    return Progress(
        waiting=of["waiting"],
        taken=of["taken"],
        sent=int(found["sent"]),
        delivered=int(found["delivered"]),
        read=int(found["read_"]),
        failed=int(found["failed"]),
        not_sent=int(found["not_sent"]),
        held=int(found["held"]),
        answered=int(answered),
        left_out={str(row["reason"]): int(row["n"]) for row in people if row["status"] == "left_out"},
    )


def lately(tx: Tx, campaign_id: int, since: Millis, most: int = 50) -> tuple[int, int]:
    """(sent, failed) of the latest people who were taken after `since` and whose letters are settled."""
    rows = tx.rows(
        f"""SELECT o.status FROM {LETTERS} WHERE m.campaign_id = :id AND m.taken_at > :since
            AND o.status IN ('sent', 'failed') ORDER BY m.taken_at DESC, o.id DESC LIMIT :most""",
        id=campaign_id,
        since=since,
        most=most,
    )
    failed = sum(row["status"] == "failed" for row in rows)
    return len(rows) - failed, failed


def unsettled(tx: Tx, campaign_id: int) -> bool:
    """Whether a letter of a campaign has still to leave."""
    return (
        tx.value(
            f"""SELECT 1 FROM {LETTERS} WHERE m.campaign_id = :id AND o.status IN ('pending', 'sending', 'held') LIMIT 1""",
            id=campaign_id,
        )
        is not None
    )


def held(tx: Tx, campaign_id: int, reason: str) -> list[outbox.Row]:
    """Letters of a campaign that wait for it to go on."""
    return outbox.select(
        tx,
        "status = 'held' AND reason = :reason AND event_id LIKE :prefix ORDER BY id",
        reason=reason,
        prefix=f"campaign:{campaign_id}:%",
    )
