"""How guessing is slowed down: by waits that double, and never by shutting the right person out (SEC-S8).

An attempt is counted before it is looked at, so a flood of parallel guesses meets the same waits as one after the other.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256

from engine.core.errors import Refused
from engine.core.flow import DAY, MINUTE, SECOND, Millis
from engine.store import accounts
from engine.store.connection import Tx

__all__ = ["ACCOUNT", "ADDRESS", "CODE", "MAILED", "PAIR", "Wait", "counted", "forget", "keys"]


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
CODE = Wait(5, 15 * MINUTE)
"""Codes of one person, wherever they come from: whoever guesses them knows the password already."""
MAILED = Wait(3, 15 * MINUTE)
"""Messages to one address."""


def keys(named: Mapping[str, Wait]) -> dict[str, Wait]:
    """What attempts are counted under. Digests: no list of addresses that were tried is kept."""
    return {sha256(name.encode("utf-8", "replace")).hexdigest(): wait for name, wait in named.items()}


def counted(tx: Tx, waits: Mapping[str, Wait], now: Millis) -> None:
    """One more attempt. Raises Refused("sign_in_wait", wait=milliseconds) when there were too many."""
    until = accounts.wait_until(tx, list(waits))
    if until > now:
        raise Refused("sign_in_wait", wait=until - now)
    for key, wait in sorted(waits.items()):
        accounts.hold(tx, key, now + wait.after(accounts.count_attempt(tx, key, now)))


def forget(tx: Tx, waits: Mapping[str, Wait], now: Millis) -> None:
    """The right person was there: these are over, and so is whatever was tried a day ago."""
    accounts.clear_attempts(tx, list(waits), now - DAY)
