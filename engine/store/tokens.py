"""Bearer tokens of the HTTP API, by digest."""

from dataclasses import dataclass

from engine.core.flow import Millis
from engine.store.connection import Tx

__all__ = ["ApiToken", "add", "everything", "name_of", "revoke"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiToken:
    """One token's row."""

    digest: str
    name: str
    created_at: Millis
    revoked_at: Millis | None


def add(tx: Tx, *, digest: str, name: str, now: Millis) -> bool:
    """Store a token once; False when it is known already, also when it was revoked: that lasts."""
    sql = (
        "INSERT INTO api_token (digest, name, created_at) VALUES (:digest, :name, :now)"
        " ON CONFLICT DO NOTHING RETURNING digest"
    )
    return tx.value(sql, digest=digest, name=name, now=now) is not None


def name_of(tx: Tx, digest: str) -> str | None:
    """The name of a token in use."""
    found = tx.value("SELECT name FROM api_token WHERE digest = :digest AND revoked_at IS NULL", digest=digest)
    return None if found is None else str(found)


def everything(tx: Tx) -> list[ApiToken]:
    """All tokens, the newest first."""
    rows = tx.rows("SELECT digest, name, created_at, revoked_at FROM api_token ORDER BY created_at DESC, digest")
    return [ApiToken(**row) for row in rows]


def revoke(tx: Tx, digest: str, now: Millis) -> str | None:
    """Put a token out of use; its name, or None when there is no such token in use."""
    sql = "UPDATE api_token SET revoked_at = :now WHERE digest = :digest AND revoked_at IS NULL RETURNING name"
    found = tx.value(sql, digest=digest, now=now)
    return None if found is None else str(found)
