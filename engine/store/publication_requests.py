"""Publications that a second person has to approve: one waits for a flow at most."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.core.canonical import canonical
from engine.core.flow import Millis
from engine.store.connection import Tx

__all__ = ["APPROVED", "REFUSED", "WAITING", "WITHDRAWN", "Request", "add", "end", "get", "standing", "supersede"]

WAITING, APPROVED, REFUSED, WITHDRAWN, REPLACED = "waiting", "approved", "refused", "withdrawn", "replaced"
COLUMNS = """id, slug, source, revision, sha256, live, note, who, address, plan, publish_at, status, decided_by, reason,
 created_at, decided_at"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One of them: of the draft as it was at `revision`, or of version `source` again; at once, or at `publish_at`."""

    id: int = 0
    slug: str
    source: int | None
    revision: int
    sha256: str
    live: int | None
    note: str
    who: str
    address: str
    plan: Mapping[str, object]
    publish_at: Millis | None
    status: str = WAITING
    decided_by: str = ""
    reason: str = ""
    created_at: Millis
    decided_at: Millis | None = None


def add(tx: Tx, made: Request) -> int:
    """Let one wait; returns its id. The flow's row is locked, and whatever waited for the flow is replaced."""
    supersede(tx, made.slug, made.created_at)
    return int(
        tx.value(
            """INSERT INTO publication_request (slug, source, revision, sha256, live, note, who, address, plan,
                 publish_at, status, decided_by, reason, created_at)
               VALUES (:slug, :source, :revision, :sha256, :live, :note, :who, :address, :plan, :publish_at, :status,
                 '', '', :created_at) RETURNING id""",
            plan=canonical(made.plan),
            **{
                name: getattr(made, name)
                for name in (
                    "slug", "source", "revision", "sha256", "live", "note", "who", "address", "publish_at", "status",
                    "created_at",
                )
            },
        )
    )  # fmt: skip


def get(tx: Tx, request_id: int) -> Request | None:
    """One of them."""
    row = tx.one(f"SELECT {COLUMNS} FROM publication_request WHERE id = :id", id=request_id)
    return None if row is None else _request(row)


def standing(tx: Tx, slug: str) -> Request | None:
    """The one of a flow that waits."""
    row = tx.one(f"SELECT {COLUMNS} FROM publication_request WHERE slug = :slug AND status = 'waiting'", slug=slug)
    return None if row is None else _request(row)


def end(tx: Tx, request_id: int, status: str, now: Millis, *, by: str, reason: str = "") -> bool:
    """Give one that waits its end; of two at once, one gets True."""
    found = tx.value(
        """UPDATE publication_request SET status = :status, decided_by = :by, reason = :reason, decided_at = :now
           WHERE id = :id AND status = 'waiting' RETURNING id""",
        id=request_id,
        status=status,
        by=by,
        reason=reason,
        now=now,
    )
    return found is not None


def supersede(tx: Tx, slug: str, now: Millis) -> None:
    """Whatever waits for a flow is over."""
    tx.run(
        "UPDATE publication_request SET status = 'replaced', decided_at = :now"
        " WHERE slug = :slug AND status = 'waiting'",
        slug=slug,
        now=now,
    )


def _request(row: Mapping[str, Any]) -> Request:
    return Request(**{**row, "plan": json.loads(row["plan"])})
