"""A forgotten password: a link by mail for whoever has an account, and the same answer for everybody (SEC-S8).

What tells known people from unknown ones (a link is made, a message leaves) happens after the answer.
"""

from dataclasses import dataclass, field

from engine.core.errors import Refused
from engine.core.flow import HOUR, MINUTE
from engine.core.permissions import Actor
from engine.runtime import Runtime
from engine.services import attempts
from engine.services.accounts import KEY, TOKEN_BYTES, digest
from engine.services.attempts import ADDRESS, MAILED
from engine.store import accounts, audit
from engine.store.accounts import Account
from engine.store.connection import Tx

__all__ = ["LINK_LIFE", "Forgotten", "ask", "link"]

LINK_LIFE = HOUR
LEAST = 5 * MINUTE
"""Between two messages to the same person."""


@dataclass(frozen=True, slots=True)
class Forgotten:
    """Whom to write to, and the token of the link."""

    account: Account
    token: str = field(repr=False)


async def ask(runtime: Runtime, email: str, address: str) -> None:
    """Count that somebody asked. Raises Refused("sign_in_wait") after many from one place or for one address."""
    named = {f"mailed\0{email.strip().casefold()[:254]}": MAILED, f"mailed from\0{address}": ADDRESS}
    waits, now = attempts.keys(named), runtime.clock.now()
    await runtime.store.write(KEY, lambda tx: attempts.counted(tx, waits, now))


async def link(runtime: Runtime, email: str, address: str) -> Forgotten | None:
    """A link of an hour for somebody who has an account and a password; None for everybody else.

    Links that were made before still hold: whoever asks in somebody's name takes nothing from them.
    """
    now, token = runtime.clock.now(), runtime.ids.token(TOKEN_BYTES)
    wait = attempts.keys({f"mail to\0{email.strip().casefold()[:254]}": MAILED})

    def unit(tx: Tx) -> Forgotten | None:
        account = accounts.by_email(tx, email.strip().casefold()[:254]) if email.strip() else None
        if account is None or account.invited or account.disabled_at is not None:
            return None
        try:
            attempts.counted(tx, wait, now)
        except Refused:
            return None
        [key] = wait
        accounts.hold(tx, key, now + LEAST)
        accounts.add_link(
            tx, digest=digest(token), user_id=account.id, purpose="reset", now=now, expires_at=now + LINK_LIFE
        )
        audit.note(tx, now, Actor("?", address), "account.reset_mailed", subject=account.email)
        return Forgotten(account, token)

    return await runtime.store.write(KEY, unit)
