"""A body that was read is taken in: one unit of work an item, and the body itself kept with the first (R20)."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

from engine.adapters.bodies import written
from engine.core.errors import StaleConversation, StoreUnavailable
from engine.core.inbound import Item, Message, Parsed, Payment, Person, Unknown
from engine.runtime import Runtime
from engine.services.intake import Arrival
from engine.services.take import take
from engine.services.take_message import Letter, messages
from engine.store import inbox
from engine.store.connection import Tx
from engine.store.joint import Joint

__all__ = ["commit", "keep", "verdict_of"]


def verdict_of(parsed: Parsed) -> tuple[str, str | None]:
    """How a body that could be read is kept: parsed, or unknown with the reason of its first item of that sort."""
    unknown = next((item for item in parsed.items if isinstance(item, Unknown)), None)
    return ("parsed", None) if unknown is None else ("unknown", unknown.reason)


async def commit(
    runtime: Runtime,
    arrival: Arrival,
    parsed: Parsed,
    names: Mapping[str, str],
    flow_of: Callable[[Payment], str | None] | None = None,
    keeping: Callable[[Tx], None] | None = None,
) -> None:
    """One unit an item, all waiting together: a bad item costs nobody else, and the platform is asked to repeat it.

    The body is kept with the first item, by `keeping` where it is given. `flow_of` says which flow a payment belongs to,
    None for the arrival's own. Raises what an item raised, when the database is well; then the body is kept as failed,
    for whoever mends what was wrong (`replay_body`).
    """

    def routed(item: Item) -> Arrival:
        flow = flow_of(item) if flow_of is not None and isinstance(item, Payment) else None
        return arrival if flow is None else replace(arrival, flow=flow)

    if keeping is None:
        verdict, reason = verdict_of(parsed)
        keeping = partial(keep, arrival=arrival, verdict=verdict, reason=reason, body=written(parsed.kept))
    if not parsed.items:
        await runtime.store.write(arrival.webhook_id, keeping)
        return
    units = [
        (item, _unit(routed(item), item, names, keeping if n == 0 else None)) for n, item in enumerate(parsed.items)
    ]
    writes = [runtime.store.write(_key(arrival, item), unit) for item, unit in units]
    results = await asyncio.gather(*writes, return_exceptions=True)
    failures = [result for result in results if isinstance(result, BaseException)]
    for failure in failures:
        if not isinstance(failure, StoreUnavailable | StaleConversation):
            await runtime.store.write(arrival.webhook_id, partial(_failed, arrival, keeping, type(failure).__name__))
            raise failure
    if failures:
        raise failures[0]


def _failed(arrival: Arrival, keeping: Callable[[Tx], None], reason: str, tx: Tx) -> None:
    keeping(tx)
    inbox.mark(tx, arrival.webhook_id, "failed", reason)


@dataclass(frozen=True, slots=True)
class _Unit:
    """The unit that takes an item which is no message, and keeps the body that it came in."""

    arrival: Arrival
    item: Item
    names: Mapping[str, str]
    keep: Callable[[Tx], None] | None

    def __call__(self, tx: Tx) -> None:
        if self.keep is not None:
            self.keep(tx)
        take(tx, self.arrival, self.item, self.names)


def _unit(
    arrival: Arrival, item: Item, names: Mapping[str, str], keep: Callable[[Tx], None] | None
) -> Callable[[Tx], None]:
    if isinstance(item, Message):
        return Joint(messages, Letter(arrival, item, keep))
    return _Unit(arrival, item, names, keep)


def _key(arrival: Arrival, item: Item) -> str:
    """One person's items go through one lane, in order."""
    return f"contact:{_name(getattr(item, 'person', None)) or arrival.webhook_id}"


def _name(person: Person | None) -> str | None:
    return None if person is None else person.phone or person.bsuid or person.lid or person.reference


def keep(tx: Tx, arrival: Arrival, verdict: str, reason: str | None, body: str) -> None:
    """Keep a body as it may be kept."""
    inbox.keep_body(
        tx,
        arrival.webhook_id,
        arrival.now,
        verdict,
        body,
        channel_id=arrival.channel_id,
        source_id=arrival.source_id,
        reason=reason,
    )
