"""What single questions to the database find: doubles, outcomes, evidence, what is overdue or lost (I2, I3, I13, I27)."""

import hashlib

from engine.core.flow import MINUTE, Millis
from engine.services.doctor_ledger import Ledger
from engine.store.connection import Tx

__all__ = ["check_tables"]

PATIENCE = MINUTE
LONGEST_LEASE = 15 * MINUTE
"""No worker claims anything for longer; a lease beyond it comes from a clock that was wrong."""

TOTALS = {
    "stored-once": "SELECT (SELECT COUNT(*) FROM inbound) + (SELECT COUNT(*) FROM event)",
    "one-outcome": "SELECT (SELECT COUNT(*) FROM inbound) + (SELECT COUNT(*) FROM event)",
    "once-keys": "SELECT COUNT(*) FROM outbox WHERE once_key IS NOT NULL",
    "evidence": "SELECT COUNT(*) FROM outbox WHERE status = 'sent'",
    "unread": "SELECT COUNT(*) FROM inbound WHERE processed_at IS NULL",
    "overdue": "SELECT (SELECT COUNT(*) FROM conversation) + (SELECT COUNT(*) FROM outbox WHERE status = 'pending')",
    "leases": "SELECT COUNT(*) FROM outbox WHERE status IN ('sending', 'uncertain')",
}
QUESTIONS = (
    ("stored-once", "inbound", "SELECT MAX(id) FROM inbound GROUP BY channel_id, provider_id HAVING COUNT(*) > 1"),
    ("stored-once", "event", "SELECT id FROM event GROUP BY id HAVING COUNT(*) > 1"),
    (
        "stored-once",
        "event",
        "SELECT MAX(id) FROM event WHERE business_key IS NOT NULL GROUP BY business_key HAVING COUNT(*) > 1",
    ),
    (
        "one-outcome",
        "inbound",
        """SELECT id FROM inbound WHERE (processed_at IS NULL AND outcome IS NOT NULL)
           OR (processed_at IS NOT NULL AND outcome IS NULL) OR (outcome = 'batched' AND event_id IS NULL)
           OR (outcome <> 'batched' AND event_id IS NOT NULL)""",
    ),
    (
        "one-outcome",
        "event",
        """SELECT id FROM event WHERE (processed_at IS NULL AND outcome IS NOT NULL) OR outcome = 'taken'
           OR (processed_at IS NOT NULL AND outcome IS NULL)""",
    ),
    (
        "once-keys",
        "outbox",
        "SELECT MAX(id) FROM outbox WHERE once_key IS NOT NULL GROUP BY conversation_id, once_key HAVING COUNT(*) > 1",
    ),
    (
        "evidence",
        "outbox",
        """SELECT o.id FROM outbox o WHERE o.status = 'sent' AND (o.sent_at IS NULL OR (o.provider_id IS NULL
           AND o.delivery IS NULL AND COALESCE(o.reason, '') <> 'said_by_person'
           AND NOT EXISTS (SELECT 1 FROM evidence e WHERE e.settled_by = o.id)))""",
    ),
    ("belongs", "inbound", "SELECT r.id FROM inbound r WHERE NOT EXISTS {whose}"),
    ("belongs", "outbox", "SELECT r.id FROM outbox r WHERE NOT EXISTS {whose}"),
    ("belongs", "event", "SELECT r.id FROM event r WHERE r.conversation_id IS NOT NULL AND NOT EXISTS {whose}"),
    ("belongs", "log", "SELECT r.id FROM log r WHERE r.n IS NOT NULL AND NOT EXISTS {whose}"),
    (
        "belongs",
        "conversation",
        "SELECT c.id FROM conversation c WHERE NOT EXISTS (SELECT 1 FROM contact p WHERE p.id = c.contact_id)",
    ),
    (
        "unread",
        "inbound",
        """SELECT i.id FROM inbound i JOIN conversation c ON c.id = i.conversation_id
           WHERE i.processed_at IS NULL AND c.due_at IS NULL""",
    ),
    (
        "overdue",
        "conversation",
        """SELECT c.id FROM conversation c JOIN contact p ON p.id = c.contact_id WHERE c.due_at < :before
           OR (c.deadline_at < :before AND c.due_at IS NULL AND p.paused_until IS NULL)""",
    ),
    ("overdue", "contact", "SELECT id FROM contact WHERE paused_until < :before"),
    (
        "overdue",
        "event",
        "SELECT id FROM event WHERE processed_at IS NULL AND (due_at < :before OR conversation_id IS NULL)",
    ),
    (
        "overdue",
        "outbox",
        """SELECT o.id FROM outbox o WHERE o.status = 'pending' AND o.due_at < :before AND NOT EXISTS (
             SELECT 1 FROM outbox e WHERE e.conversation_id = o.conversation_id AND e.id < o.id
             AND (e.status IN ('sending', 'uncertain') OR (e.status = 'pending' AND e.due_at >= :before)))""",
    ),
    ("leases", "outbox", "SELECT id FROM outbox WHERE status IN ('sending', 'uncertain') AND lease_until < :before"),
    (
        "leases",
        "conversation",
        "SELECT id FROM conversation WHERE lease_until > :latest OR send_lease_until > :latest",
    ),
)
WHOSE = "(SELECT 1 FROM conversation c WHERE c.id = r.conversation_id)"


def check_tables(ledger: Ledger, tx: Tx, now: Millis) -> None:
    """Ask every question. What waits behind a letter on the wire or postponed is not overdue itself."""
    for invariant, sql in TOTALS.items():
        ledger.saw(invariant, int(tx.value(sql)))
    times = {"before": now - PATIENCE, "latest": now + LONGEST_LEASE}
    for invariant, table, sql in QUESTIONS:
        asked = sql.replace("{whose}", WHOSE)
        given = {name: value for name, value in times.items() if f":{name}" in asked}
        for row in tx.rows(asked, **given):
            ledger.broken(invariant, f"{table} {next(iter(row.values()))}")
    _versions(ledger, tx)


def _versions(ledger: Ledger, tx: Tx) -> None:
    """A version's document has the hash that was taken of it, and what is live exists (R60)."""
    for key in tx.rows("SELECT slug, number, sha256 FROM flow_version ORDER BY slug, number"):
        ledger.saw("versions")
        slug, number = key["slug"], key["number"]
        text = tx.value(
            "SELECT document FROM flow_version WHERE slug = :slug AND number = :number", slug=slug, number=number
        )
        if hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest() != key["sha256"]:
            ledger.broken("versions", f"flow {slug}@{number}")
    sql = """SELECT slug, live FROM flow f WHERE live IS NOT NULL
             AND NOT EXISTS (SELECT 1 FROM flow_version v WHERE v.slug = f.slug AND v.number = f.live)"""
    for row in tx.rows(sql):
        ledger.broken("versions", f"flow {row['slug']}@{row['live']}")
