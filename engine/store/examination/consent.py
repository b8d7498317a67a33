"""Who said what about being written to, and what was sent to them."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from engine.core.flow import Millis
from engine.store.connection import Tx

__all__ = [
    "Sent",
    "Word",
    "campaign_letters",
    "campaign_letters_of_nobody",
    "opted_out",
    "people",
    "sent_to_the_opted_out",
    "words",
]


@dataclass(frozen=True, slots=True)
class Word:
    """What the log says that a person said: out, or in again."""

    at: Millis
    out: bool


@dataclass(frozen=True, slots=True)
class Sent:
    """A letter that was sent."""

    id: int
    contact_id: int
    lease_until: Millis
    reason: str | None


def words(tx: Tx) -> Mapping[int, Sequence[Word]]:
    """What each person said, in order, by contact; who said nothing is not there."""
    found = defaultdict[int, list[Word]](list)
    sql = """SELECT contact_id, at, outcome FROM log WHERE outcome IN ('opt_out', 'opt_in') AND contact_id IS NOT NULL
             ORDER BY contact_id, id"""
    for row in tx.rows(sql):
        found[row["contact_id"]].append(Word(row["at"], row["outcome"] == "opt_out"))
    return found


def people(tx: Tx) -> int:
    """How many contacts there are."""
    return int(tx.value("SELECT COUNT(*) FROM contact"))


def opted_out(tx: Tx) -> set[int]:
    """The contacts whose own row says that they are out."""
    return {row["id"] for row in tx.rows("SELECT id FROM contact WHERE opt_out_at IS NOT NULL")}


def sent_to_the_opted_out(tx: Tx, causes: Collection[str]) -> list[Sent]:
    """Automatic letters of these causes to people who were out at any time, but for the one that says so to them."""
    rows = tx.rows(
        """SELECT id, contact_id, lease_until, reason FROM outbox WHERE status = 'sent' AND cause IN :causes
           AND author IS NULL AND NOT confirms_opt_out
           AND contact_id IN (SELECT contact_id FROM log WHERE outcome = 'opt_out') ORDER BY id""",
        causes=list(causes),
    )
    return [Sent(**row) for row in rows]


def campaign_letters(tx: Tx) -> int:
    """How many letters campaigns wrote."""
    return int(tx.value("SELECT COUNT(*) FROM outbox WHERE cause = 'campaign'"))


def campaign_letters_of_nobody(tx: Tx) -> list[int]:
    """Letters of campaigns without a person who was taken for them, and the second of two for one person."""
    rows = tx.rows(
        """SELECT o.id FROM outbox o WHERE o.cause = 'campaign' AND (
             NOT EXISTS (SELECT 1 FROM campaign_member m WHERE m.conversation_id = o.conversation_id
               AND m.status = 'taken' AND o.event_id LIKE 'campaign:' || m.campaign_id || ':%')
             OR EXISTS (SELECT 1 FROM outbox e WHERE e.conversation_id = o.conversation_id AND e.event_id = o.event_id
               AND e.id < o.id AND o.once_key NOT LIKE 'resend:%')) ORDER BY o.id"""
    )
    return [int(row["id"]) for row in rows]
