"""Payment sources as somebody looks after them: what each outcome becomes, how often it came, whether anything uses it."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from engine.adapters.payments.registry import PLATFORMS
from engine.core.flow import DAY, Flow, Millis
from engine.runtime import Runtime
from engine.services import sources
from engine.services.source_events import NOTHING, flow_of, payment_events, used
from engine.services.sources import EVENTS, SourceRecord
from engine.store import bodies, traffic
from engine.store.connection import Tx

__all__ = ["SPAN", "Overview", "Row", "overview", "platforms"]

SPAN = 7 * DAY
"""How far back outcomes are counted."""


@dataclass(frozen=True, slots=True)
class Row:
    """One outcome. `known`: the flow has the event; `used`: an arrow of the flow is for it."""

    outcome: str
    event: str
    times: int
    known: bool
    used: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """One source. `flow` is None where its flow is gone; `refused` counts notices without proof, by reason."""

    record: SourceRecord
    flow: Flow | None
    events: tuple[str, ...]
    rows: tuple[Row, ...]
    last_at: Millis | None
    refused: Mapping[str, int]

    @property
    def unused(self) -> int:
        """How many outcomes came that nothing uses."""
        return sum(1 for row in self.rows if row.times and not row.used)


def platforms() -> tuple[str, ...]:
    """The payment platforms that there are."""
    return tuple(PLATFORMS)


async def overview(runtime: Runtime) -> list[Overview]:
    """Every source, the oldest first."""
    records = sorted(await sources.everything(runtime), key=lambda record: record.id)
    since = runtime.clock.now() - SPAN

    def unit(tx: Tx) -> list[Overview]:
        flows = {slug: flow_of(tx, slug) for slug in {record.flow for record in records}}
        last = bodies.last_of_sources(tx, [record.id for record in records])
        refused: dict[int, Counter[str]] = {record.id: Counter() for record in records}
        for refusal in traffic.refusals(tx, since):
            if refusal.source_id in refused:
                refused[refusal.source_id][refusal.reason] += refusal.times
        return [
            Overview(
                record=record,
                flow=flows[record.flow],
                events=payment_events(flow) if (flow := flows[record.flow]) else (),
                rows=_rows(record, flow, bodies.counted(tx, record.id, since)),
                last_at=last.get(record.id),
                refused=dict(refused[record.id]),
            )
            for record in records
        ]

    return await runtime.store.read(unit)


def _rows(record: SourceRecord, flow: Flow | None, times: Mapping[str, int]) -> tuple[Row, ...]:
    found = []
    for outcome in EVENTS:
        event = record.events[outcome]
        known = event == NOTHING or (flow is not None and event in payment_events(flow))
        takes = event != NOTHING and flow is not None and used(flow, event)
        found.append(Row(outcome, event, times.get(outcome, 0), known, takes))
    return tuple(found)
