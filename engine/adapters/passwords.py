"""Passwords: argon2id in at most two threads at a time, and what is too easy to guess (SEC-S7).

Each hash takes 64 MiB and about a tenth of a second on purpose; two at a time is what keeps a flood of sign-ins from
taking all memory.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib.resources import files
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

__all__ = ["LONGEST", "SHORTEST", "Passwords", "weakness"]

SHORTEST = 12
LONGEST = 256
_AT_ONCE = 2
_TOO_FEW_DIFFERENT = 5
T = TypeVar("T")


class Passwords:
    """Hashes and verifies. `memory_kib` and `rounds` are argon2's; tests make them small."""

    def __init__(self, memory_kib: int = 64 * 1024, rounds: int = 3) -> None:
        self._hasher = PasswordHasher(time_cost=rounds, memory_cost=memory_kib, parallelism=1)
        self._threads = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="passwords")
        self._dummy: str | None = None

    async def hashed(self, password: str) -> str:
        """The hash to store, parameters included."""
        return await self._away(self._hasher.hash, password)

    async def matches(self, hashed: str | None, password: str) -> bool:
        """Whether it is the password. Without a hash (nobody of that name) the answer is no, after the same time."""
        if self._dummy is None:
            self._dummy = await self.hashed("nobody's password")
        good = await self._away(self._verified, hashed or self._dummy, password)
        return good and hashed is not None

    def outdated(self, hashed: str) -> bool:
        """Whether it was made with other parameters than today's."""
        return self._hasher.check_needs_rehash(hashed)

    def close(self) -> None:
        """Let go of the threads."""
        self._threads.shutdown(wait=False)

    def _verified(self, hashed: str, password: str) -> bool:
        try:
            return self._hasher.verify(hashed, password)
        except (VerificationError, InvalidHashError):
            return False

    async def _away(self, call: Callable[..., T], *arguments: str) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, call, *arguments)


def weakness(password: str, email: str = "") -> str | None:
    """Why a password is refused, as a code, or None: password_short, password_long, password_common."""
    if len(password) < SHORTEST:
        return "password_short"
    if len(password) > LONGEST:
        return "password_long"
    folded = password.casefold()
    own = email.casefold()
    known = {*_common(), own.partition("@")[0], _letters(own.partition("@")[0]), _letters(own)} - {""}
    easy = len(set(folded)) < _TOO_FEW_DIFFERENT or any(
        _made_of(core, known) for core in (_letters(folded), _letters(folded.translate(_LOOKALIKES)))
    )
    return "password_common" if easy else None


_LOOKALIKES = str.maketrans("013457@$!", "oleastasi")
_MOST_WORDS = 3


@cache
def _common() -> frozenset[str]:
    text = files("engine.adapters").joinpath("common_passwords.txt").read_text(encoding="utf-8")
    return frozenset(word for line in text.splitlines() if not line.startswith("#") for word in line.split())


def _letters(text: str) -> str:
    return "".join(letter for letter in text if letter.isalpha())


def _made_of(core: str, known: set[str], most: int = _MOST_WORDS) -> bool:
    """Whether nothing but a few well-known words is left once digits and signs are taken out."""
    if not core:
        return True
    ends = (end for end in range(1, len(core) + 1) if core[:end] in known)
    return most > 0 and any(_made_of(core[end:], known, most - 1) for end in ends)
