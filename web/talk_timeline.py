"""The timeline of a conversation in three depths, which never mix: what was decided, all that happened, who did what (R44)."""

import json
from dataclasses import dataclass

from engine.core.flow import SECOND
from engine.runtime import Runtime
from engine.services import transcript
from engine.services.transcript import Page
from engine.store.audit import Entry as Deed
from web.audit_words import deed
from web.desk_words import brief, moment_of, precisely, who
from web.i18n import gettext
from web.log_words import facts_of, told
from web.told import Told

__all__ = ["DEPTHS", "Row", "timeline"]

DEPTHS = ("state", "trace", "audit")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row. `ref` asks for its why, "" where there is none; `after` is how long after the row before it came."""

    when: str
    told: Told
    facts: tuple[tuple[str, str], ...] = ()
    ref: str = ""
    after: str = ""


async def timeline(runtime: Runtime, page: Page, depth: str, *, phones: bool) -> tuple[Row, ...]:
    """The rows of a depth, the newest first; of an unknown one those of the first."""
    if depth == "audit":
        return tuple(_deed(page, row) for row in await transcript.deeds(runtime, page.id))
    return _trace(page, phones=phones) if depth == "trace" else _states(page, phones=phones)


def _states(page: Page, *, phones: bool) -> tuple[Row, ...]:
    """What was decided: the rows of the conversation's chain."""
    return tuple(
        Row(
            when=moment_of(entry.at, page.now, page.flow.timezone),
            told=told(entry, page.flow, page.now),
            facts=tuple(facts_of(entry, private=phones)),
            ref=f"log-{entry.id}",
        )
        for entry in reversed(page.entries)
        if entry.chained is not None
    )


def _trace(page: Page, *, phones: bool) -> tuple[Row, ...]:
    """Everything that was recorded, to the second, with the time between."""
    rows, before = [], None
    for entry in page.entries:
        gap = 0 if before is None else entry.at - before
        before = entry.at
        rows.append(
            Row(
                when=f"{moment_of(entry.at, page.now, page.flow.timezone)}{precisely(entry.at, page.flow.timezone)[5:]}",
                told=told(entry, page.flow, page.now),
                facts=tuple(facts_of(entry, private=phones)),
                ref=f"log-{entry.id}",
                after="" if gap <= 0 else f"+{gap} ms" if gap < SECOND else f"+{brief(gap)}",
            )
        )
    return tuple(reversed(rows))


def _deed(page: Page, row: Deed) -> Row:
    facts = json.loads(row.facts)
    words = gettext("%(who)s %(deed)s") % {"who": who(row.who), "deed": deed(row.what)}
    plain = tuple((name, str(value)) for name, value in facts.items() if name != "by" and value not in (None, ""))
    return Row(
        when=moment_of(row.at, page.now, page.flow.timezone),
        told=Told("user", "", words),
        facts=plain,
    )
