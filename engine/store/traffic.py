"""What goes through the channels: when something last came and left, what waits, who was turned away without proof.

The newest rows alone are looked at: an index by channel would cost every message something, and a page of settings is
opened seldom.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from engine.core.flow import Millis
from engine.store.connection import Tx

__all__ = ["RECENT", "Refusal", "last_in", "last_out", "refusals", "waiting"]

RECENT = 10_000
"""How many of the newest messages, and of the newest letters, are looked at."""
_REFUSALS = 500


@dataclass(frozen=True, slots=True)
class Refusal:
    """A sender without proof at the door of a channel or of a payment source, with those that were only counted."""

    at: Millis
    reason: str
    channel_id: int | None
    source_id: int | None
    times: int


def last_in(tx: Tx) -> dict[int, Millis]:
    """When the last message of each channel arrived; a channel without recent ones is missing."""
    rows = tx.rows(
        """SELECT channel_id, MAX(received_at) AS at FROM inbound
           WHERE id > (SELECT COALESCE(MAX(id), 0) FROM inbound) - :recent GROUP BY channel_id""",
        recent=RECENT,
    )
    return {int(row["channel_id"]): int(row["at"]) for row in rows}


def last_out(tx: Tx) -> dict[int, Millis]:
    """When the last letter left by each channel; a channel without recent ones is missing."""
    rows = tx.rows(
        """SELECT channel_id, MAX(sent_at) AS at FROM outbox
           WHERE id > (SELECT COALESCE(MAX(id), 0) FROM outbox) - :recent AND channel_id IS NOT NULL
             AND sent_at IS NOT NULL GROUP BY channel_id""",
        recent=RECENT,
    )
    return {int(row["channel_id"]): int(row["at"]) for row in rows}


def waiting(tx: Tx, now: Millis) -> dict[int, int]:
    """How many letters of each channel are due and have not left."""
    rows = tx.rows(
        """SELECT channel_id, COUNT(*) AS letters FROM outbox
           WHERE status = 'pending' AND due_at <= :now AND channel_id IS NOT NULL GROUP BY channel_id""",
        now=now,
    )
    return {int(row["channel_id"]): int(row["letters"]) for row in rows}


def refusals(tx: Tx, since: Millis) -> list[Refusal]:
    """Who was turned away for want of proof, the newest first. The log has a few rows a minute and a count."""
    rows = tx.rows(
        """SELECT at, reason, facts FROM log WHERE outcome = 'rejected' AND at >= :since
           ORDER BY at DESC, id DESC LIMIT :most""",
        since=since,
        most=_REFUSALS,
    )
    return [_refusal(row) for row in rows if row["reason"] != "malformed"]


def _refusal(row: Mapping[str, object]) -> Refusal:
    facts: dict[str, int] = json.loads(str(row["facts"]))
    return Refusal(
        at=int(str(row["at"])),
        reason=str(row["reason"]),
        channel_id=facts.get("channel"),
        source_id=facts.get("source"),
        times=1 + facts.get("unrecorded", 0),
    )
