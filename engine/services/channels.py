"""Channels: the keys that each kind takes, and what adding, changing, removing and finding one is called here."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from engine.adapters.channels import registry
from engine.adapters.channels.protocol import ChannelConfig
from engine.adapters.secrets import Vault
from engine.core.flow import Millis
from engine.core.permissions import Actor
from engine.runtime import Runtime
from engine.services.connect import Connections
from engine.services.connections import Keys, merged, opened
from engine.store import channels
from engine.store.channels import StoredChannel
from engine.store.connection import Tx

__all__ = [
    "CHANNELS",
    "KEYS",
    "ChannelRecord",
    "add",
    "by_name",
    "by_token",
    "change",
    "config_within",
    "everything",
    "record",
    "record_within",
    "remove",
]

DEFAULT_FLOW = "venda"
KEYS: Mapping[str, Keys] = {
    "whatsapp_cloud": Keys(
        ("phone_number_id", "waba_id", "number", "base_url", "coexistence", "throughput", "max_body"),
        ("app_secret", "verify_token", "access_token"),
    ),
    "evolution": Keys(
        (
            "instance",
            "number",
            "base_url",
            "max_body",
            "pacing",
            "gap_seconds",
            "jitter_seconds",
            "contact_gap_seconds",
            "contact_daily",
            "strangers_daily",
            "hours",
        ),
        ("api_key", "webhook_secret"),
    ),
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
        secrets=opened(vault, channels.TABLE.name, stored.id, stored.sealed),
    )
    return ChannelRecord(config, stored.token, stored.flow, stored.state, stored.state_at, stored.created_at)


def _keys(kind: str) -> Keys:
    return KEYS[registry.channel(kind).kind]


def _settled(_tx: Tx, stored: StoredChannel, settings: Mapping[str, str]) -> StoredChannel:
    return replace(stored, settings=merged(stored.settings, settings))


CHANNELS = Connections(
    table=channels.TABLE,
    called="channel",
    topic="channel",
    kind="kind",
    keys=_keys,
    settled=_settled,
    record=record,
)
change, remove = CHANNELS.change, CHANNELS.remove
by_token, by_name, everything = CHANNELS.by_token, CHANNELS.by_name, CHANNELS.everything


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
    """A new channel. Raises as `Connections.add` does."""
    return await CHANNELS.add(runtime, kind, name, flow, actor, token=token, values=values)


def record_within(tx: Tx, vault: Vault, channel_id: int) -> ChannelRecord | None:
    """The channel with an id, or None when there is no such channel any more."""
    stored = channels.TABLE.by_id(tx, channel_id)
    return None if stored is None else record(vault, stored)


def config_within(tx: Tx, vault: Vault, channel_id: int) -> ChannelConfig | None:
    """What sending through a channel needs, or None when there is no such channel any more."""
    found = record_within(tx, vault, channel_id)
    return None if found is None else found.config
