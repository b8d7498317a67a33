"""Send: claim a letter in one short transaction, call the channel in none, settle in another (R27).

In order within a conversation, one on the wire at a time. A letter whose outcome is unknown is never sent again by
itself: it waits for evidence, then for a person.
"""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, replace

from engine.adapters.channels.protocol import ChannelConfig, Outgoing, SendResult
from engine.adapters.channels.registry import CHANNELS
from engine.core.flow import MINUTE, SECOND, Millis
from engine.core.troubles import OK
from engine.core.windows import Decision, Verdict, window_open
from engine.runtime import Runtime
from engine.services import holding, inquire, pacing, setbacks
from engine.services.approved import unlike
from engine.services.channel_health import DOWN, heard, stopped
from engine.services.channels import ChannelRecord, record_within
from engine.services.emergency import UNASKED
from engine.services.inquire import when_taken, when_unknown
from engine.services.outgoing import outgoing
from engine.services.own_files import with_file
from engine.services.permit import permit
from engine.services.recognise import recognised
from engine.services.settle import accepted, unclaimed_echoes
from engine.services.sparing import HOLD, kept_back
from engine.services.telling import alarm, say
from engine.services.withhold import withhold
from engine.store import bubbles, contacts, conversations, marks, outbox
from engine.store.connection import Tx
from engine.store.halt import halted
from engine.store.outbox import Row

LEASE = 30 * SECOND
"""Longer than a call may take; after it the outcome counts as unknown."""
START_WITHIN = 10 * SECOND
"""A sender that slept longer than this after its claim must not post: somebody else may have decided."""
LOOK_AGAIN = SECOND // 2
"""After that long since its claim it is asked again whether everything is stopped."""
GRACE = 2 * MINUTE
ATTEMPTS = 5
UNREACHED = 14
"""Attempts while the platform cannot be reached at all, a minute apart in the end: about ten minutes."""
AT_ONCE = 25
AFTER_MEDIUM = 10 * SECOND
LEAVES = (Decision.SEND, Decision.TEMPLATE)
PAUSE = 30 * MINUTE


@dataclass(frozen=True, slots=True)
class Claimed:
    """A letter on its way: everything that the call needs. `watched`: its success may end what holds others back."""

    row: Row
    config: ChannelConfig
    message: Outgoing
    claimed_at: Millis
    pause: Millis
    watched: bool = False


async def run(runtime: Runtime, conversation_ids: Iterable[int]) -> None:
    """Send what is due for these conversations: each in its own order, several at a time, so that a slow answer to
    one person keeps nobody else waiting.
    """
    gate = asyncio.Semaphore(AT_ONCE)
    await asyncio.gather(*(_all(runtime, conversation_id, gate) for conversation_id in conversation_ids))


async def _all(runtime: Runtime, conversation_id: int, gate: asyncio.Semaphore) -> None:
    async with gate:
        await inquire.run(runtime, conversation_id)
        while await _one(runtime, conversation_id):
            pass


async def _one(runtime: Runtime, conversation_id: int) -> bool:
    """Send the next letter; False when there is none that may go now."""
    key = f"conversation:{conversation_id}"
    claimed = await runtime.store.write(key, lambda tx: claim(tx, runtime, conversation_id))
    if claimed is None:
        return False
    message = await with_file(runtime, claimed.message)
    slept = runtime.clock.now() - claimed.claimed_at
    if slept > START_WITHIN or (slept > LOOK_AGAIN and await runtime.store.read(halted) is not None):
        await runtime.store.write(key, lambda tx: _release(tx, claimed))
        return True
    channel = CHANNELS[claimed.config.kind]
    result = await channel.send(runtime.http, claimed.config, message)
    await runtime.store.write(key, lambda tx: settle(tx, runtime.clock.now(), claimed, result))
    return True


def claim(tx: Tx, runtime: Runtime, conversation_id: int) -> Claimed | None:
    """The first letter that may go now, marked as on the wire; letters that must not go are settled on the way."""
    now, conversation = runtime.clock.now(), conversations.load(tx, conversation_id)
    if conversation is None or halted(tx) is not None:
        return None
    flow = runtime.flows.within(tx, conversation.flow, conversation.flow_version)
    later: set[tuple[str | None, str]] = set()
    for waiting in outbox.waiting(tx, conversation_id):
        row = replace(waiting, contact_id=conversation.contact_id)  # since a try, the person may have been merged
        if row.status != "pending" or (row.due_at > now and row.attempt > 0):
            break
        if row.part > 1 and (row.event_id, row.action) in later:
            continue  # its first part has not left, and what comes after both may overtake them
        if row.due_at > now:
            if row.part > 1:
                break
            later.add((row.event_id, row.action))
            continue
        if (row.cause in UNASKED or row.approval_id is not None) and conversation.due_at is not None:
            # The lead has written and nobody has read it: what does not answer that waits for it.
            outbox.settle(tx, row.id, "pending", due_at=max(conversation.due_at, now + 1))
            continue
        record = None if row.channel_id is None else record_within(tx, runtime.vault, row.channel_id)
        if record is None:
            withhold(tx, now, row, Verdict(Decision.SUPPRESS, "no_channel"))
            continue
        person = contacts.row(tx, conversation.contact_id)
        has_window = CHANNELS[record.config.kind].capabilities.window
        verdict = unlike(tx, row) or permit(flow, conversation, row, person, now, has_window=has_window)
        as_template = row.as_template or verdict.decision is Decision.TEMPLATE
        watched = as_template or record.state != OK
        if watched and verdict.decision in LEAVES:
            verdict = holding.verdict(tx, now, row, as_template=as_template) or verdict
        if verdict.decision in LEAVES:
            verdict = kept_back(tx, record, flow, row, now) or verdict
        if verdict.decision not in LEAVES:
            withhold(tx, now, row, verdict)
            if verdict.decision is Decision.POSTPONE:
                later.add((row.event_id, row.action))
            continue
        if not _has_place(tx, now, row, record):
            break
        if not outbox.claim(tx, row, now, now + LEASE, conversation.contact_id, as_template=as_template):
            continue
        fresh = outbox.get(tx, row.id)
        if fresh is None:
            return None
        message = outgoing(tx, fresh)
        return Claimed(fresh, record.config, message, now, flow.settings.human_pause, watched)
    marks.sent_all(tx, conversation_id)
    return None


