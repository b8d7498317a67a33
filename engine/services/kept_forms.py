"""Forms that could not be sent: sealed, so that a page may carry them past a sign-in or a password and nobody reads them.

A form that came without a session belongs to the person whose session had ended, where that is known: somebody else who
signs in there never sees it.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.core.canonical import canonical
from engine.core.errors import BadSettings
from engine.core.flow import HOUR, Millis
from engine.runtime import Runtime
from engine.services.accounts import KEY, digest
from engine.store import sessions

__all__ = ["Kept", "drop", "held", "keep", "opened", "owner_of", "sealed", "unheld"]

LIFE = HOUR
PLACE = "form/kept"


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What was typed into the form of `page` for the address `path`; `owner` is 0 where nobody knows whose it is."""

    path: str
    page: str
    fields: Mapping[str, str]
    owner: int
    at: Millis


def sealed(runtime: Runtime, kept: Kept) -> str:
    """As a page may carry it."""
    whole = {"path": kept.path, "page": kept.page, "fields": dict(kept.fields), "owner": kept.owner, "at": kept.at}
    return runtime.vault.seal(canonical(whole), PLACE)


def opened(runtime: Runtime, text: str, user_id: int) -> Kept | None:
    """What was sealed, if it is of this person and not older than an hour."""
    try:
        kept = Kept(**json.loads(runtime.vault.open(text, PLACE)))
    except BadSettings:
        return None
    late = kept.at + LIFE <= runtime.clock.now()
    return None if late or kept.owner not in (0, user_id) else kept


async def owner_of(runtime: Runtime, token: str) -> int:
    """Whose session a token was, also when it has ended; 0 when nobody knows any more."""
    found = await runtime.store.read(lambda tx: sessions.by_digest(tx, digest(token)))
    return 0 if found is None else found.user_id


async def keep(runtime: Runtime, token: str, text: str) -> None:
    """The form waits with the session of this token."""
    await runtime.store.write(KEY, lambda tx: sessions.keep(tx, digest(token), text))


async def drop(runtime: Runtime, session_digest: str) -> None:
    """It was sent, or is not wanted."""
    await runtime.store.write(KEY, lambda tx: sessions.keep(tx, session_digest, None))


def held(runtime: Runtime, session_digest: str, path: str, pairs: Sequence[tuple[str, str]]) -> str:
    """The fields of a form that waits for a password, for this session and this address alone."""
    return runtime.vault.seal(canonical([list(pair) for pair in pairs]), f"form/{session_digest}/{path}")


def unheld(runtime: Runtime, session_digest: str, path: str, text: str) -> list[tuple[str, str]] | None:
    """The fields again; None for anything that was not sealed for this session and address."""
    try:
        pairs = json.loads(runtime.vault.open(text, f"form/{session_digest}/{path}"))
    except BadSettings:
        return None
    return [(str(name), str(value)) for name, value in pairs]
