"""Payment sources: adding, changing and removing them, and finding the one that a webhook is for.

As with channels nothing is kept in memory: a change by one process holds for the next webhook of every other.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from engine.adapters.payments import registry
from engine.adapters.payments.protocol import SourceConfig
from engine.adapters.secrets import Vault
from engine.core.errors import Conflict, NotFound, Refused
from engine.core.flow import Millis
from engine.core.permissions import Actor
from engine.runtime import Runtime
from engine.services.connections import merged, opened, sealed, sorted_out, usable_flow, usable_name, usable_token
from engine.store import audit, sources
from engine.store.connection import Tx
from engine.store.sources import StoredSource

__all__ = ["EVENTS", "SourceRecord", "add", "by_name", "change", "everything", "record", "remove", "source_by_token"]

KEY = "sources"
TABLE = "payment_source"
EVENTS: Mapping[str, str] = {
    "approved": "pagamento_aprovado",
    "refused": "pagamento_recusado",
    "pix": "pix_gerado",
    "boleto": "boleto_impresso",
    "abandoned": "checkout_abandonado",
    "refunded": "reembolso",
    "charged_back": "chargeback",
    "expired": "expirado",
}
"""The event that each outcome becomes, unless the source says otherwise."""
_EVENT_PREFIX = "event."
"""`--set event.approved=NAME` says which event of the flow an outcome becomes, where it is not the usual one."""


@dataclass(frozen=True, slots=True)
class SourceRecord:
    """A payment source in use, secrets in clear inside `config` (and never in its `repr`).

    `events` says for every outcome which event of the flow it becomes.
    """

    config: SourceConfig
    token: str
    flow: str
    events: Mapping[str, str]
    created_at: Millis

    @property
    def id(self) -> int:
        """Its id."""
        return self.config.id


def record(vault: Vault, stored: StoredSource) -> SourceRecord:
    """A stored source with its secrets opened. Raises BadSettings when the key is another one."""
    config = SourceConfig(
        id=stored.id,
        platform=stored.platform,
        name=stored.name,
        settings=stored.settings,
        secrets=opened(vault, TABLE, stored.id, stored.sealed),
    )
    return SourceRecord(config, stored.token, stored.flow, {**EVENTS, **stored.events}, stored.created_at)


async def add(
    runtime: Runtime,
    platform: str,
    name: str,
    flow: str,
    actor: Actor,
    *,
    token: str | None = None,
    values: Mapping[str, str] | None = None,
) -> SourceRecord:
    """A new source.

    Raises NotFound (platform, flow) and Refused: name_unusable, name_or_token_taken, token_unusable, key_unknown,
    value_too_long.
    """
    secret_keys, plain, own = registry.platform(platform).secrets, usable_name(name), usable_token(runtime, token)
    settings, secrets, events = _sorted_out(values or {}, secret_keys)
    now = runtime.clock.now()

    def unit(tx: Tx) -> StoredSource:
        source_id = sources.add(tx, platform=platform, name=plain, token=own, flow=usable_flow(tx, flow), now=now)
        sources.save(
            tx,
            source_id,
            name=plain,
            flow=flow,
            settings=merged({}, settings),
            sealed=merged({}, sealed(runtime.vault, TABLE, source_id, secrets)),
            events=merged({}, events),
        )
        audit.note(
            tx,
            now,
            actor,
            "source.added",
            subject=plain,
            facts={"platform": platform, "flow": flow, "keys": sorted(values or {})},
        )
        return _there(tx, source_id)

    return record(runtime.vault, await _written(runtime, unit))


async def change(
    runtime: Runtime,
    source_id: int,
    actor: Actor,
    *,
    name: str | None = None,
    flow: str | None = None,
    values: Mapping[str, str] | None = None,
) -> SourceRecord:
    """Change a source; an empty value takes a key away. Raises as `add` does, and NotFound."""
    now = runtime.clock.now()

    def unit(tx: Tx) -> StoredSource:
        stored = _there(tx, source_id)
        settings, secrets, events = _sorted_out(values or {}, registry.platform(stored.platform).secrets)
        sources.save(
            tx,
            source_id,
            name=stored.name if name is None else usable_name(name),
            flow=stored.flow if flow is None else usable_flow(tx, flow),
            settings=merged(stored.settings, settings),
            sealed=merged(stored.sealed, sealed(runtime.vault, TABLE, source_id, secrets)),
            events=merged(stored.events, events),
        )
        facts = {"name": name, "flow": flow, "keys": sorted(values or {})}
        audit.note(tx, now, actor, "source.changed", subject=stored.name, facts=facts)
        return _there(tx, source_id)

    return record(runtime.vault, await _written(runtime, unit))


async def remove(runtime: Runtime, source_id: int, actor: Actor) -> None:
    """Take a source out of use; its webhook address is unknown from now on. Raises NotFound."""
    now = runtime.clock.now()

    def unit(tx: Tx) -> None:
        stored = _there(tx, source_id)
        sources.remove(tx, source_id, now)
        audit.note(tx, now, actor, "source.removed", subject=stored.name)

    await runtime.store.write(KEY, unit)


def source_by_token(tx: Tx, vault: Vault, token: str) -> SourceRecord | None:
    """The source whose webhook address has this token, or None."""
    stored = sources.by_token(tx, token)
    return None if stored is None else record(vault, stored)


async def by_name(runtime: Runtime, name: str) -> SourceRecord:
    """The source with a name. Raises NotFound."""
    stored = await runtime.store.read(lambda tx: sources.by_name(tx, name))
    if stored is None:
        raise NotFound("payment source", name)
    return record(runtime.vault, stored)


async def everything(runtime: Runtime) -> list[SourceRecord]:
    """All sources in use, by name."""
    return [record(runtime.vault, stored) for stored in await runtime.store.read(sources.everything)]


def _sorted_out(
    values: Mapping[str, str], secret_keys: tuple[str, ...]
) -> tuple[dict[str, str], dict[str, str], dict[str, str]]:
    named = tuple(f"{_EVENT_PREFIX}{outcome}" for outcome in EVENTS)
    settings, secrets = sorted_out(values, named, secret_keys)
    return {}, secrets, {key.removeprefix(_EVENT_PREFIX): value for key, value in settings.items()}


async def _written(runtime: Runtime, unit: Callable[[Tx], StoredSource]) -> StoredSource:
    try:
        return await runtime.store.write(KEY, unit)
    except Conflict:
        raise Refused("name_or_token_taken") from None


def _there(tx: Tx, source_id: int) -> StoredSource:
    stored = sources.by_id(tx, source_id)
    if stored is None:
        raise NotFound("payment source", source_id)
    return stored
