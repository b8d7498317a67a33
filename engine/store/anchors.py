"""Anchors of both chains, one a day: the last row of each and its hash, so that a tail that was cut off is missed (SEC-S23)."""

from dataclasses import dataclass

from engine.core.flow import Millis
from engine.store.connection import Tx

__all__ = ["Anchor", "add", "listed", "of_now"]

_COLUMNS = "day, at, audit_id, audit_hash, log_id, log_hash"


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchor:
    """The last rows as they were then; id 0 and an empty hash where there was none. `day` is an ISO date in UTC."""

    day: str
    at: Millis
    audit_id: int
    audit_hash: str
    log_id: int
    log_hash: str

    @property
    def line(self) -> str:
        """The anchor in one line, for a file that is kept elsewhere."""
        return f"{self.day} audit {self.audit_id} {self.audit_hash or '-'} log {self.log_id} {self.log_hash or '-'}"


def of_now(tx: Tx, day: str, at: Millis) -> Anchor:
    """The last rows as they are."""
    audit = tx.one("SELECT id, hash FROM audit ORDER BY id DESC LIMIT 1") or {"id": 0, "hash": ""}
    log = tx.one("SELECT id, hash FROM log WHERE n IS NOT NULL ORDER BY id DESC LIMIT 1") or {"id": 0, "hash": ""}
    return Anchor(
        day=day,
        at=at,
        audit_id=int(audit["id"]),
        audit_hash=str(audit["hash"]),
        log_id=int(log["id"]),
        log_hash=str(log["hash"]),
    )


def add(tx: Tx, anchor: Anchor) -> bool:
    """Keep an anchor; False when its day has one."""
    return (
        tx.run(
            f"""INSERT INTO anchor ({_COLUMNS}) VALUES (:day, :at, :audit_id, :audit_hash, :log_id, :log_hash)
            ON CONFLICT (day) DO NOTHING""",
            day=anchor.day,
            at=anchor.at,
            audit_id=anchor.audit_id,
            audit_hash=anchor.audit_hash,
            log_id=anchor.log_id,
            log_hash=anchor.log_hash,
        )
        > 0
    )


def listed(tx: Tx, most: int = 400) -> list[Anchor]:
    """The newest first."""
    return [Anchor(**row) for row in tx.rows(f"SELECT {_COLUMNS} FROM anchor ORDER BY day DESC LIMIT :most", most=most)]
