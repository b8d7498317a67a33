"""Bearer tokens of the HTTP API, by digest."""

import json
from collections.abc import Collection
from dataclasses import dataclass

from engine.core.canonical import canonical
from engine.core.flow import Millis
from engine.store.connection import Tx

__all__ = ["ApiToken", "add", "everything", "revoke", "used", "working"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiToken:
    """One token's row. `scopes` are what it may do, `*` for everything; without `expires_at` it lasts."""

    digest: str
    name: str
    created_at: Millis
    revoked_at: Millis | None
    scopes: frozenset[str]
    used_at: Millis | None
    expires_at: Millis | None


_SELECT = "SELECT digest, name, created_at, revoked_at, scopes, used_at, expires_at FROM api_token"


def add(
    tx: Tx, *, digest: str, name: str, now: Millis, scopes: Collection[str], expires_at: Millis | None = None
) -> bool:
    """Store a token once; False when it is known already, also when it was revoked: that lasts."""
    sql = (
        "INSERT INTO api_token (digest, name, created_at, scopes, expires_at)"
        " VALUES (:digest, :name, :now, :scopes, :expires_at) ON CONFLICT DO NOTHING RETURNING digest"
    )
    values = {"digest": digest, "name": name, "now": now, "expires_at": expires_at}
    return tx.value(sql, scopes=canonical(sorted(scopes)), **values) is not None


def working(tx: Tx, digest: str, now: Millis) -> ApiToken | None:
    """A token that is in use."""
    sql = f"{_SELECT} WHERE digest = :digest AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > :now)"
    row = tx.one(sql, digest=digest, now=now)
    return None if row is None else _token(row)


def used(tx: Tx, digest: str, now: Millis) -> None:
    """It was used just now."""
    tx.run("UPDATE api_token SET used_at = :now WHERE digest = :digest", digest=digest, now=now)


def everything(tx: Tx) -> list[ApiToken]:
    """All tokens, the newest first."""
    return [_token(row) for row in tx.rows(f"{_SELECT} ORDER BY created_at DESC, digest")]


def revoke(tx: Tx, digest: str, now: Millis) -> str | None:
    """Put a token out of use; its name, or None when there is no such token in use."""
    sql = "UPDATE api_token SET revoked_at = :now WHERE digest = :digest AND revoked_at IS NULL RETURNING name"
    found = tx.value(sql, digest=digest, now=now)
    return None if found is None else str(found)


def _token(row: dict[str, object]) -> ApiToken:
    return ApiToken(**{**row, "scopes": frozenset(json.loads(str(row["scopes"])))})  # type: ignore[arg-type] # a row's values are what the columns say
