"""The password once more, before what must not happen on a screen that somebody left open (SEC-S10)."""

from engine.core.errors import Refused
from engine.core.permissions import Actor
from engine.runtime import Runtime
from engine.services import attempts
from engine.services.accounts import KEY
from engine.services.attempts import PAIR
from engine.services.sign_in import SignedIn
from engine.store import accounts, audit, sessions
from engine.store.connection import Tx

__all__ = ["prove"]


async def prove(runtime: Runtime, there: SignedIn, password: str, actor: Actor) -> None:
    """The session counts as proved for ten minutes. Raises Refused: password_wrong, sign_in_wait."""
    waits = attempts.keys({f"prove\0{there.account.id}\0{actor.address}": PAIR})

    def counted(tx: Tx) -> str | None:
        attempts.counted(tx, waits, runtime.clock.now())
        return accounts.password(tx, there.account.id)

    def unit(tx: Tx) -> None:
        now = runtime.clock.now()
        if good:
            attempts.forget(tx, waits, now)
            sessions.proved(tx, there.digest, now)
        else:
            audit.note(tx, now, actor, "session.not_proved", subject=there.account.email)

    stored = await runtime.store.write(KEY, counted)
    good = await runtime.passwords.matches(stored, password[:1024])
    await runtime.store.write(KEY, unit)
    if not good:
        raise Refused("password_wrong")
