"""Ask the gateways of channels that cannot send how they are: news of a connection may get lost like any other."""

from collections.abc import Iterable
from functools import partial

from engine.adapters.channels.protocol import ChannelConfig
from engine.adapters.channels.registry import PAIRINGS
from engine.adapters.secrets import Vault
from engine.core.flow import Millis
from engine.runtime import Runtime
from engine.services.channel_health import heard, lasting
from engine.services.channels import config_within
from engine.store.connection import Tx


async def look(runtime: Runtime, channel_ids: Iterable[int]) -> None:
    """Ask each once; a trouble that is still there is told to the team. A gateway without an answer tells nothing new."""
    for channel_id in channel_ids:
        config = await runtime.store.read(partial(_config, runtime.vault, channel_id))
        pairing = None if config is None else PAIRINGS.get(config.kind)
        if config is not None and pairing is not None:
            link = await pairing.state(runtime.http, config)
            unit = partial(_looked, channel_id, runtime.clock.now(), link.state)
            await runtime.store.write(f"channel:{channel_id}", unit)


def _config(vault: Vault, channel_id: int, tx: Tx) -> ChannelConfig | None:
    return config_within(tx, vault, channel_id)


def _looked(channel_id: int, now: Millis, state: str, tx: Tx) -> None:
    if state != "unreached":
        heard(tx, now, channel_id, state)
    lasting(tx, now, channel_id)
