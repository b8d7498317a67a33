"""Bodies that were kept, for an operator: which came, what is in them, and what became of each thing (R20, R29).

What is in a body is read out of it again, by the same door that took it in; nothing of that is stored twice.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.adapters.channels.protocol import ChannelConfig
from engine.adapters.channels.registry import CHANNELS as KINDS
from engine.adapters.payments.protocol import Notice as Posted
from engine.adapters.payments.protocol import SourceConfig
from engine.adapters.payments.registry import PLATFORMS
from engine.core.errors import NotFound
from engine.core.inbound import Item, Message, Parsed, Payment
from engine.runtime import Runtime
from engine.services import channels, sources
from engine.services.intake import derived
from engine.services.sources import SourceRecord
from engine.store import bodies
from engine.store.bodies import FETCH_FAILED, Body
from engine.store.connection import Tx

__all__ = [
    "FETCH_FAILED",
    "PAGE",
    "VERDICTS",
    "Body",
    "Fate",
    "Notice",
    "Seen",
    "doors",
    "looked_into",
    "notices",
    "read_again",
    "to_review",
]

VERDICTS = ("unknown", "unreadable", "failed")
"""What is to be looked at; the rest is `parsed`."""
PAGE = 50
NOTICES = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Fate:
    """One thing of a body and what became of it.

    `kind` is payment, message, or the name of another item in small letters; `name` is what it is in that kind: the
    outcome of a payment, the kind of a message, else the reason. `became`: taken, repeated (another body brought it
    first), missing (nothing is stored of it) or noted (of its kind only the log tells).
    """

    kind: str
    name: str
    became: str
    event: str | None = None
    outcome: str | None = None
    reason: str | None = None
    conversation_id: int | None = None
    person: str | None = None
    phone: str | None = None
    frm: str | None = None
    to: str | None = None


@dataclass(frozen=True, slots=True)
class Seen:
    """A body with what is in it; nothing is read out of one that is not whole or whose door is gone."""

    body: Body
    fates: tuple[Fate, ...]
    door: str | None


@dataclass(frozen=True, slots=True)
class Notice:
    """The latest of a payment source, one line a thing."""

    body: Body
    source: str
    fate: Fate | None


Doors = Mapping[tuple[str, int], ChannelConfig | SourceConfig]


async def doors(runtime: Runtime) -> Doors:
    """Everything that may bring a body, by sort (channel, source) and id."""
    found: dict[tuple[str, int], ChannelConfig | SourceConfig] = {}
    for channel in await channels.everything(runtime):
        found["channel", channel.id] = channel.config
    for source in await sources.everything(runtime):
        found["source", source.id] = source.config
    return found


def door_of(body: Body) -> tuple[str, int]:
    """Where it came in."""
    return ("channel", body.channel_id) if body.channel_id is not None else ("source", body.source_id or 0)


def read_again(config: ChannelConfig | SourceConfig, body: Body) -> Parsed:
    """What is in a kept body, read as when it came: what has no time of its own keeps that of the body."""
    tree = json.loads(body.body)
    if isinstance(config, ChannelConfig):
        return KINDS[config.kind].parse(config, tree, body.received_at)
    return PLATFORMS[config.platform].parse(config, Posted.kept(tree, body.received_at))


async def to_review(
    runtime: Runtime, *, verdict: str | None = None, door: tuple[str, int] | None = None, before: str | None = None
) -> list[Body]:
    """A page of those that were not taken in as they should, the newest first; `before` is the id to go on from."""

    def unit(tx: Tx) -> list[Body]:
        last = bodies.body(tx, before) if before else None
        return bodies.to_review(
            tx,
            verdict=verdict if verdict in VERDICTS else None,
            channel_id=door[1] if door is not None and door[0] == "channel" else None,
            source_id=door[1] if door is not None and door[0] == "source" else None,
            before=(last.received_at, last.id) if last is not None else None,
            most=PAGE,
        )

    return await runtime.store.read(unit)


async def looked_into(runtime: Runtime, body_id: str) -> Seen:
    """One body. Raises NotFound."""
    known = await doors(runtime)

    def unit(tx: Tx) -> Seen:
        found = bodies.body(tx, body_id)
        if found is None:
            raise NotFound("body", body_id)
        config = known.get(door_of(found))
        return Seen(found, _fates(tx, config, found), config.name if config else None)

    return await runtime.store.read(unit)


async def notices(runtime: Runtime, records: Sequence[SourceRecord]) -> list[Notice]:
    """The latest notices of payment sources with what each did, the newest first."""

    def unit(tx: Tx) -> list[Notice]:
        found = []
        for record in records:
            for body in bodies.of_source(tx, record.id, NOTICES):
                fates = _fates(tx, record.config, body)
                found += [Notice(body, record.config.name, fate) for fate in fates or (None,)]
        return sorted(found, key=lambda notice: notice.body.received_at, reverse=True)[:NOTICES]

    return await runtime.store.read(unit)


def _fates(tx: Tx, config: ChannelConfig | SourceConfig | None, body: Body) -> tuple[Fate, ...]:
    if config is None or not body.whole:
        return ()
    items = read_again(config, body).items
    payments = bodies.events(tx, [_event_id(item) for item in items if isinstance(item, Payment)])
    texts = [item.provider_id for item in items if isinstance(item, Message)]
    messages = bodies.messages(tx, body.channel_id, texts) if body.channel_id is not None else {}
    return tuple(_fate(item, body, payments, messages) for item in items)


def _event_id(item: Payment) -> str:
    return derived("pay", item.platform, item.event_id)


def _fate(
    item: Item, body: Body, payments: Mapping[str, Mapping[str, Any]], messages: Mapping[str, Mapping[str, Any]]
) -> Fate:
    if isinstance(item, Payment):
        return _stored("payment", item.outcome, payments.get(_event_id(item)), body)
    if isinstance(item, Message):
        return _stored("message", item.kind, messages.get(item.provider_id), body)
    reason = getattr(item, "reason", "")
    return Fate(kind=type(item).__name__.lower(), name=str(reason), became="noted", reason=getattr(item, "name", None))


def _stored(kind: str, name: str, row: Mapping[str, Any] | None, body: Body) -> Fate:
    if row is None:
        return Fate(kind=kind, name=name, became="missing")
    return Fate(
        kind=kind,
        name=name,
        became="taken" if row["webhook_id"] == body.id and row["outcome"] != "duplicate" else "repeated",
        event=row.get("type"),
        outcome=row["outcome"],
        reason=row["reason"],
        conversation_id=row["conversation_id"],
        person=row["name"],
        phone=row["phone"],
        frm=row.get("frm"),
        to=row.get("to"),
    )