def _has_place(tx: Tx, now: Millis, row: Row, record: ChannelRecord) -> bool:
    """Whether the platform would take one more message now; if not, the letter waits for its place in the line."""
    if not CHANNELS[record.config.kind].capabilities.paced:
        return True
    free_at = pacing.person_free_at(tx, record.config, row, now)
    if free_at > now:
        outbox.settle(tx, row.id, "pending", due_at=free_at, reason="pair_rate")
        say(tx, now, row, "postponed", "pair_rate", until=free_at)
        return False
    place = pacing.place(tx, record.config, row, now)
    if place is not None and place > now:
        reason = pacing.PLACED_AGAIN if row.reason == pacing.PLACED else pacing.PLACED
        outbox.settle(tx, row.id, "pending", due_at=place, reason=reason)
        if place > now + SECOND:
            say(tx, now, row, "postponed", "throughput", until=place)
    return place is not None and place <= now


def settle(tx: Tx, now: Millis, claimed: Claimed, result: SendResult) -> None:
    """Give the attempt its result; a later attempt's row is left alone (fence)."""
    row = claimed.row
    if result.outcome == "accepted":
        _accepted(tx, now, claimed, result)
    elif (state := stopped(claimed.config.kind, result, given_up=row.attempt >= UNREACHED)) is not None:
        _stays(tx, now, claimed, state)
    elif result.outcome == "refused":
        setbacks.answered(tx, now, row, result, window_open=_window_open(tx, row, now))
    elif result.outcome == "retry":
        _retry(tx, now, claimed, result)
    else:
        _unknown(tx, now, claimed, result.detail)
    if result.outcome in ("refused", "retry"):
        unclaimed_echoes(tx, now, row, claimed.pause)


def _accepted(tx: Tx, now: Millis, claimed: Claimed, result: SendResult) -> None:
    row = claimed.row
    if outbox.settle(
        tx,
        row.id,
        "sent",
        attempt=row.attempt,
        ask_at=when_taken(claimed.config.kind, now),
        provider_id=result.provider_id,
        sent_at=now,
        reason=None,
    ):
        after = {"after": "delivered or 10 s"} if bubbles.follows_medium(tx, row) else {}
        say(tx, now, row, "sent", part=row.part, parts=row.parts, key=row.key, template=row.as_template, **after)
        if row.part < row.parts and row.payload.get("media"):
            bubbles.hold_next_part(tx, row, now + AFTER_MEDIUM)
    if claimed.watched:
        holding.got_through(tx, now, row)
    accepted(tx, now, row, result.provider_id, claimed.pause)


def _stays(tx: Tx, now: Millis, claimed: Claimed, state: str) -> None:
    """Nothing is wrong with the letter: its channel is down, and it waits for it."""
    row = claimed.row
    if outbox.settle(tx, row.id, "pending", attempt=row.attempt, due_at=now + HOLD, reason=DOWN):
        say(tx, now, row, "postponed", DOWN, until=now + HOLD)
    heard(tx, now, claimed.config.id, state)


def _retry(tx: Tx, now: Millis, claimed: Claimed, result: SendResult) -> None:
    row = claimed.row
    unreached = result.detail == "not_sent"
    if row.attempt >= (UNREACHED if unreached else ATTEMPTS):
        if outbox.settle(tx, row.id, "failed", attempt=row.attempt, reason="attempts", error_code=result.code):
            say(tx, now, row, "send_failed", "attempts", code=result.code, detail=result.detail)
            alarm(tx, now, row, "send_failed")
        return
    if result.error_class == "rate" and row.channel_id is not None:
        pacing.too_fast(tx, row.channel_id, now)
    wait = (result.delay_ms or SECOND) * result.growth ** (row.attempt - 1)
    wait = min(wait, MINUTE) if unreached else wait
    if outbox.settle(
        tx, row.id, "pending", attempt=row.attempt, due_at=now + wait, reason="retry", error_code=result.code
    ):
        backoff = "exponential" if result.growth > 1 else "fixed"
        say(tx, now, row, "send_retry", result.error_class, code=result.code, backoff=backoff, detail=result.detail)


def _unknown(tx: Tx, now: Millis, claimed: Claimed, detail: str | None) -> None:
    """Nobody knows whether it left: it waits for news, an echo that is there already is the best."""
    row, ask_at = claimed.row, when_unknown(claimed.config.kind, now)
    if not outbox.settle(
        tx, row.id, "uncertain", attempt=row.attempt, ask_at=ask_at, reason=detail, lease_until=now + GRACE
    ):
        return
    say(tx, now, row, "uncertain", detail)
    if (fresh := outbox.get(tx, row.id)) is not None:
        recognised(tx, now, fresh, claimed.pause)


def _release(tx: Tx, claimed: Claimed) -> None:
    outbox.settle(tx, claimed.row.id, "pending", attempt=claimed.row.attempt)


def _window_open(tx: Tx, row: Row, now: Millis) -> bool:
    conversation = conversations.load(tx, row.conversation_id, lock=False)
    return conversation is not None and window_open(conversation.snapshot.last_inbound_at, now)
