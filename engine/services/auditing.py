"""Reading the audit log: by person, thing or word, by kind, since when; page by page or all of it (R44, SEC-S23)."""

from dataclasses import dataclass, replace

from engine.core.flow import Millis
from engine.runtime import Runtime
from engine.services import doctor_chains
from engine.services.doctor_chains import Chains
from engine.store import audit
from engine.store.audit import Entry

__all__ = ["Entry", "Found", "Wanted", "check", "everything", "listed"]

PAGE = 50
MOST = 50_000
"""Rows of one file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """`text` is looked for in who, thing and facts; `group` is the first part of a code; `before` the id to go on from."""

    text: str = ""
    group: str = ""
    since: Millis = 0
    before: int | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """One page, the newest first; `more` says whether older rows are wanted too."""

    entries: list[Entry]
    more: bool


async def listed(runtime: Runtime, wanted: Wanted, most: int = PAGE) -> Found:
    """One page of rows."""
    what = f"{wanted.group}." if wanted.group else None
    rows = await runtime.store.read(
        lambda tx: audit.listed(
            tx, before=wanted.before, limit=most + 1, what=what, since=wanted.since, text=wanted.text
        )
    )
    return Found(rows[:most], len(rows) > most)


async def everything(runtime: Runtime, wanted: Wanted) -> list[Entry]:
    """All rows, up to a bound that no team reaches in a year."""
    return (await listed(runtime, replace(wanted, before=None), MOST)).entries


async def check(runtime: Runtime) -> Chains:
    """Compute every chain anew and look for the rows that the anchors name."""
    return await doctor_chains.verify(runtime.store)
