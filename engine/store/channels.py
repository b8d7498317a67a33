"""Channels as they are stored."""

from dataclasses import dataclass

from engine.core.flow import Millis
from engine.store.connected import Connected, ConnectedTable
from engine.store.connection import Tx

__all__ = ["TABLE", "StoredChannel", "set_state"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredChannel(Connected):
    """A channel's row. `state` is ok or the reason of the last bad news about it."""

    state: str
    state_at: Millis


class _Channels(ConnectedTable[StoredChannel]):
    name = "channel"
    columns = "id, kind, name, token, flow, settings, secrets AS sealed, state, state_at, created_at"
    row = StoredChannel

    def add(self, tx: Tx, *, kind: str, name: str, token: str, flow: str, now: Millis) -> int:
        return int(
            tx.value(
                "INSERT INTO channel (kind, name, token, flow, settings, secrets, state, state_at, pace_at, created_at)"
                " VALUES (:kind, :name, :token, :flow, '{}', '{}', 'ok', :now, 0, :now) RETURNING id",
                kind=kind,
                name=name,
                token=token,
                flow=flow,
                now=now,
            )
        )


TABLE = _Channels()


def set_state(tx: Tx, channel_id: int, state: str, now: Millis) -> None:
    """How the channel is."""
    tx.run("UPDATE channel SET state = :state, state_at = :now WHERE id = :id", id=channel_id, state=state, now=now)
