"""How each channel is doing: what last came and left, what waits to leave, who was turned away."""

from collections import Counter
from dataclasses import dataclass

from engine.adapters.channels import registry
from engine.core.flow import DAY, Millis
from engine.runtime import Runtime
from engine.store import traffic
from engine.store.connection import Tx

__all__ = ["Traffic", "has_window", "traffic_of"]


@dataclass(frozen=True, slots=True)
class Traffic:
    """One channel. Instants are None where nothing recent came or left; `refused` counts the last 24 hours."""

    last_in: Millis | None = None
    last_out: Millis | None = None
    waiting: int = 0
    refused: int = 0


def has_window(kind: str) -> bool:
    """Whether a kind of channel takes only approved templates 24 hours after the customer's last word (R28)."""
    return registry.channel(kind).capabilities.window


async def traffic_of(runtime: Runtime) -> dict[int, Traffic]:
    """Every channel of which there is anything to tell, by id."""
    now = runtime.clock.now()

    def unit(tx: Tx) -> dict[int, Traffic]:
        came, left, waits = traffic.last_in(tx), traffic.last_out(tx), traffic.waiting(tx, now)
        refused: Counter[int] = Counter()
        for refusal in traffic.refusals(tx, now - DAY):
            if refusal.channel_id is not None:
                refused[refusal.channel_id] += refusal.times
        return {
            one: Traffic(came.get(one), left.get(one), waits.get(one, 0), refused[one])
            for one in {*came, *left, *waits, *refused}
        }

    return await runtime.store.read(unit)
