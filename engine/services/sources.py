"""Payment sources: the events that outcomes become, and what adding, changing and finding a source is called here."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from engine.adapters.payments import registry
from engine.adapters.payments.protocol import SourceConfig
from engine.adapters.secrets import Vault
from engine.core.flow import Millis
from engine.services.connect import Connections
from engine.services.connections import Keys, merged, opened
from engine.services.source_events import EVENT_PREFIX, require_known
from engine.store import sources
from engine.store.sources import StoredSource

__all__ = [
    "EVENTS",
    "SOURCES",
    "SourceRecord",
    "add",
    "by_name",
    "change",
    "everything",
    "record",
    "remove",
    "source_by_token",
]

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
        platform=stored.kind,
        name=stored.name,
        settings=stored.settings,
        secrets=opened(vault, sources.TABLE.name, stored.id, stored.sealed),
    )
    return SourceRecord(config, stored.token, stored.flow, {**EVENTS, **stored.events}, stored.created_at)


def _keys(platform: str) -> Keys:
    return Keys(tuple(f"{EVENT_PREFIX}{outcome}" for outcome in EVENTS), registry.platform(platform).secrets)


def _settled(stored: StoredSource, settings: Mapping[str, str]) -> StoredSource:
    events = {key.removeprefix(EVENT_PREFIX): event for key, event in settings.items()}
    return replace(stored, events=merged(stored.events, events))


SOURCES = Connections(
    table=sources.TABLE,
    called="payment source",
    topic="source",
    kind="platform",
    keys=_keys,
    settled=_settled,
    record=record,
    fits=lambda tx, stored, settings: require_known(tx, stored.flow, settings),
)
add, change, remove = SOURCES.add, SOURCES.change, SOURCES.remove
source_by_token, by_name, everything = SOURCES.by_token, SOURCES.by_name, SOURCES.everything
