"""Every kind of channel by its name: a new one is one file and one line here."""

from collections.abc import Mapping

from engine.adapters.channels.cloud_api import CloudApi
from engine.adapters.channels.evolution import Evolution
from engine.adapters.channels.evolution_pairing import EvolutionPairing
from engine.adapters.channels.pairing import Pairing
from engine.adapters.channels.phone import BuiltInPhone
from engine.adapters.channels.protocol import Channel
from engine.core.errors import NotFound

CHANNELS: Mapping[str, Channel] = {channel.kind: channel for channel in (CloudApi(), Evolution(), BuiltInPhone())}

PAIRINGS: Mapping[str, Pairing] = {"evolution": EvolutionPairing()}
"""The kinds with a telephone's session behind them."""


def channel(kind: str) -> Channel:
    """The channel of a kind. Raises NotFound."""
    try:
        return CHANNELS[kind]
    except KeyError:
        raise NotFound("channel kind", kind) from None
