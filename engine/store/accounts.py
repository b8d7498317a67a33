"""People of the team, their one-time links, and how often a sign-in failed. Secrets come in as digests only."""

from dataclasses import dataclass
from typing import Any

from engine.core.flow import Millis
from engine.store.connection import Tx

__all__ = [
    "Account", "Link", "add", "add_link", "by_email", "by_id", "change", "clear_attempts", "count_attempt",
    "drop_links", "everybody", "has_working_admin", "hold", "link", "password", "seen", "set_password", "use_link",
    "wait_until",
]  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """Somebody of the team. `invited`: no password yet; `guarded`: a second factor is asked at sign-in."""

    id: int
    email: str
    name: str
    role: str
    invited: bool
    language: str | None
    theme: str | None
    created_at: Millis
    disabled_at: Millis | None
    guarded: bool
    seen_at: Millis | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A one-time link, by its digest. `purpose`: invite, first_admin or reset."""

    digest: str
    user_id: int
    purpose: str
    expires_at: Millis
    used_at: Millis | None


_COLUMNS = """id, email, name, role, password IS NULL AS invited, language, theme, created_at, disabled_at,
 totp IS NOT NULL AS guarded, seen_at"""
_CHANGEABLE = ("email", "name", "role", "language", "theme", "disabled_at")


def add(tx: Tx, *, email: str, name: str, role: str, now: Millis) -> int:
    """A new account without a password; returns its id. Raises Conflict when the address is taken."""
    return int(
        tx.value(
            "INSERT INTO account (email, name, role, password, failures, locked_until, totp_step, created_at)"
            " VALUES (:email, :name, :role, NULL, 0, 0, 0, :now) RETURNING id",
            email=email,
            name=name,
            role=role,
            now=now,
        )
    )


def by_email(tx: Tx, email: str) -> Account | None:
    """The account with an address, in lower case."""
    return _account(tx.one(f"SELECT {_COLUMNS} FROM account WHERE email = :email", email=email))


def by_id(tx: Tx, user_id: int) -> Account | None:
    """The account with an id."""
    return _account(tx.one(f"SELECT {_COLUMNS} FROM account WHERE id = :id", id=user_id))


def everybody(tx: Tx) -> list[Account]:
    """All accounts, by name and address."""
    rows = tx.rows(f"SELECT {_COLUMNS} FROM account ORDER BY name, email")
    return [account for row in rows if (account := _account(row)) is not None]


def has_working_admin(tx: Tx) -> bool:
    """Whether some admin can sign in."""
    sql = "SELECT 1 FROM account WHERE role = 'admin' AND password IS NOT NULL AND disabled_at IS NULL LIMIT 1"
    return tx.value(sql) is not None


def change(tx: Tx, user_id: int, **values: object) -> None:
    """Change some of: email, name, role, language, theme, disabled_at. Raises Conflict when the address is taken."""
    unknown = set(values) - set(_CHANGEABLE)
    if unknown:
        raise ValueError(f"not changeable: {sorted(unknown)}")
    fields = ", ".join(f"{name} = :{name}" for name in sorted(values))
    tx.run(f"UPDATE account SET {fields} WHERE id = :id", id=user_id, **values)


def password(tx: Tx, user_id: int) -> str | None:
    """The password's hash, or None before the invitation is used."""
    found = tx.value("SELECT password FROM account WHERE id = :id", id=user_id)
    return None if found is None else str(found)


def set_password(tx: Tx, user_id: int, hashed: str) -> None:
    """Replace the password's hash."""
    tx.run("UPDATE account SET password = :hashed WHERE id = :id", id=user_id, hashed=hashed)


def seen(tx: Tx, user_id: int, now: Millis) -> None:
    """Somebody was here."""
    tx.run("UPDATE account SET seen_at = :now WHERE id = :id", id=user_id, now=now)


def add_link(tx: Tx, *, digest: str, user_id: int, purpose: str, now: Millis, expires_at: Millis) -> None:
    """A new one-time link."""
    tx.run(
        "INSERT INTO one_time_link (digest, user_id, purpose, created_at, expires_at)"
        " VALUES (:digest, :user_id, :purpose, :now, :expires_at)",
        digest=digest,
        user_id=user_id,
        purpose=purpose,
        now=now,
        expires_at=expires_at,
    )


def link(tx: Tx, digest: str) -> Link | None:
    """A one-time link, used or not."""
    sql = "SELECT digest, user_id, purpose, expires_at, used_at FROM one_time_link WHERE digest = :digest"
    row = tx.one(sql, digest=digest)
    return None if row is None else Link(**row)


def use_link(tx: Tx, digest: str, now: Millis) -> bool:
    """Use a link up; False when it is used, expired or unknown. Of two at once, one gets True."""
    sql = (
        "UPDATE one_time_link SET used_at = :now WHERE digest = :digest AND used_at IS NULL AND expires_at > :now"
        " RETURNING digest"
    )
    return tx.value(sql, digest=digest, now=now) is not None


def drop_links(tx: Tx, user_id: int) -> None:
    """Forget every unused link of an account."""
    tx.run("DELETE FROM one_time_link WHERE user_id = :id AND used_at IS NULL", id=user_id)


def wait_until(tx: Tx, keys: list[str]) -> Millis:
    """The latest instant before which these keys must not try again; 0 when they may."""
    return int(tx.value("SELECT coalesce(max(until), 0) FROM attempt WHERE key IN :keys", keys=keys))


def count_attempt(tx: Tx, key: str, now: Millis) -> int:
    """One more failure for a key; returns how many there are."""
    sql = (
        "INSERT INTO attempt (key, failures, until, at) VALUES (:key, 1, 0, :now)"
        " ON CONFLICT (key) DO UPDATE SET failures = attempt.failures + 1, at = :now RETURNING failures"
    )
    return int(tx.value(sql, key=key, now=now))


def hold(tx: Tx, key: str, until: Millis) -> None:
    """Nobody tries with this key before an instant."""
    tx.run("UPDATE attempt SET until = :until WHERE key = :key", key=key, until=until)


def clear_attempts(tx: Tx, keys: list[str], older_than: Millis) -> None:
    """Forget these keys, and all that were last tried before an instant."""
    tx.run("DELETE FROM attempt WHERE key IN :keys OR at < :older", keys=keys, older=older_than)


def _account(row: dict[str, Any] | None) -> Account | None:
    return None if row is None else Account(**{**row, **{name: bool(row[name]) for name in ("invited", "guarded")}})
