"""The audit page: rows with their words, filters as the address has them, and what the last check of the chains said."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, time
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from engine.core.cells import table
from engine.core.flow import DAY, Millis
from engine.runtime import Runtime
from engine.services import anchoring, auditing
from engine.services.auditing import Entry, Wanted
from web import words
from web.audit_words import GROUPS, deed, group_name, place
from web.forms import whole
from web.i18n import gettext
from web.people_names import names
from web.words import HOME

__all__ = ["AuditPage", "audit_page", "audit_table", "wanted"]

DAYS = (1, 7, 30, 365)


@dataclass(frozen=True, slots=True)
class ShownEntry:
    """One row: `facts` are pairs of words, `href` leads to the thing."""

    id: int
    when: str
    who: str
    name: str
    what: str
    subject: str
    href: str
    address: str
    facts: tuple[tuple[str, str], ...]
    hash: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditPage:
    """What the template reads. `older` is the address of the next page, "" where there is none."""

    rows: tuple[ShownEntry, ...]
    wanted: Wanted
    days: int
    groups: tuple[tuple[str, str], ...]
    spans: tuple[tuple[int, str], ...]
    older: str
    csv: str
    anchors: tuple[str, ...]
    anchored: str


def wanted(query: Mapping[str, str], now: Millis) -> tuple[Wanted, int]:
    """The filters of an address, and for how many days; what is odd in it filters nothing."""
    days = whole(query.get("days")) or 30
    days = days if days in DAYS else 30
    group = query.get("kind", "")
    return (
        Wanted(
            text=query.get("q", "").strip()[:200],
            group=group if group in GROUPS else "",
            since=_midnight(now) - (days - 1) * DAY,
            before=whole(query.get("before")),
        ),
        days,
    )


async def audit_page(runtime: Runtime, query: Mapping[str, str]) -> AuditPage:
    """The rows that the address asks for."""
    asked, days = wanted(query, runtime.clock.now())
    found = await auditing.listed(runtime, asked)
    kept = await anchoring.anchored(runtime)
    team = await names(runtime)
    same = {"q": asked.text, "kind": asked.group, "days": str(days)}
    return AuditPage(
        rows=tuple(_shown(entry, team) for entry in found.entries),
        wanted=asked,
        days=days,
        groups=tuple((group, group_name(group)) for group in GROUPS),
        spans=tuple((number, _span(number)) for number in DAYS),
        older=f"/settings/audit?{urlencode({**same, 'before': found.entries[-1].id})}" if found.more else "",
        csv=f"/settings/audit.csv?{urlencode(same)}",
        anchors=tuple(anchor.line for anchor in kept[:30]),
        anchored=words.moment(kept[0].at) if kept else "",
    )


async def audit_table(runtime: Runtime, query: Mapping[str, str]) -> str:
    """The same rows as a file for a spreadsheet, all of them up to a bound."""
    asked, _ = wanted(query, runtime.clock.now())
    team = await names(runtime)
    rows = [_shown(entry, team) for entry in await auditing.everything(runtime, asked)]
    heads = [gettext("When"), gettext("Who"), gettext("What"), gettext("Where"), gettext("From"), gettext("Details")]
    return table(
        heads,
        (
            (row.when, row.who, row.what, row.subject, row.address, "; ".join(f"{k}: {v}" for k, v in row.facts))
            for row in rows
        ),
    )


def _shown(entry: Entry, team: Mapping[str, str]) -> ShownEntry:
    facts = json.loads(entry.facts)
    return ShownEntry(
        id=entry.id,
        when=words.moment(entry.at),
        who=entry.who,
        name=team.get(entry.who, entry.who),
        what=deed(entry.what),
        subject=entry.subject,
        href=place(entry.what, entry.subject),
        address=entry.address,
        facts=tuple((key, _said(value)) for key, value in facts.items()) if isinstance(facts, dict) else (),
        hash=entry.hash,
    )


def _said(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _span(days: int) -> str:
    return {
        1: gettext("Today"),
        7: gettext("Last 7 days"),
        30: gettext("Last 30 days"),
        365: gettext("Last 12 months"),
    }[days]


def _midnight(now: Millis) -> Millis:
    day = datetime.fromtimestamp(now / 1000, UTC).astimezone(ZoneInfo(HOME)).date()
    return int(datetime.combine(day, time(), ZoneInfo(HOME)).timestamp() * 1000)
