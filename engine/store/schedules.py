"""Publications at a set time: one waits for a flow at most; a refused one is kept until somebody has seen it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.core.canonical import canonical
from engine.core.flow import Millis
from engine.store.connection import Tx

__all__ = ["Scheduled", "add", "end", "get", "lease", "refused", "standing", "supersede"]

WAITING, DONE, CANCELLED, REFUSED = "waiting", "done", "cancelled", "refused"
COLUMNS = """id, slug, revision, sha256, live, note, who, address, second, plan, publish_at, status, reason, facts,
 created_at, ended_at"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scheduled:
    """One of them. `plan` is what `engine.core.places.listed` wrote; `reason` and `facts` say why it was refused;
    of one that waits `facts` are what its author knew of it. `second` is who approved it.
    """

    id: int = 0
    slug: str
    revision: int
    sha256: str
    live: int | None
    note: str
    who: str
    address: str
    plan: Mapping[str, object]
    publish_at: Millis
    status: str = WAITING
    reason: str = ""
    facts: Mapping[str, object] = field(default_factory=dict)
    created_at: Millis
    ended_at: Millis | None = None
    second: str = ""


def add(tx: Tx, made: Scheduled) -> int:
    """Let one wait; returns its id. Whatever waited for the flow before, or was refused, is over."""
    supersede(tx, made.slug, made.created_at)
    return int(
        tx.value(
            """INSERT INTO scheduled_publication (slug, revision, sha256, live, note, who, address, second, plan, publish_at,
                 lease_until, status, reason, facts, created_at)
               VALUES (:slug, :revision, :sha256, :live, :note, :who, :address, :second, :plan, :at, 0, :status, '', :facts, :now)
               RETURNING id""",
            slug=made.slug,
            revision=made.revision,
            sha256=made.sha256,
            live=made.live,
            note=made.note,
            who=made.who,
            address=made.address,
            second=made.second,
            plan=canonical(made.plan),
            facts=canonical(made.facts),
            at=made.publish_at,
            status=WAITING,
            now=made.created_at,
        )
    )


def get(tx: Tx, schedule_id: int, *, lock: bool = False) -> Scheduled | None:
    """One of them."""
    suffix = " FOR UPDATE" if lock and tx.dialect == "postgresql" else ""
    row = tx.one(f"SELECT {COLUMNS} FROM scheduled_publication WHERE id = :id{suffix}", id=schedule_id)
    return None if row is None else _scheduled(row)


def standing(tx: Tx, slug: str) -> Scheduled | None:
    """The one of a flow that waits, or that was refused and nobody has seen."""
    row = tx.one(
        f"""SELECT {COLUMNS} FROM scheduled_publication WHERE slug = :slug AND status IN ('waiting', 'refused')
            ORDER BY id DESC LIMIT 1""",
        slug=slug,
    )
    return None if row is None else _scheduled(row)


def refused(tx: Tx) -> list[Scheduled]:
    """Those that were refused at their hour and nobody has seen."""
    rows = tx.rows(f"SELECT {COLUMNS} FROM scheduled_publication WHERE status = 'refused' ORDER BY id")
    return [_scheduled(row) for row in rows]


def lease(tx: Tx, now: Millis, until: Millis) -> list[int]:
    """Those whose hour has come, leased to the caller."""
    rows = tx.rows(
        """UPDATE scheduled_publication SET lease_until = :until
           WHERE status = 'waiting' AND publish_at <= :now AND lease_until <= :now RETURNING id""",
        now=now,
        until=until,
    )
    return sorted(int(row["id"]) for row in rows)


def end(
    tx: Tx,
    schedule_id: int,
    status: str,
    now: Millis,
    *,
    reason: str = "",
    facts: Mapping[str, object] | None = None,
) -> bool:
    """Give one that waits its end; False when it does not wait any more."""
    found = tx.value(
        """UPDATE scheduled_publication SET status = :status, reason = :reason, facts = :facts,
             ended_at = :now WHERE id = :id AND status = 'waiting' RETURNING id""",
        id=schedule_id,
        status=status,
        reason=reason,
        facts=canonical(facts or {}),
        now=now,
    )
    return found is not None


def supersede(tx: Tx, slug: str, now: Millis) -> int:
    """Whatever waits for a flow, or was refused, is over; how many that were."""
    return tx.run(
        """UPDATE scheduled_publication SET status = 'cancelled', ended_at = COALESCE(ended_at, :now)
           WHERE slug = :slug AND status IN ('waiting', 'refused')""",
        slug=slug,
        now=now,
    )


def _scheduled(row: Mapping[str, Any]) -> Scheduled:
    read = {name: json.loads(row[name]) for name in ("plan", "facts")}
    return Scheduled(**{**row, **read})
