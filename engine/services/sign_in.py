"""Signing in and staying signed in (SEC-S8, SEC-S10).

Waits are kept by account and address, so that the right person on another address is let in, whatever somebody else
guesses; they never say whether the account exists. Who has a second factor gets no session for a password, only something
that owes a code (`engine/services/second_factor.py`).
"""

import hmac
from dataclasses import dataclass, field
from hashlib import sha256

from engine.core.errors import Refused
from engine.core.flow import HOUR, MINUTE, Millis
from engine.core.permissions import Actor
from engine.runtime import Runtime
from engine.services import attempts, business, safeguards
from engine.services.accounts import KEY, TOKEN_BYTES, digest
from engine.services.safeguards import Safeguards
from engine.store import accounts, approvals, audit, factors, sessions, views
from engine.store.accounts import Account
from engine.store.connection import Tx
from engine.store.factors import Owed
from engine.store.halt import Halt, halted
from engine.store.sessions import Session

__all__ = [
    "OWED_FOR", "Owing", "Session", "SignedIn", "begun", "csrf_holds", "list_sessions", "renewed", "revoke", "session",
    "sign_in", "sign_out",
]  # fmt: skip

IDLE = HOUR
ABSOLUTE = 12 * HOUR
SEEN_EVERY = MINUTE
"""A session's last use is written at most this often."""
OWED_FOR = 10 * MINUTE
"""Time to type the code after the password."""
PROVED_FOR = 10 * MINUTE
"""For how long a password that was given counts for what asks for it again."""


@dataclass(frozen=True, slots=True)
class Owing:
    """The password was right and a code is owed; `token` is for the browser that gave it, and signs nobody in."""

    token: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class SignedIn:
    """Who is there. `csrf` belongs to this session alone (SEC-S13); `digest` names the session. `proved`: the password
    was given in the last ten minutes.
    """

    account: Account
    session: Session
    csrf: str = field(repr=False)
    rules: Safeguards = field(default=Safeguards())
    proved: bool = True
    stopped: Halt | None = None
    """The stop of all sends that is on, for every page to tell."""
    approvals: int = 0
    """How many requests wait for somebody's approval, for the bar of every page."""
    needing: int = 0
    """How many conversations need a person for another reason, at most `views.MANY`."""
    business: str = ""
    """What the business is called."""

    @property
    def digest(self) -> str:
        """The session's name, not a secret."""
        return self.session.digest

    @property
    def must_enrol(self) -> bool:
        """Whether a second factor is required of this person, who has none."""
        return not self.account.guarded and self.rules.requires_factor(self.account.role)


async def sign_in(
    runtime: Runtime, email: str, password: str, address: str, *, agent: str = "", previous: str | None = None
) -> str | Owing:
    """The token of a new session, the `previous` one of this browser ends; or what owes a code.

    Raises Refused("sign_in_failed") for an unknown account, a wrong password or somebody disabled alike, and
    Refused("sign_in_wait", wait=milliseconds) when there were too many attempts.
    """
    plain, now = email.strip().casefold()[:254], runtime.clock.now()
    waits = _waits(plain, address)
    account, stored = await runtime.store.write(KEY, lambda tx: _counted(tx, plain, waits, now))
    good = await runtime.passwords.matches(stored, password[:1024])
    if account is None or not good:
        await runtime.store.write(KEY, lambda tx: _failed(tx, plain, account, address, runtime.clock.now()))
        raise Refused("sign_in_failed")
    fresh = await runtime.passwords.hashed(password) if stored and runtime.passwords.outdated(stored) else None
    token, now = runtime.ids.token(TOKEN_BYTES), runtime.clock.now()

    def unit(tx: Tx) -> str | Owing:
        current = accounts.by_id(tx, account.id)
        if current is None or current.disabled_at is not None or accounts.password(tx, account.id) != stored:
            raise Refused("sign_in_failed")
        if fresh is not None:
            accounts.set_password(tx, account.id, fresh)
        attempts.forget(tx, waits, now)
        if current.guarded:
            until = now + OWED_FOR
            owed = Owed(
                digest=digest(token),
                user_id=current.id,
                created_at=now,
                expires_at=until,
                address=address,
                agent=agent[:200],
            )
            factors.owe(tx, owed)
            return Owing(token)
        begun(tx, current, token, Actor(current.email, address), now, agent=agent, previous=previous)
        return token

    return await runtime.store.write(KEY, unit)


