"""Channels as they are stored; secrets are sealed before they come here and stay sealed."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.core.canonical import canonical
from engine.core.flow import Millis
from engine.store.connection import Tx

__all__ = ["StoredChannel", "add", "by_id", "by_name", "by_token", "everything", "remove", "save", "set_state"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredChannel:
    """A channel's row. `state` is ok or the reason of the last bad news about it."""

    id: int
    kind: str
    name: str
    token: str
    flow: str
    settings: Mapping[str, str]
    sealed: Mapping[str, str]
    state: str
    state_at: Millis
    created_at: Millis


_SELECT = (
    "SELECT id, kind, name, token, flow, settings, secrets, state, state_at, created_at FROM channel"
    " WHERE removed_at IS NULL"
)


def add(tx: Tx, *, kind: str, name: str, token: str, flow: str, now: Millis) -> int:
    """A channel without settings; returns its id. Raises Conflict when name or token are taken."""
    return int(
        tx.value(
            "INSERT INTO channel (kind, name, token, flow, settings, secrets, state, state_at, created_at)"
            " VALUES (:kind, :name, :token, :flow, '{}', '{}', 'ok', :now, :now) RETURNING id",
            kind=kind,
            name=name,
            token=token,
            flow=flow,
            now=now,
        )
    )


def save(
    tx: Tx, channel_id: int, *, name: str, flow: str, settings: Mapping[str, str], sealed: Mapping[str, str]
) -> None:
    """Replace what may change."""
    tx.run(
        "UPDATE channel SET name = :name, flow = :flow, settings = :settings, secrets = :sealed WHERE id = :id",
        id=channel_id,
        name=name,
        flow=flow,
        settings=canonical(settings),
        sealed=canonical(sealed),
    )


def by_token(tx: Tx, token: str) -> StoredChannel | None:
    """The channel whose webhook address has this token."""
    return _channel(tx.one(f"{_SELECT} AND token = :token", token=token))


def by_id(tx: Tx, channel_id: int) -> StoredChannel | None:
    """The channel with an id, unless it was removed."""
    return _channel(tx.one(f"{_SELECT} AND id = :id", id=channel_id))


def by_name(tx: Tx, name: str) -> StoredChannel | None:
    """The channel with a name."""
    return _channel(tx.one(f"{_SELECT} AND name = :name", name=name))


def everything(tx: Tx) -> list[StoredChannel]:
    """All channels, by name."""
    return [channel for row in tx.rows(f"{_SELECT} ORDER BY name") if (channel := _channel(row)) is not None]


def remove(tx: Tx, channel_id: int, now: Millis) -> None:
    """Out of use: its secrets are gone, its name and its token are free again; what refers to it keeps its id."""
    tx.run(
        "UPDATE channel SET removed_at = :now, secrets = '{}', token = :token, name = name || :mark"
        " WHERE id = :id AND removed_at IS NULL",
        id=channel_id,
        now=now,
        token=f"removed {channel_id}",
        mark=f" ({channel_id})",
    )


def set_state(tx: Tx, channel_id: int, state: str, now: Millis) -> None:
    """How the channel is."""
    tx.run("UPDATE channel SET state = :state, state_at = :now WHERE id = :id", id=channel_id, state=state, now=now)


def _channel(row: dict[str, Any] | None) -> StoredChannel | None:
    if row is None:
        return None
    plain = {name: value for name, value in row.items() if name not in ("settings", "secrets")}
    return StoredChannel(settings=json.loads(row["settings"]), sealed=json.loads(row["secrets"]), **plain)
