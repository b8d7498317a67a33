"""Signing in and staying signed in (SEC-S8, SEC-S10).

An attempt is counted before the password is looked at, so a flood of parallel guesses meets the same waits as one after
the other. Waits are kept by account and address, so that the right person on another address is let in, whatever
somebody else guesses; they never say whether the account exists.
"""

import hmac
from dataclasses import dataclass
from hashlib import sha256

from engine.core.errors import Refused
from engine.core.flow import DAY, HOUR, MINUTE, SECOND, Millis
from engine.runtime import Runtime
from engine.services.accounts import KEY, TOKEN_BYTES, digest
from engine.store import accounts, audit, sessions
from engine.store.accounts import Account
from engine.store.connection import Tx
from engine.store.sessions import Session

__all__ = ["Session", "SignedIn", "csrf_holds", "list_sessions", "revoke", "session", "sign_in", "sign_out"]

IDLE = HOUR
ABSOLUTE = 12 * HOUR
SEEN_EVERY = MINUTE
"""A session's last use is written at most this often."""


@dataclass(frozen=True, slots=True)
class Wait:
    """How failures slow down: after `free` of them each wait is twice the last, from 1 s up to `longest`."""

    free: int
    longest: Millis

    def after(self, failures: int) -> Millis:
        """The wait that follows so many failures."""
        over = failures - self.free
        return 0 if over <= 0 else min(SECOND << min(over - 1, 20), self.longest)


PAIR, ACCOUNT, ADDRESS = Wait(5, 15 * MINUTE), Wait(30, 20 * SECOND), Wait(50, 15 * MINUTE)


@dataclass(frozen=True, slots=True)
class SignedIn:
    """Who is there. `csrf` belongs to this session alone (SEC-S13); `digest` names the session."""

    account: Account
    session: Session
    csrf: str

    @property
    def digest(self) -> str:
        """The session's name, not a secret."""
        return self.session.digest


async def sign_in(
    runtime: Runtime, email: str, password: str, address: str, *, agent: str = "", previous: str | None = None
) -> str:
    """The token of a new session; the `previous` one of this browser ends.

    Raises Refused("sign_in_failed") for an unknown account, a wrong password or somebody disabled alike, and
    Refused("sign_in_wait", wait=milliseconds) when there were too many attempts.
    """
    plain, now = email.strip().casefold()[:254], runtime.clock.now()
    waits = _keys(plain, address)
    account, stored = await runtime.store.write(KEY, lambda tx: _counted(tx, plain, waits, now))
    good = await runtime.passwords.matches(stored, password[:1024])
    if account is None or not good:
        await runtime.store.write(KEY, lambda tx: _failed(tx, plain, account, address, runtime.clock.now()))
        raise Refused("sign_in_failed")
    fresh = await runtime.passwords.hashed(password) if stored and runtime.passwords.outdated(stored) else None
    token, now = runtime.ids.token(TOKEN_BYTES), runtime.clock.now()

    def unit(tx: Tx) -> None:
        current = accounts.by_id(tx, account.id)
        if current is None or current.disabled_at is not None or accounts.password(tx, account.id) != stored:
            raise Refused("sign_in_failed")
        if fresh is not None:
            accounts.set_password(tx, account.id, fresh)
        if previous is not None:
            sessions.drop(tx, digest(previous))
        sessions.drop_of(tx, account.id, idle_since=now - IDLE)
        accounts.clear_attempts(tx, list(waits), now - DAY)
        sessions.add(
            tx,
            Session(
                digest=digest(token),
                user_id=account.id,
                created_at=now,
                seen_at=now,
                expires_at=now + ABSOLUTE,
                address=address,
                agent=agent[:200],
            ),
        )
        audit.append(tx, at=now, who=account.email, what="session.started", subject=account.email, address=address)

    await runtime.store.write(KEY, unit)
    return token


async def session(runtime: Runtime, token: str) -> SignedIn | None:
    """Who holds this token, or None when it is unknown, idle for an hour, or 12 hours old. Using it keeps it alive."""
    now, own = runtime.clock.now(), digest(token)

    def unit(tx: Tx) -> SignedIn | None:
        found = sessions.by_digest(tx, own)
        if found is None or found.expires_at <= now or found.seen_at + IDLE <= now:
            return None
        account = accounts.by_id(tx, found.user_id)
        if account is None or account.disabled_at is not None:
            return None
        return SignedIn(account, found, _csrf(token))

    there = await runtime.store.read(unit)
    if there is not None and there.session.seen_at + SEEN_EVERY <= now:
        await runtime.store.write(own, lambda tx: sessions.seen(tx, own, now))
    return there


def csrf_holds(there: SignedIn, given: str) -> bool:
    """Whether a form's token belongs to this very session."""
    return hmac.compare_digest(there.csrf.encode(), given.encode())


async def sign_out(runtime: Runtime, token: str) -> None:
    """End the session of this token."""
    await runtime.store.write(KEY, lambda tx: sessions.drop(tx, digest(token)))


async def list_sessions(runtime: Runtime, user_id: int) -> list[Session]:
    """What somebody is signed in on now."""
    now = runtime.clock.now()
    found = await runtime.store.read(lambda tx: sessions.of(tx, user_id))
    return [one for one in found if one.expires_at > now and one.seen_at + IDLE > now]


async def revoke(runtime: Runtime, user_id: int, session_digest: str | None = None) -> None:
    """End one session of somebody, or all."""

    def unit(tx: Tx) -> None:
        if session_digest is None:
            sessions.drop_of(tx, user_id)
        elif (found := sessions.by_digest(tx, session_digest)) is not None and found.user_id == user_id:
            sessions.drop(tx, session_digest)

    await runtime.store.write(KEY, unit)


def _keys(email: str, address: str) -> dict[str, Wait]:
    """What an attempt is counted under. Digests: no list of addresses that were tried is kept."""
    named = {f"pair\0{email}\0{address}": PAIR, f"account\0{email}": ACCOUNT, f"address\0{address}": ADDRESS}
    return {sha256(name.encode("utf-8", "replace")).hexdigest(): wait for name, wait in named.items()}


def _counted(tx: Tx, email: str, waits: dict[str, Wait], now: Millis) -> tuple[Account | None, str | None]:
    until = accounts.wait_until(tx, list(waits))
    if until > now:
        raise Refused("sign_in_wait", wait=until - now)
    for key, wait in sorted(waits.items()):
        accounts.hold(tx, key, now + wait.after(accounts.count_attempt(tx, key, now)))
    account = accounts.by_email(tx, email) if email else None
    if account is None or account.disabled_at is not None:
        return None, None
    return account, accounts.password(tx, account.id)


def _failed(tx: Tx, email: str, account: Account | None, address: str, now: Millis) -> None:
    # Of an unknown name nothing is repeated: people type passwords into the wrong field.
    subject = email if account is not None else ""
    audit.append(tx, at=now, who=subject or "?", what="session.refused", subject=subject, address=address)


def _csrf(token: str) -> str:
    """Keyed by the session's own token, which only the browser's cookie holds: a copy of the database forges none."""
    return hmac.new(token.encode(), b"csrf", sha256).hexdigest()
