"""Payment sources as they are stored."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.core.canonical import canonical
from engine.core.flow import Millis
from engine.store.connected import Connected, ConnectedTable
from engine.store.connection import Tx

__all__ = ["TABLE", "StoredSource", "flow_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredSource(Connected):
    """A payment source's row. `events` maps outcomes to event names where they differ from the usual."""

    events: Mapping[str, str]


class _Sources(ConnectedTable[StoredSource]):
    name = "payment_source"
    columns = "id, platform AS kind, name, token, flow, settings, secrets AS sealed, events, created_at"
    row = StoredSource

    def add(self, tx: Tx, *, kind: str, name: str, token: str, flow: str, now: Millis) -> int:
        return int(
            tx.value(
                "INSERT INTO payment_source (platform, name, token, flow, settings, secrets, events, created_at)"
                " VALUES (:kind, :name, :token, :flow, '{}', '{}', '{}', :now) RETURNING id",
                kind=kind,
                name=name,
                token=token,
                flow=flow,
                now=now,
            )
        )

    def save(self, tx: Tx, row: StoredSource) -> None:
        super().save(tx, row)
        events = canonical(row.events)
        tx.run("UPDATE payment_source SET events = :events WHERE id = :id", id=row.id, events=events)


TABLE = _Sources()


def flow_of(tx: Tx, source_id: int | None) -> str | None:
    """The flow of a payment source, also of one that was removed."""
    found = tx.value("SELECT flow FROM payment_source WHERE id = :id", id=source_id)
    return None if found is None else str(found)
