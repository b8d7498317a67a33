"""What a channel can do that has a telephone's session behind it: tell how it is, and be connected again."""

from dataclasses import dataclass, field
from typing import Protocol

from engine.adapters.channels.protocol import ChannelConfig
from engine.adapters.http import Transport


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """How a channel's connection is. `state`: open, connecting, close, or, where the gateway gives no such answer,
    missing, unauthorized, unreached; `detail` is what it said then.

    `qr` is a PNG that links a telephone, as is `pairing_code` where one was asked for: both are secrets for a minute.
    """

    state: str
    qr: bytes | None = field(default=None, repr=False)
    pairing_code: str | None = field(default=None, repr=False)
    count: int | None = None
    detail: str | None = None


class Pairing(Protocol):
    """Everything here speaks with the gateway and raises nothing for what the network does."""

    async def state(self, http: Transport, config: ChannelConfig) -> Link:
        """How the connection is; changes nothing."""

    async def code(self, http: Transport, config: ChannelConfig) -> Link:
        """The code that waits to be read now; changes nothing while the connection is being made."""

    async def connect(
        self, http: Transport, config: ChannelConfig, address: str, secret: str, number: str | None
    ) -> tuple[Link, bool]:
        """Make the instance where there is none, have its news posted to `address` with `secret` in our header, and
        begin to connect; with `number` (digits) a code to type on the telephone is made. Whether the gateway has
        promised to send the secret.
        """
