"""Bearer tokens of the HTTP API: only their digests are stored."""

from engine.core.errors import NotFound
from engine.core.permissions import Actor
from engine.runtime import Runtime
from engine.services.accounts import TOKEN_BYTES, digest
from engine.store import audit, tokens
from engine.store.connection import Tx
from engine.store.tokens import ApiToken

__all__ = ["ApiToken", "add", "everything", "known", "revoke"]

KEY = "tokens"


async def add(runtime: Runtime, name: str, actor: Actor, token: str | None = None) -> str:
    """A token for machines: the given one (again and again without harm) or a fresh one; it is shown only now."""
    own, now = token or runtime.ids.token(TOKEN_BYTES), runtime.clock.now()

    def unit(tx: Tx) -> None:
        if tokens.add(tx, digest=digest(own), name=name, now=now):
            audit.append(tx, at=now, who=actor.who, what="token.added", subject=name, address=actor.address)

    await runtime.store.write(KEY, unit)
    return own


async def known(runtime: Runtime, token: str) -> str | None:
    """The name of a token in use, or None."""
    return await runtime.store.read(lambda tx: tokens.name_of(tx, digest(token)))


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
        audit.append(tx, at=now, who=actor.who, what="token.revoked", subject=name, address=actor.address)

    await runtime.store.write(KEY, unit)
