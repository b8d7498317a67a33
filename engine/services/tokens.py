"""Bearer tokens of the HTTP API: what each may do, until when, and when it was used; only their digests are stored."""

from collections.abc import Collection
from enum import StrEnum

from engine.core.errors import NotFound, Refused
from engine.core.flow import MINUTE, Millis
from engine.core.permissions import Actor
from engine.runtime import Runtime
from engine.services.accounts import TOKEN_BYTES, digest
from engine.store import audit, tokens
from engine.store.connection import Tx
from engine.store.tokens import ApiToken

__all__ = ["ALL", "ApiToken", "Scope", "add", "everything", "grants", "known", "revoke", "working"]

KEY = "tokens"
USED_EVERY = MINUTE
"""A token's last use is written at most this often."""
NAME_LONGEST = 80
ALL = "*"


class Scope(StrEnum):
    """What a token may do."""

    READ = "read"
    """Look up people's conversations and published flows."""
    EVENTS = "events"
    """Send events of the customer's own systems."""
    METRICS = "metrics"
    """Read the figures of the machine."""


async def add(
    runtime: Runtime,
    name: str,
    actor: Actor,
    token: str | None = None,
    *,
    scopes: Collection[str] = (ALL,),
    expires_at: Millis | None = None,
) -> str:
    """A token for machines: the given one (again and again without harm) or a fresh one; it is shown only now.

    Raises Refused: name_unusable, scope_missing, not_a_moment for an end that is not to come.
    """
    own, now, called = token or runtime.ids.token(TOKEN_BYTES), runtime.clock.now(), name.strip()
    if not called or len(called) > NAME_LONGEST or not called.isprintable():
        raise Refused("name_unusable", longest=NAME_LONGEST)
    if not scopes or set(scopes) - {ALL, *Scope}:
        raise Refused("scope_missing")
    if expires_at is not None and expires_at <= now:
        raise Refused("not_a_moment")

    def unit(tx: Tx) -> None:
        if tokens.add(tx, digest=digest(own), name=called, now=now, scopes=scopes, expires_at=expires_at):
            facts = {"scopes": sorted(scopes), "expires_at": expires_at}
            audit.note(tx, now, actor, "token.added", subject=called, facts=facts)

    await runtime.store.write(KEY, unit)
    return own


async def working(runtime: Runtime, token: str) -> ApiToken | None:
    """A token in use, which is used by this; None for any other text."""
    now, own = runtime.clock.now(), digest(token)
    found = await runtime.store.read(lambda tx: tokens.working(tx, own, now))
    if found is not None and (found.used_at is None or found.used_at + USED_EVERY <= now):
        await runtime.store.write(KEY, lambda tx: tokens.used(tx, own, now))
    return found


async def known(runtime: Runtime, token: str) -> str | None:
    """The name of a token in use, or None."""
    found = await working(runtime, token)
    return None if found is None else found.name


def grants(token: ApiToken, scope: Scope) -> bool:
    """Whether the token may do it."""
    return bool(token.scopes & {ALL, scope})


async def everything(runtime: Runtime) -> list[ApiToken]:
    """All tokens, revoked ones too, the newest first."""
    return await runtime.store.read(tokens.everything)


async def revoke(runtime: Runtime, token_digest: str, actor: Actor) -> None:
    """Put a token out of use for good. Raises NotFound."""
    now = runtime.clock.now()

    def unit(tx: Tx) -> None:
        name = tokens.revoke(tx, token_digest, now)
        if name is None:
            raise NotFound("token", token_digest[:8])
        audit.note(tx, now, actor, "token.revoked", subject=name)

    await runtime.store.write(KEY, unit)
