"""Sign-ins that hold, by the digest of their token (SEC-S10)."""

from dataclasses import dataclass

from engine.core.flow import Millis
from engine.store.connection import Tx

__all__ = ["Session", "add", "by_digest", "drop", "drop_of", "keep", "of", "proved", "renew", "seen"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One sign-in on one device. `proved_at`: when the password was given last; `kept`: a sealed form to come back to."""

    digest: str
    user_id: int
    created_at: Millis
    seen_at: Millis
    expires_at: Millis
    address: str
    agent: str
    proved_at: Millis
    kept: str | None = None


_SELECT = "SELECT digest, user_id, created_at, seen_at, expires_at, address, agent, proved_at, kept FROM session"


def add(tx: Tx, session: Session) -> None:
    """Store a sign-in."""
    tx.run(
        "INSERT INTO session (digest, user_id, created_at, seen_at, expires_at, address, agent, proved_at, kept)"
        " VALUES (:digest, :user_id, :created_at, :seen_at, :expires_at, :address, :agent, :proved_at, :kept)",
        **{name: getattr(session, name) for name in session.__slots__},
    )


def by_digest(tx: Tx, digest: str) -> Session | None:
    """The sign-in with this digest, expired or not."""
    row = tx.one(f"{_SELECT} WHERE digest = :digest", digest=digest)
    return None if row is None else Session(**row)


def of(tx: Tx, user_id: int) -> list[Session]:
    """Everything that somebody is signed in on, the last used first."""
    rows = tx.rows(f"{_SELECT} WHERE user_id = :id ORDER BY seen_at DESC, digest", id=user_id)
    return [Session(**row) for row in rows]


def seen(tx: Tx, digest: str, now: Millis) -> None:
    """The session was used."""
    tx.run("UPDATE session SET seen_at = :now WHERE digest = :digest AND seen_at < :now", digest=digest, now=now)


def proved(tx: Tx, digest: str, now: Millis) -> None:
    """The password was given again."""
    tx.run("UPDATE session SET proved_at = :now WHERE digest = :digest", digest=digest, now=now)


def renew(tx: Tx, digest: str, fresh: str) -> bool:
    """The session goes on under another token's digest; False when there is none."""
    sql = "UPDATE session SET digest = :fresh WHERE digest = :digest RETURNING digest"
    return tx.value(sql, digest=digest, fresh=fresh) is not None


def keep(tx: Tx, digest: str, kept: str | None) -> None:
    """A form to come back to, or none any more."""
    tx.run("UPDATE session SET kept = :kept WHERE digest = :digest", digest=digest, kept=kept)


def drop(tx: Tx, digest: str) -> bool:
    """End a session; False when there was none."""
    return tx.value("DELETE FROM session WHERE digest = :digest RETURNING digest", digest=digest) is not None


def drop_of(tx: Tx, user_id: int, *, keep: str = "", idle_since: Millis | None = None) -> None:
    """End all sessions of somebody but one, or only those not used since an instant."""
    sql = "DELETE FROM session WHERE user_id = :id AND digest <> :keep"
    if idle_since is None:
        tx.run(sql, id=user_id, keep=keep)
    else:
        tx.run(f"{sql} AND seen_at < :idle_since", id=user_id, keep=keep, idle_since=idle_since)
