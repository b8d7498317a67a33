"""Whether a connected number works, asked of its platform when somebody wants to know. Nothing is sent or stored."""

from engine.adapters.channels import cloud_number
from engine.adapters.channels.cloud_number import Number
from engine.core.errors import NotFound
from engine.runtime import Runtime
from engine.services.channels import ChannelRecord
from engine.services.templates import KIND

__all__ = ["Number", "can_check", "check"]


def can_check(kind: str) -> bool:
    """Whether a kind of channel has a platform that tells of its numbers."""
    return kind == KIND


async def check(runtime: Runtime, record: ChannelRecord) -> Number:
    """What the platform says of the number. Raises NotFound for a kind without one, Refused as `cloud_number.number`."""
    if not can_check(record.config.kind):
        raise NotFound("channel", record.id)
    return await cloud_number.number(runtime.http, record.config)
