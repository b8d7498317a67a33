"""Channels as they are stored."""

from dataclasses import dataclass

from engine.core.flow import Millis
from engine.store.connected import Connected, ConnectedTable
from engine.store.connection import Tx

__all__ = ["TABLE", "StoredChannel", "down", "kind_of", "note_told", "of_contact", "of_flow", "set_state"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredChannel(Connected):
    """A channel's row. `state` is ok or why nothing can leave (`engine/core/troubles.py`), since `state_at`; `told_at`
    is when the team was told.
    """

    state: str
    state_at: Millis
    told_at: Millis | None


class _Channels(ConnectedTable[StoredChannel]):
    name = "channel"
    columns = "id, kind, name, token, flow, settings, secrets AS sealed, state, state_at, told_at, created_at"
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


def set_state(
    tx: Tx, channel_id: int, state: str, since: Millis, *, look_at: Millis | None = None, told_at: Millis | None = None
) -> None:
    """How the channel is, when its gateway is asked again, and when the team was told of it."""
    tx.run(
        "UPDATE channel SET state = :state, state_at = :since, look_at = :look, told_at = :told WHERE id = :id",
        id=channel_id,
        state=state,
        since=since,
        look=look_at,
        told=told_at,
    )


def note_told(tx: Tx, channel_id: int, now: Millis) -> None:
    """The team knows that the channel cannot send."""
    tx.run("UPDATE channel SET told_at = :now WHERE id = :id", id=channel_id, now=now)


def down(tx: Tx) -> list[StoredChannel]:
    """The channels in use that the team was told cannot send, by name."""
    return [one for one in TABLE.everything(tx) if one.told_at is not None]


def kind_of(tx: Tx, channel_id: int | None) -> str | None:
    """What a channel is connected to, None when there is none any more."""
    found: str | None = tx.value("SELECT kind FROM channel WHERE id = :id AND removed_at IS NULL", id=channel_id)
    return found


def of_contact(tx: Tx, contact_id: int) -> int | None:
    """The channel through which something was last said to a contact, if it is still there."""
    found = tx.value(
        """SELECT c.channel_id FROM conversation c JOIN channel n ON n.id = c.channel_id AND n.removed_at IS NULL
           WHERE c.contact_id = :contact ORDER BY c.active_at DESC, c.id DESC LIMIT 1""",
        contact=contact_id,
    )
    return None if found is None else int(found)


def of_flow(tx: Tx, flow: str) -> int | None:
    """The oldest channel whose newcomers enter this flow."""
    found = tx.value("SELECT MIN(id) FROM channel WHERE flow = :flow AND removed_at IS NULL", flow=flow)
    return None if found is None else int(found)
