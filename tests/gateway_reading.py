"""Bodies of the gateway made from their interesting part, and read."""

from typing import Any

from engine.adapters.channels.evolution import Evolution
from engine.adapters.channels.protocol import ChannelConfig
from engine.core.inbound import Item
from tests.fakes.evolution import FakeEvolution
from tests.payload_files import ARRIVAL

T0 = 1_785_589_200_000
LEAD = "5541900000001@s.whatsapp.net"
FAKE = FakeEvolution()


def read(event: str, data: object, **settings: str) -> Item:
    config = ChannelConfig(1, "evolution", "canal", {"instance": "loja-teste", **settings})
    (item,) = Evolution().parse(config, FAKE.webhook(event, data), ARRIVAL).items
    return item


def upsert(message: object, *, key: dict[str, Any] | None = None, **data: object) -> Item:
    whole_key = {"remoteJid": LEAD, "fromMe": False, "id": "3A1", **(key or {})}
    return read("messages.upsert", {"key": whole_key, "message": message, "messageTimestamp": T0 // 1000, **data})
