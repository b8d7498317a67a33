"""Second factors: sealed seeds, the steps whose codes were used, recovery codes, and sign-ins that owe a code (SEC-S9)."""

from collections.abc import Collection
from dataclasses import dataclass

from engine.core.flow import Millis
from engine.store.connection import Tx

__all__ = [
    "Owed", "Seeds", "begin", "codes_left", "confirm", "drop", "finish", "owe", "owed", "replace_codes", "seeds",
    "use_code", "use_step",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Seeds:
    """The sealed seed in use and one that waits to be confirmed; `step` is the last whose code was used."""

    totp: str | None
    totp_pending: str | None
    totp_step: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Owed:
    """A right password that waits for its code."""

    digest: str
    user_id: int
    created_at: Millis
    expires_at: Millis
    address: str
    agent: str


def seeds(tx: Tx, user_id: int) -> Seeds | None:
    """What an account has, None when there is no such account."""
    row = tx.one("SELECT totp, totp_pending, totp_step FROM account WHERE id = :id", id=user_id)
    return None if row is None else Seeds(**row)


def begin(tx: Tx, user_id: int, sealed: str) -> None:
    """A seed that waits to be confirmed."""
    tx.run("UPDATE account SET totp_pending = :sealed WHERE id = :id", id=user_id, sealed=sealed)


def confirm(tx: Tx, user_id: int, sealed: str, step: int) -> bool:
    """The seed that waits is in use from now on; False when another one waits by now."""
    sql = (
        "UPDATE account SET totp = totp_pending, totp_pending = NULL, totp_step = :step"
        " WHERE id = :id AND totp_pending = :sealed RETURNING id"
    )
    return tx.value(sql, id=user_id, sealed=sealed, step=step) is not None


def use_step(tx: Tx, user_id: int, sealed: str, step: int) -> bool:
    """The code of a step is used; False when it, or a later one, was used before. Of two at once, one gets True."""
    sql = "UPDATE account SET totp_step = :step WHERE id = :id AND totp = :sealed AND totp_step < :step RETURNING id"
    return tx.value(sql, id=user_id, sealed=sealed, step=step) is not None


def drop(tx: Tx, user_id: int) -> bool:
    """No second factor any more, nor its recovery codes; False when there was none."""
    tx.run("DELETE FROM recovery_code WHERE user_id = :id", id=user_id)
    sql = "UPDATE account SET totp = NULL, totp_pending = NULL, totp_step = 0 WHERE id = :id AND totp IS NOT NULL"
    return tx.value(f"{sql} RETURNING id", id=user_id) is not None


def replace_codes(tx: Tx, user_id: int, digests: Collection[str]) -> None:
    """These recovery codes and no others."""
    tx.run("DELETE FROM recovery_code WHERE user_id = :id", id=user_id)
    for digest in digests:
        tx.run("INSERT INTO recovery_code (digest, user_id) VALUES (:digest, :id)", digest=digest, id=user_id)


def use_code(tx: Tx, user_id: int, digest: str, now: Millis) -> bool:
    """Use a recovery code up; False when it is none of this person, or was used before."""
    sql = (
        "UPDATE recovery_code SET used_at = :now WHERE digest = :digest AND user_id = :id AND used_at IS NULL"
        " RETURNING digest"
    )
    return tx.value(sql, digest=digest, id=user_id, now=now) is not None


def codes_left(tx: Tx, user_id: int) -> int:
    """How many recovery codes were not used."""
    return int(tx.value("SELECT count(*) FROM recovery_code WHERE user_id = :id AND used_at IS NULL", id=user_id))


def owe(tx: Tx, step: Owed) -> None:
    """Somebody gave the right password; whatever they owed from before is over, and so is what nobody came back for."""
    tx.run("DELETE FROM second_step WHERE user_id = :id OR expires_at <= :now", id=step.user_id, now=step.created_at)
    tx.run(
        "INSERT INTO second_step (digest, user_id, created_at, expires_at, address, agent)"
        " VALUES (:digest, :user_id, :created_at, :expires_at, :address, :agent)",
        **{name: getattr(step, name) for name in step.__slots__},
    )


def owed(tx: Tx, digest: str, now: Millis) -> Owed | None:
    """What a browser owes."""
    sql = (
        "SELECT digest, user_id, created_at, expires_at, address, agent FROM second_step"
        " WHERE digest = :digest AND expires_at > :now"
    )
    row = tx.one(sql, digest=digest, now=now)
    return None if row is None else Owed(**row)


def finish(tx: Tx, digest: str) -> bool:
    """It is paid; of two at once, one gets True."""
    return tx.value("DELETE FROM second_step WHERE digest = :digest RETURNING digest", digest=digest) is not None
