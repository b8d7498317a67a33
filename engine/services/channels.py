"""Channels: adding, changing and removing them, and finding the one that a webhook is for.

Nothing is kept in memory: a change by one process holds for the next webhook of every other.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from engine.adapters.channels import registry
from engine.adapters.channels.protocol import ChannelConfig
from engine.adapters.secrets import Vault
from engine.core.errors import Conflict, NotFound, Refused
from engine.core.flow import Millis
from engine.core.permissions import Actor
from engine.runtime import Runtime
from engine.services.connections import merged, opened, sealed, sorted_out, usable_flow, usable_name, usable_token
from engine.store import audit, channels
from engine.store.channels import StoredChannel
from engine.store.connection import Tx

__all__ = [
    "KEYS",
    "ChannelRecord",
    "add",
    "by_name",
    "by_token",
    "change",
    "config_within",
    "everything",
    "record",
    "remove",
]

DEFAULT_FLOW = "venda"
KEY = "channels"


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys that a kind of channel takes."""

    settings: tuple[str, ...] = ()
    secrets: tuple[str, ...] = ()


KEYS: Mapping[str, Keys] = {
    "whatsapp_cloud": Keys(
        ("phone_number_id", "number", "base_url", "coexistence", "throughput", "max_body"),
        ("app_secret", "verify_token", "access_token"),
    ),
    "evolution": Keys(("instance", "number", "base_url", "max_body"), ("api_key",)),
    "phone": Keys(("number", "max_body")),
}


@dataclass(frozen=True, slots=True)
class ChannelRecord:
    """A channel in use, secrets in clear inside `config` (and never in its `repr`)."""

    config: ChannelConfig
    token: str
    flow: str
    state: str
    state_at: Millis
    created_at: Millis

    @property
    def id(self) -> int:
        """Its id."""
        return self.config.id


def record(vault: Vault, stored: StoredChannel) -> ChannelRecord:
    """A stored channel with its secrets opened. Raises BadSettings when the key is another one."""
    config = ChannelConfig(
        id=stored.id,
        kind=stored.kind,
        name=stored.name,
        settings=stored.settings,
        secrets=opened(vault, "channel", stored.id, stored.sealed),
    )
    return ChannelRecord(config, stored.token, stored.flow, stored.state, stored.state_at, stored.created_at)


async def add(
    runtime: Runtime,
    kind: str,
    name: str,
    actor: Actor,
    *,
    token: str | None = None,
    flow: str = DEFAULT_FLOW,
    values: Mapping[str, str] | None = None,
) -> ChannelRecord:
    """A new channel.

    Raises NotFound (kind, flow) and Refused: name_unusable, name_or_token_taken, token_unusable, key_unknown,
    value_too_long, base_url_unreadable, number_unreadable.
    """
    registry.channel(kind)
    keys, plain, own = KEYS[kind], usable_name(name), usable_token(runtime, token)
    settings, secrets = sorted_out(values or {}, keys.settings, keys.secrets)
    now = runtime.clock.now()

    def unit(tx: Tx) -> StoredChannel:
        channel_id = channels.add(tx, kind=kind, name=plain, token=own, flow=usable_flow(tx, flow), now=now)
        hidden = merged({}, sealed(runtime.vault, "channel", channel_id, secrets))
        channels.save(tx, channel_id, name=plain, flow=flow, settings=merged({}, settings), sealed=hidden)
        audit.note(
            tx,
            now,
            actor,
            "channel.added",
            subject=plain,
            facts={"kind": kind, "flow": flow, "keys": sorted(values or {})},
        )
        return _there(tx, channel_id)

    return record(runtime.vault, await _written(runtime, unit))


async def change(
    runtime: Runtime,
    channel_id: int,
    actor: Actor,
    *,
    name: str | None = None,
    flow: str | None = None,
    values: Mapping[str, str] | None = None,
) -> ChannelRecord:
    """Change a channel; an empty value takes a key away. Raises as `add` does, and NotFound."""
    now = runtime.clock.now()

    def unit(tx: Tx) -> StoredChannel:
        stored = _there(tx, channel_id)
        keys = KEYS[stored.kind]
        settings, secrets = sorted_out(values or {}, keys.settings, keys.secrets)
        channels.save(
            tx,
            channel_id,
            name=stored.name if name is None else usable_name(name),
            flow=stored.flow if flow is None else usable_flow(tx, flow),
            settings=merged(stored.settings, settings),
            sealed=merged(stored.sealed, sealed(runtime.vault, "channel", channel_id, secrets)),
        )
        facts = {"name": name, "flow": flow, "keys": sorted(values or {})}
        audit.note(tx, now, actor, "channel.changed", subject=stored.name, facts=facts)
        return _there(tx, channel_id)

    changed = record(runtime.vault, await _written(runtime, unit))
    runtime.doors.clear()
    return changed


async def remove(runtime: Runtime, channel_id: int, actor: Actor) -> None:
    """Take a channel out of use; its webhook address is unknown from now on. Raises NotFound."""
    now = runtime.clock.now()

    def unit(tx: Tx) -> None:
        stored = _there(tx, channel_id)
        channels.remove(tx, channel_id, now)
        audit.note(tx, now, actor, "channel.removed", subject=stored.name)

    await runtime.store.write(KEY, unit)
    runtime.doors.clear()


def by_token(tx: Tx, vault: Vault, token: str) -> ChannelRecord | None:
    """The channel whose webhook address has this token, or None."""
    stored = channels.by_token(tx, token)
    return None if stored is None else record(vault, stored)


def config_within(tx: Tx, vault: Vault, channel_id: int) -> ChannelConfig | None:
    """What sending through a channel needs, or None when there is no such channel any more."""
    stored = channels.by_id(tx, channel_id)
    return None if stored is None else record(vault, stored).config


async def by_name(runtime: Runtime, name: str) -> ChannelRecord:
    """The channel with a name. Raises NotFound."""
    stored = await runtime.store.read(lambda tx: channels.by_name(tx, name))
    if stored is None:
        raise NotFound("channel", name)
    return record(runtime.vault, stored)


async def everything(runtime: Runtime) -> list[ChannelRecord]:
    """All channels in use, by name."""
    return [record(runtime.vault, stored) for stored in await runtime.store.read(channels.everything)]


async def _written(runtime: Runtime, unit: Callable[[Tx], StoredChannel]) -> StoredChannel:
    try:
        return await runtime.store.write(KEY, unit)
    except Conflict:
        raise Refused("name_or_token_taken") from None


def _there(tx: Tx, channel_id: int) -> StoredChannel:
    stored = channels.by_id(tx, channel_id)
    if stored is None:
        raise NotFound("channel", channel_id)
    return stored
