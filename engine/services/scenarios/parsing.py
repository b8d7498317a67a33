"""Instants of a scenario, read as the adapters read them: `source.field`, each with the value that stood there."""

import re
from collections.abc import Mapping
from typing import Any

from engine.adapters.timestamps import DEFAULT_ZONE, to_millis
from engine.core.flow import SECOND, Millis
from engine.services.scenarios.format import EPOCH
from engine.services.scenarios.world import World
from engine.store import journal
from engine.store.connection import Tx
from engine.store.journal import About, Record

_CLOCK = re.compile(r"\(server in ([\w/+-]+)\)")
"""A remark behind a field: its text is the local time of a server there, whatever zone it claims."""
_CLAIMED = re.compile(r"(?:Z|[+-]\d\d:?\d\d)$")


def read(tx: Tx, world: World, payload: Mapping[str, Any], now: Millis) -> None:
    """Record each instant in seconds from T0, `null` where there is none to read."""
    for label, value in payload.items():
        at = _instant(world, label, value)
        seconds = None if at is None else (at - EPOCH) / SECOND
        facts = {"field": label, "seconds": seconds}
        journal.record(tx, now, About(), Record(outcome="note", reason="parsed", facts=facts))


def _instant(world: World, label: str, value: object) -> Millis | None:
    source = world.sources.get(label.partition(".")[0])
    zone = DEFAULT_ZONE if source is None else source.config.zone
    clock = _CLOCK.search(label)
    if clock is None or not isinstance(value, str):
        return to_millis(value, zone)
    return to_millis(_CLAIMED.sub("", value), clock[1])
