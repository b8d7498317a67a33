"""Payment sources as somebody looks after them: what each outcome becomes, how often it came, whether anything uses it."""

from collections import Counter
from collections.abc import Mapping, Sequence
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
    """One source. `flows` are its own and those of its products, as far as they are there; `rows` are for the outcomes
    that its platform tells; `refused` counts notices without proof, by reason.
    """

    record: SourceRecord
    flows: tuple[Flow, ...]
    events: tuple[str, ...]
    rows: tuple[Row, ...]
    last_at: Millis | None
    refused: Mapping[str, int]


def platforms() -> tuple[tuple[str, str], ...]:
    """The payment platforms that there are, each with its own name."""
    return tuple((name, platform.title) for name, platform in PLATFORMS.items())


async def overview(runtime: Runtime) -> list[Overview]:
    """Every source, the oldest first."""
    records = sorted(await sources.everything(runtime), key=lambda record: record.id)
    since = runtime.clock.now() - SPAN

    def unit(tx: Tx) -> list[Overview]:
        flows = {slug: flow_of(tx, slug) for record in records for slug in _slugs(record)}
        last = bodies.last_of_sources(tx, [record.id for record in records])
        refused: dict[int, Counter[str]] = {record.id: Counter() for record in records}
        for refusal in traffic.refusals(tx, since):
            if refusal.source_id in refused:
                refused[refusal.source_id][refusal.reason] += refusal.times
        return [
            Overview(
                record=record,
                flows=(there := tuple(flow for slug in _slugs(record) if (flow := flows[slug]) is not None)),
                events=tuple(dict.fromkeys(event for flow in there for event in payment_events(flow))),
                rows=_rows(record, there, bodies.counted(tx, record.id, since)),
                last_at=last.get(record.id),
                refused=dict(refused[record.id]),
            )
            for record in records
        ]

    return await runtime.store.read(unit)


def _slugs(record: SourceRecord) -> tuple[str, ...]:
    """The flows that its notices may go to, its own first."""
    return tuple(dict.fromkeys((record.flow, *record.products.values())))


def _rows(record: SourceRecord, flows: Sequence[Flow], times: Mapping[str, int]) -> tuple[Row, ...]:
    found, tells = [], PLATFORMS[record.config.platform].outcomes
    for outcome in EVENTS:
        if outcome not in tells and not times.get(outcome):
            continue
        event = record.events[outcome]
        known = event == NOTHING or any(event in payment_events(flow) for flow in flows)
        takes = event != NOTHING and any(used(flow, event) for flow in flows)
        found.append(Row(outcome, event, times.get(outcome, 0), known, takes))
    return tuple(found)
