"""How much there is of everything that an examination looks at."""

from dataclasses import dataclass

from engine.store.connection import Tx

__all__ = ["Totals", "totals"]

_TOTALS = """
SELECT (SELECT COUNT(*) FROM conversation) AS conversations,
 (SELECT COUNT(*) FROM event) AS events,
 (SELECT COUNT(*) FROM inbound) AS messages,
 (SELECT COUNT(*) FROM inbound WHERE processed_at IS NULL) AS unread,
 (SELECT COUNT(*) FROM outbox WHERE once_key IS NOT NULL) AS once_keys,
 (SELECT COUNT(*) FROM outbox WHERE status = 'pending') AS pending,
 (SELECT COUNT(*) FROM outbox WHERE status IN ('sending', 'uncertain')) AS on_the_wire,
 (SELECT COUNT(*) FROM outbox WHERE status = 'sent') AS sent,
 (SELECT COUNT(*) FROM media) AS files
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """Numbers of rows. `unread` are messages that wait; `once_keys` to `sent` are letters."""

    conversations: int
    events: int
    messages: int
    unread: int
    once_keys: int
    pending: int
    on_the_wire: int
    sent: int
    files: int


def totals(tx: Tx) -> Totals:
    """Count everything."""
    [row] = tx.rows(_TOTALS)
    return Totals(**row)