def begun(
    tx: Tx, account: Account, token: str, actor: Actor, now: Millis, *, agent: str = "", previous: str | None = None
) -> None:
    """A new session, within the caller's unit; the `previous` one of the browser ends, and idle ones of the person."""
    if previous is not None:
        sessions.drop(tx, digest(previous))
    sessions.drop_of(tx, account.id, idle_since=now - IDLE)
    made = Session(
        digest=digest(token),
        user_id=account.id,
        created_at=now,
        seen_at=now,
        expires_at=now + ABSOLUTE,
        address=actor.address,
        agent=agent[:200],
        proved_at=now,
    )
    sessions.add(tx, made)
    accounts.seen(tx, account.id, now)
    audit.note(tx, now, actor, "session.started", subject=account.email)


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
        proved = now < found.proved_at + PROVED_FOR
        return SignedIn(
            account,
            found,
            _csrf(token),
            safeguards.within(tx),
            proved,
            halted(tx),
            approvals.count(tx),
            views.needing(tx),
            business.within(tx),
        )

    def seen(tx: Tx, user_id: int) -> None:
        sessions.seen(tx, own, now)
        accounts.seen(tx, user_id, now)

    there = await runtime.store.read(unit)
    if there is not None and there.session.seen_at + SEEN_EVERY <= now:
        await runtime.store.write(own, lambda tx: seen(tx, there.account.id))
    return there


def csrf_holds(there: SignedIn, given: str) -> bool:
    """Whether a form's token belongs to this very session."""
    return hmac.compare_digest(there.csrf.encode(), given.encode())


async def sign_out(runtime: Runtime, token: str) -> None:
    """End the session of this token."""
    await runtime.store.write(KEY, lambda tx: sessions.drop(tx, digest(token)))


async def renewed(runtime: Runtime, token: str) -> str:
    """A new secret for a session that goes on: what was known of it before is worth nothing (SEC-S10)."""
    fresh = runtime.ids.token(TOKEN_BYTES)
    there = await runtime.store.write(KEY, lambda tx: sessions.renew(tx, digest(token), digest(fresh)))
    return fresh if there else token


async def list_sessions(runtime: Runtime, user_id: int) -> list[Session]:
    """What somebody is signed in on now."""
    now = runtime.clock.now()
    found = await runtime.store.read(lambda tx: sessions.of(tx, user_id))
    return [one for one in found if one.expires_at > now and one.seen_at + IDLE > now]


async def revoke(
    runtime: Runtime, user_id: int, session_digest: str | None = None, *, actor: Actor | None = None, keep: str = ""
) -> None:
    """End one session of somebody, or all but the one to `keep`; with an actor the audit log says so."""
    now = runtime.clock.now()

    def unit(tx: Tx) -> None:
        if session_digest is None:
            sessions.drop_of(tx, user_id, keep=keep)
        elif (found := sessions.by_digest(tx, session_digest)) is not None and found.user_id == user_id:
            sessions.drop(tx, session_digest)
        account = accounts.by_id(tx, user_id)
        if actor is not None and account is not None:
            facts = {"all": session_digest is None}
            audit.note(tx, now, actor, "session.revoked", subject=account.email, facts=facts)

    await runtime.store.write(KEY, unit)


def _waits(email: str, address: str) -> dict[str, attempts.Wait]:
    return attempts.keys(
        {
            f"pair\0{email}\0{address}": attempts.PAIR,
            f"account\0{email}": attempts.ACCOUNT,
            f"address\0{address}": attempts.ADDRESS,
        }
    )


def _counted(tx: Tx, email: str, waits: dict[str, attempts.Wait], now: Millis) -> tuple[Account | None, str | None]:
    attempts.counted(tx, waits, now)
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
