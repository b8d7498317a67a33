"""Find what is due: several times a second, by index, claimed with a lease, handed on in groups (R12, R22, R30).

The sweep sends nothing and decides nothing. What a queue forgets is found again when the lease is over.
"""

from dataclasses import dataclass, field, replace

from engine.core.flow import MINUTE, SECOND, Millis
from engine.runtime import Runtime
from engine.services import campaign_sweep, holding
from engine.services.channel_health import AGAIN
from engine.services.inquire import when_unknown
from engine.services.recognise import recognised
from engine.services.settle import unclaimed_echoes
from engine.services.telling import alarm, say
from engine.store import due, media, outbox, pauses, schedules
from engine.store.channels import kind_of
from engine.store.connection import Tx
from engine.store.halt import halted

LEASE = 5 * SECOND
FETCH_LEASE = 30 * SECOND
"""Longer than asking a payment platform may take."""
PUBLISH_LEASE = 120 * SECOND
"""Longer than the rules of a large flow take to be proved."""
GROUP = 25
MOST = 500
MOST_MEDIA = 16
"""Files that are handed out by one sweep."""
PAUSE = 30 * MINUTE


@dataclass(frozen=True, slots=True)
class Work:
    """Groups of conversation ids: to advance, to deliver; of inquiries that are to be made; files of messages, by the
    message's id, one by one: each may take long; channels to look at, all together; and publications whose hour has come.
    """

    advance: list[list[int]]
    deliver: list[list[int]]
    fetch: list[list[int]] = field(default_factory=list)
    media: list[list[int]] = field(default_factory=list)
    look: list[list[int]] = field(default_factory=list)
    publish: list[list[int]] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.advance or self.deliver or self.fetch or self.media or self.look or self.publish)


async def tick(runtime: Runtime) -> Work:
    """Claim what is due now. Cheap when nothing is: one read."""
    now = runtime.clock.now()
    if not await runtime.store.read(lambda tx: due.anything(tx, now)):
        return Work([], [])
    await campaign_sweep.run(runtime, now)
    return await runtime.store.write("sweep", lambda tx: claim(tx, now))


def claim(tx: Tx, now: Millis) -> Work:
    """End pauses that are over, settle what flew too long, and lease the conversations that have something to do."""
    for contact_id, ended in pauses.over(tx, now):
        if pauses.end(tx, contact_id, ended, now):
            _left_held(tx, now, contact_id)
    holding.try_again(tx, now)
    for row in due.lost(tx, now):
        _lost(tx, now, row)
    return Work(
        _groups(due.to_advance(tx, now, now + LEASE, MOST)),
        _groups(due.to_deliver(tx, now, now + LEASE, MOST)) if halted(tx) is None else [],
        _groups(due.to_fetch(tx, now, now + FETCH_LEASE, MOST)),
        [[inbound_id] for inbound_id in media.lease(tx, now, now + LEASE, MOST_MEDIA)],
        _groups(due.to_look_at(tx, now, now + AGAIN)),
        [[schedule_id] for schedule_id in schedules.lease(tx, now, now + PUBLISH_LEASE)],
    )


def _left_held(tx: Tx, now: Millis, contact_id: int) -> None:
    """A pause ended by itself: what it held back waits for a person, who is told so (R36)."""
    for row in {row.conversation_id: row for row in outbox.withheld(tx, contact_id)}.values():
        alarm(tx, now, row, "held")


def _lost(tx: Tx, now: Millis, row: outbox.Row) -> None:
    """A sender died in the middle of a call, or the time to wait for evidence is over: nobody knows if it left.

    The wait is the same in both cases; after it a person decides, and nothing is sent again by itself (R27).
    """
    if row.status == "sending":
        ask_at, wait = when_unknown(kind_of(tx, row.channel_id), now), now + 2 * MINUTE
        if outbox.settle(
            tx, row.id, "uncertain", attempt=row.attempt, ask_at=ask_at, reason="sender_lost", lease_until=wait
        ):
            say(tx, now, row, "uncertain", "sender_lost")
            recognised(tx, now, replace(row, status="uncertain"), PAUSE)
        return
    if not outbox.settle(tx, row.id, "review", was="uncertain", reason=row.reason or "unknown_outcome"):
        return
    alarm(tx, now, row, "send_unknown")
    unclaimed_echoes(tx, now, row, PAUSE)


def _groups(ids: list[int]) -> list[list[int]]:
    return [ids[i : i + GROUP] for i in range(0, len(ids), GROUP)]
