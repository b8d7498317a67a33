"""Payment sources: the events that outcomes become, the flows that products belong to, and what adding, changing and
finding a source is called here.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from zoneinfo import ZoneInfo

from engine.adapters.payments import registry
from engine.adapters.payments.generic import IGNORE
from engine.adapters.payments.protocol import Key, SourceConfig
from engine.adapters.secrets import Vault
from engine.core.errors import Refused
from engine.core.flow import Millis
from engine.core.inbound import OUTCOMES, Payment
from engine.services.connect import Connections
from engine.services.connections import Keys, merged, opened, usable_flow
from engine.services.source_events import EVENT_PREFIX, require_known
from engine.store import sources
from engine.store.connection import Tx
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
    "source_within",
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
_PRODUCT = "product."
"""`--set product.ID=FLOW`, or its name for the id, says that a product's notices go to another flow."""


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

    @property
    def products(self) -> Mapping[str, str]:
        """The flow of each product, by its id or its name, that has one of its own."""
        return of_products(self.config.settings)

    def flow_of(self, item: Payment) -> str | None:
        """The flow of what was bought; None when nothing is said about it. An id counts before a name."""
        products = {_plain(key): flow for key, flow in self.products.items()}
        return products.get(_plain(item.data.get("product_id"))) or products.get(_plain(item.product))


def of_products(settings: Mapping[str, str]) -> dict[str, str]:
    """The flow of each product, by its id or its name, in a source's settings."""
    return {key.removeprefix(_PRODUCT): flow for key, flow in settings.items() if key.startswith(_PRODUCT)}


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


def source_within(tx: Tx, vault: Vault, source_id: int) -> SourceRecord | None:
    """The source with an id, or None when there is no such source any more."""
    stored = sources.TABLE.by_id(tx, source_id)
    return None if stored is None else record(vault, stored)


def _keys(platform: str) -> Keys:
    declared = registry.platform(platform)
    plain = [key for key in declared.keys if not key.secret]
    return Keys(
        settings=(*(f"{EVENT_PREFIX}{outcome}" for outcome in EVENTS), *(key.name for key in plain if not key.prefix)),
        secrets=declared.secrets,
        prefixes=(_PRODUCT, *(key.name for key in plain if key.prefix)),
    )


def _settled(tx: Tx, stored: StoredSource, settings: Mapping[str, str]) -> StoredSource:
    """Raises Refused (event_unknown, zone_unknown, outcome_unknown) and NotFound for a product's flow that does not
    exist.
    """
    events = {key.removeprefix(EVENT_PREFIX): event for key, event in settings.items() if key.startswith(EVENT_PREFIX)}
    others = {key: value for key, value in settings.items() if not key.startswith(EVENT_PREFIX)}
    declared = registry.platform(stored.kind).keys
    for key, value in others.items():
        if value and key.startswith(_PRODUCT):
            usable_flow(tx, value)
        elif value and (meant := next((one for one in declared if _is(one, key)), None)):
            _check(meant, key, value)
    changed = merged(stored.settings, others)
    require_known(tx, {stored.flow, *(flow for key, flow in changed.items() if key.startswith(_PRODUCT))}, events)
    return replace(stored, events=merged(stored.events, events), settings=changed)


def _is(declared: Key, key: str) -> bool:
    return key.startswith(declared.name) if declared.prefix else key == declared.name


def _check(declared: Key, key: str, value: str) -> None:
    if declared.takes == "outcome" and value not in (*OUTCOMES, IGNORE):
        raise Refused("outcome_unknown", key=key, outcomes=[*OUTCOMES, IGNORE])
    if declared.takes == "zone":
        try:
            ZoneInfo(value)
        except (LookupError, ValueError, OSError):  # no such name, a path, a folder
            raise Refused("zone_unknown", key=key) from None


def _plain(value: object) -> str:
    """An id or a name as it is compared: however it is cased and padded."""
    return str(value).strip().casefold() if isinstance(value, str | int) else ""


SOURCES = Connections(
    table=sources.TABLE,
    called="payment source",
    topic="source",
    kind="platform",
    keys=_keys,
    settled=_settled,
    record=record,
)
add, change, remove = SOURCES.add, SOURCES.change, SOURCES.remove
source_by_token, by_name, everything = SOURCES.by_token, SOURCES.by_name, SOURCES.everything
