"""The line in which all messages of one number stand, shared by every sender of every process (and by what comes in).

A number's row says when its next place in the line is. A place that was given away is never given again.
"""

from engine.core.flow import Millis
from engine.store.connection import Tx


def arrived_lately(tx: Tx, channel_id: int, since: Millis, most: int) -> int:
    """How many messages came in through a channel after `since`; `most` is as far as it counts."""
    return int(
        tx.value(
            """SELECT COUNT(*) FROM (SELECT channel_id, received_at FROM inbound ORDER BY id DESC LIMIT :most) AS latest
               WHERE channel_id = :channel AND received_at > :since""",
            channel=channel_id,
            since=since,
            most=most,
        )
    )


def place(tx: Tx, channel_id: int, earliest: Millis, step: Millis) -> Millis | None:
    """Take the next place, not before `earliest`; the one after it is `step` later.

    None when another sender is taking one at this very moment. Nobody ever waits here for a lock: who holds other
    rows and waits for this one could hold up somebody who waits for those.
    """
    skip = " FOR NO KEY UPDATE SKIP LOCKED" if tx.dialect == "postgresql" else ""
    found: Millis | None = tx.value(
        f"""UPDATE channel SET pace_at = CASE WHEN pace_at > :earliest THEN pace_at ELSE :earliest END + :step
            WHERE id = (SELECT id FROM channel WHERE id = :id{skip}) RETURNING pace_at""",
        id=channel_id,
        earliest=earliest,
        step=step,
    )
    return None if found is None else int(found) - step


def slow_down(tx: Tx, channel_id: int, until: Millis) -> None:
    """The platform said that we are too fast: no place before `until`, unless another sender is in the way."""
    place(tx, channel_id, until, 0)
