"""Everything that the list of flows tells of each, read in one transaction; quick for fifty of them."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from engine.core.changes import changes
from engine.core.checks.findings import Finding
from engine.core.document import read
from engine.core.flow import Flow
from engine.runtime import Runtime
from engine.services.checked import at_hand
from engine.services.conversions import Conversion, conversions
from engine.services.template_findings import Registry, registries, with_templates
from engine.store import board, channels, flows
from engine.store.connection import Tx
from engine.store.flows import Draft, Publication

__all__ = ["Listed", "everything"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """One flow. `findings` is None while they are not known yet; `entered` tells whether a channel leads into it."""

    draft: Draft
    flow: Flow
    live: Publication | None
    changes: int
    findings: Sequence[Finding] | None
    people: Mapping[str, int]
    attention: int
    entered: bool
    conversion: Conversion | None


@dataclass(frozen=True, slots=True)
class _Read:
    draft: Draft
    live: Publication | None
    document: str | None
    people: Mapping[str, int]
    attention: int
    entered: bool
    templates: Sequence[Registry]
    conversion: Conversion | None


async def everything(runtime: Runtime) -> list[Listed]:
    """Every flow, the archived ones too, by title."""
    now = runtime.clock.now()

    def unit(tx: Tx) -> list[_Read]:
        entered = {channel.flow for channel in channels.TABLE.everything(tx)}
        return [_one(tx, runtime, draft, entered, now) for draft in flows.drafts(tx)]

    rows = await runtime.store.read(unit)
    read_ = [_parsed(row.draft.document, row.document or "") for row in rows]
    known = await at_hand([flow for (flow, _), row in zip(read_, rows, strict=True) if row.draft.archived_at is None])
    return [
        Listed(
            draft=row.draft,
            flow=flow,
            live=row.live,
            changes=changed,
            findings=with_templates(flow, found, row.templates)
            if (found := known.get(flow.sha256)) is not None
            else None,
            people=row.people,
            attention=row.attention,
            entered=row.entered,
            conversion=row.conversion,
        )
        for row, (flow, changed) in zip(rows, read_, strict=True)
    ]


def _one(tx: Tx, runtime: Runtime, draft: Draft, entered: set[str], now: int) -> _Read:
    slug, live = draft.slug, None if draft.live is None else flows.live(tx, draft.slug)
    people: dict[str, int] = {}
    for _, state, count in flows.standing(tx, slug):
        people[state] = people.get(state, 0) + count
    return _Read(
        draft,
        live,
        None if live is None else flows.document(tx, slug, live.number),
        people,
        sum(int(row["people"]) for row in board.needing(tx, slug)),
        slug in entered,
        registries(tx, slug),
        None if live is None else conversions(tx, runtime.flows, slug, live.number, now),
    )


@lru_cache(maxsize=256)
def _parsed(draft: str, live: str) -> tuple[Flow, int]:
    """What a draft says, and in how many things it differs from what is live ("": nothing is)."""
    tree = json.loads(draft)
    return read(tree), len(changes(json.loads(live), tree)) if live else 0
