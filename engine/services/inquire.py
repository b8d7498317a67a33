"""Ask a channel what became of a send, before a person is asked: a few times, and never by sending again (R27).

For channels with `lookup`. What the channel does not know stays what it was: of unknown outcome, or not confirmed.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.adapters.channels.protocol import ChannelConfig, Outgoing
from engine.adapters.channels.registry import CHANNELS
from engine.core.flow import MINUTE, SECOND, Millis
from engine.runtime import Runtime
from engine.services.channels import config_within
from engine.services.outgoing import outgoing
from engine.services.recognise import found
from engine.services.settle import apply_news
from engine.services.telling import alarm, say
from engine.store import asking, conversations, outbox
from engine.store.channels import kind_of
from engine.store.connection import Tx
from engine.store.outbox import Row

FIRST = 10 * SECOND
MOMENTS = (FIRST, 45 * SECOND, 100 * SECOND)
"""After an attempt without an answer: a gateway may be slow to write down what it sent. All within the time that news
of the send is waited for anyway."""
UNCONFIRMED_AFTER = 10 * MINUTE
"""How long a send that was taken may stay without any news of it."""


@dataclass(frozen=True, slots=True)
class Question:
    """A send, the channel that took it or did not, and how it was written there."""

    row: Row
    config: ChannelConfig | None
    message: Outgoing
    pause: Millis


def when_unknown(kind: str | None, now: Millis) -> Millis | None:
    """When a channel of this kind is asked about an attempt whose answer is lost by now; None when it never is."""
    return now + MOMENTS[0] if kind is not None and CHANNELS[kind].capabilities.lookup else None


def when_taken(kind: str, now: Millis) -> Millis | None:
    """When a channel of this kind is asked about a send that it took now; None when it never is."""
    return now + UNCONFIRMED_AFTER if CHANNELS[kind].capabilities.lookup else None


def ask_now(tx: Tx, now: Millis, contact_id: int, channel_id: int) -> None:
    """There is news of a message to this contact that we do not know: it may be one whose answer got lost."""
    if when_unknown(kind_of(tx, channel_id), now) is not None:
        for row in asking.unproven_to(tx, contact_id, channel_id):
            asking.ask_again(tx, row.id, row.attempt, now)


async def run(runtime: Runtime, conversation_id: int) -> None:
    """Ask about every send of a conversation whose time to ask has come."""
    now = runtime.clock.now()
    for question in await runtime.store.read(lambda tx: _questions(tx, runtime, conversation_id, now)):
        unit = await _answered(runtime, question)
        await runtime.store.write(f"conversation:{conversation_id}", unit)


def _questions(tx: Tx, runtime: Runtime, conversation_id: int, now: Millis) -> list[Question]:
    rows = asking.to_ask(tx, conversation_id, now)
    conversation = conversations.load(tx, conversation_id, lock=False) if rows else None
    if conversation is None:
        return []
    pause = runtime.flows.within(tx, conversation.flow, conversation.flow_version).settings.human_pause
    return [
        Question(
            row,
            None if row.channel_id is None else config_within(tx, runtime.vault, row.channel_id),
            outgoing(tx, row),
            pause,
        )
        for row in rows
    ]


async def _answered(runtime: Runtime, question: Question) -> Callable[[Tx], None]:
    """The unit that writes down what the channel said."""
    row, config, clock = question.row, question.config, runtime.clock
    if row.status in asking.UNPROVEN:
        ids: tuple[str, ...] = ()
        if config is not None:
            since = row.created_at if row.tried_at is None else row.tried_at
            ids = await CHANNELS[config.kind].lookup(runtime.http, config, question.message, since)
        return lambda tx: _unknown(tx, clock.now(), question, ids)
    status = None
    if config is not None and row.provider_id is not None:
        status = await CHANNELS[config.kind].progress(runtime.http, config, row.provider_id)
    return lambda tx: _unconfirmed(tx, clock.now(), row.id, status)


def _unknown(tx: Tx, now: Millis, question: Question, ids: Sequence[str]) -> None:
    """Found, unless the message found is another send of ours; else the next question, or none any more."""
    row = outbox.get(tx, question.row.id)
    if (
        row is None
        or row.status not in asking.UNPROVEN
        or row.attempt != question.row.attempt
        or row.channel_id is None
    ):
        return
    for provider_id in ids:
        if outbox.by_provider(tx, row.channel_id, provider_id) is None:
            found(tx, now, row, provider_id, question.pause, by="lookup")
            return
    tried = row.created_at if row.tried_at is None else row.tried_at
    asking.ask_again(tx, row.id, row.attempt, next((tried + m for m in MOMENTS if tried + m > now), None))


def _unconfirmed(tx: Tx, now: Millis, row_id: int, status: str | None) -> None:
    """It came further than anybody told us, or a person has to know that nobody confirms it."""
    row = outbox.get(tx, row_id)
    if row is None or row.status != "sent" or row.delivery is not None:
        return
    if status is not None:
        apply_news(tx, now, row, status, now, row.provider_id)
    elif asking.overdue(tx, row.id, now):
        say(tx, now, row, "delivery", "overdue", status="pending", overdue=True, part=row.part)
        alarm(tx, now, row, "not_confirmed")
