"""Keys of wall screens, by digest."""

from dataclasses import dataclass

from engine.core.flow import Millis
from engine.store.connection import Tx

__all__ = ["WallKey", "add", "everything", "flow_of", "revoke"]


@dataclass(frozen=True, slots=True, kw_only=True)
class WallKey:
    """One key's row."""

    digest: str
    name: str
    flow: str
    created_at: Millis
    created_by: str
    revoked_at: Millis | None


def add(tx: Tx, *, digest: str, name: str, flow: str, who: str, now: Millis) -> None:
    """Store a key."""
    tx.run(
        """INSERT INTO wall_key (digest, name, flow, created_at, created_by)
           VALUES (:digest, :name, :flow, :now, :who)""",
        digest=digest,
        name=name,
        flow=flow,
        who=who,
        now=now,
    )


def flow_of(tx: Tx, digest: str) -> str | None:
    """The flow that a key in use shows."""
    found = tx.value("SELECT flow FROM wall_key WHERE digest = :digest AND revoked_at IS NULL", digest=digest)
    return None if found is None else str(found)


def everything(tx: Tx) -> list[WallKey]:
    """All keys, those in use first, then the newest."""
    rows = tx.rows(
        """SELECT digest, name, flow, created_at, created_by, revoked_at FROM wall_key
           ORDER BY CASE WHEN revoked_at IS NULL THEN 0 ELSE 1 END, created_at DESC, digest"""
    )
    return [WallKey(**row) for row in rows]


def revoke(tx: Tx, digest: str, now: Millis) -> str | None:
    """Put a key out of use; its name, or None when no such key is in use."""
    sql = "UPDATE wall_key SET revoked_at = :now WHERE digest = :digest AND revoked_at IS NULL RETURNING name"
    found = tx.value(sql, digest=digest, now=now)
    return None if found is None else str(found)
