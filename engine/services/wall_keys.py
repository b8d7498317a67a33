"""Keys of wall screens: each opens the columns of one flow, read only, and nothing else. Only digests are stored."""

from engine.core.errors import NotFound, Refused
from engine.core.folding import sanitise, visible
from engine.core.permissions import Actor
from engine.runtime import Runtime
from engine.services.accounts import TOKEN_BYTES, digest
from engine.store import audit, flows, wall_keys
from engine.store.connection import Tx
from engine.store.wall_keys import WallKey

__all__ = ["WallKey", "add", "everything", "flow_of", "revoke"]

KEY, LONGEST = "wall_keys", 60


async def add(runtime: Runtime, name: str, flow: str, actor: Actor) -> str:
    """A fresh key, shown only now. Raises NotFound for a flow that is not live, Refused("wall_name")."""
    own, now, named = runtime.ids.token(TOKEN_BYTES), runtime.clock.now(), " ".join(sanitise(name)[0].split())
    if not visible(named) or len(named) > LONGEST:
        raise Refused("wall_name", most=LONGEST)

    def unit(tx: Tx) -> None:
        if flows.live(tx, flow) is None:
            raise NotFound("live flow", flow)
        wall_keys.add(tx, digest=digest(own), name=named, flow=flow, who=actor.who, now=now)
        facts = {"flow": flow}
        audit.append(
            tx, at=now, who=actor.who, what="wall_key.added", subject=named, facts=facts, address=actor.address
        )

    await runtime.store.write(KEY, unit)
    return own


async def flow_of(runtime: Runtime, key: str) -> str | None:
    """The flow that a key opens, None when it opens nothing any more."""
    return await runtime.store.read(lambda tx: wall_keys.flow_of(tx, digest(key)))


async def everything(runtime: Runtime) -> list[WallKey]:
    """All keys, revoked ones too."""
    return await runtime.store.read(wall_keys.everything)


async def revoke(runtime: Runtime, key_digest: str, actor: Actor) -> None:
    """Put a key out of use for good. Raises NotFound."""
    now = runtime.clock.now()

    def unit(tx: Tx) -> None:
        name = wall_keys.revoke(tx, key_digest, now)
        if name is None:
            raise NotFound("wall key", key_digest[:8])
        audit.append(tx, at=now, who=actor.who, what="wall_key.revoked", subject=name, address=actor.address)

    await runtime.store.write(KEY, unit)
