"""Which channel a webhook address leads to: read at most once a second for each, because a busy one is asked for often.

A channel that was changed elsewhere is what it was for that second, but nobody is turned away on a memory: the caller
reads again before it refuses.
"""

from typing import cast

from engine.core.flow import SECOND
from engine.runtime import Runtime
from engine.services import channels
from engine.services.channels import ChannelRecord

KEPT = 256


async def at(runtime: Runtime, token: str, *, anew: bool = False) -> ChannelRecord | None:
    """The channel of an address, None when nobody lives there."""
    now = runtime.clock.now()
    read_at, known = runtime.doors.get(token, (now - SECOND, None))
    if known is not None and not anew and now - read_at < SECOND:
        return cast("ChannelRecord", known)
    record = await runtime.store.read(lambda tx: channels.by_token(tx, runtime.vault, token))
    runtime.doors.pop(token, None)
    if record is not None:
        while len(runtime.doors) >= KEPT:
            runtime.doors.pop(next(iter(runtime.doors)))
        runtime.doors[token] = (now, record)
    return record
