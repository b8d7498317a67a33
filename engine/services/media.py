"""The files of leads' messages, one attempt at a time: fetched, looked at and kept, and audios turned into words.

All of it stands beside the event path: nothing waits for it but the burst that an audio belongs to, and that with an end
(R23). What is due is a column, so that a killed worker and an emptied queue only cost time (R30).
"""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass

from engine.adapters.channels.protocol import ChannelConfig
from engine.adapters.transcription import Service
from engine.core.flow import SECOND
from engine.runtime import Runtime
from engine.services import media_fetch, media_hear
from engine.services.channels import config_within
from engine.services.media_limit import limit_within
from engine.services.transcription import service_within
from engine.store import media
from engine.store.connection import Tx
from engine.store.media import Medium

__all__ = ["run"]

AT_ONCE = 16
"""Files that are worked on at the same time by all workers together, so that slow servers take no worker from others."""
FETCH_LEASE = 45 * SECOND
"""Longer than the two calls that fetching may take."""
MARGIN = 10 * SECOND


@dataclass(frozen=True, slots=True)
class _Fetch:
    """A file to be fetched; without a channel it has nowhere to come from."""

    medium: Medium
    config: ChannelConfig | None
    limit: int


@dataclass(frozen=True, slots=True)
class _Hear:
    """An audio to be turned into words."""

    medium: Medium
    service: Service | None


async def run(runtime: Runtime, inbound_ids: Iterable[int]) -> None:
    """Do what is due for the files of these messages."""
    await asyncio.gather(*(_one(runtime, inbound_id) for inbound_id in inbound_ids))


async def _one(runtime: Runtime, inbound_id: int) -> None:
    work = await runtime.store.write(f"media:{inbound_id}", lambda tx: _begin(tx, runtime, inbound_id))
    if isinstance(work, _Fetch):
        await media_fetch.fetch(runtime, work.medium, work.config, work.limit)
    elif isinstance(work, _Hear):
        await media_hear.hear(runtime, work.medium, work.service)


def _begin(tx: Tx, runtime: Runtime, inbound_id: int) -> _Fetch | _Hear | None:
    """Begin an attempt of whatever is next; None when that is nothing, or not now."""
    there, now = media.of_message(tx, inbound_id), runtime.clock.now()
    if there is None:
        return None
    if there.state == "kept":
        service = service_within(tx, runtime.vault)
        until = now + MARGIN + (0 if service is None else service.timeout)
        held = media.hold(tx, inbound_id, now, until, AT_ONCE)
        return None if held is None else _Hear(held, service)
    held = media.hold(tx, inbound_id, now, now + FETCH_LEASE, AT_ONCE)
    if held is None:
        return None
    return _Fetch(held, config_within(tx, runtime.vault, held.channel_id), limit_within(tx))
