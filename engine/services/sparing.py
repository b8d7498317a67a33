"""May a letter leave through its channel at this moment: not while the channel is down, nor faster than the number can
bear (R27)? Asked last, when nothing else keeps the letter; computed from the database, so that workers share it.
"""

from engine.adapters.channels.registry import PAIRINGS
from engine.core.flow import DAY, MINUTE, Flow, Millis
from engine.core.interpreter import spread
from engine.core.sparing import PACED, local_day, manners, turn
from engine.core.troubles import OK
from engine.core.windows import Decision, Verdict
from engine.services.channel_health import DOWN
from engine.services.channels import ChannelRecord
from engine.store import sparing
from engine.store.connection import Tx
from engine.store.outbox import Row

__all__ = ["kept_back"]

HOLD = 10 * MINUTE
"""What waits for its channel is looked at again after this, should nobody say that the channel is back."""


def kept_back(tx: Tx, record: ChannelRecord, flow: Flow, row: Row, now: Millis) -> Verdict | None:
    """Why a letter stays for now and until when; None when it leaves. A letter that leaves takes its place in the line."""
    if record.config.kind not in PAIRINGS:
        return None
    if record.state != OK:
        return Verdict(Decision.POSTPONE, DOWN, now + HOLD)
    how = manners(record.config.settings)
    if how is None or row.cause not in sparing.STARTED or row.is_global or row.part > 1 or row.attempt > 0:
        return None
    day = local_day(now, flow.timezone)
    recent = sparing.recent(tx, record.id, row.contact_id, row.event_id, day, now - DAY)
    step = how.gap + spread(str(row.id), PACED, how.jitter)
    # A place that was missed, because the channel was down at that moment, is no place any more.
    has_place = row.reason == PACED and now - row.due_at < step
    verdict = turn(how, recent, now, flow.timezone, has_place=has_place, any_hour=row.cause == "payment")
    places = verdict.decision is Decision.SEND or verdict.reason == PACED
    if places and not has_place:
        met = row.reason == PACED or not recent.stranger
        sparing.take(tx, record.id, max(now, recent.slot_at) + step, day, recent.strangers + (0 if met else 1))
    return None if verdict.decision is Decision.SEND else verdict
