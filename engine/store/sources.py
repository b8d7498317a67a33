"""Payment sources as they are stored; secrets are sealed before they come here and stay sealed."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.core.canonical import canonical
from engine.core.flow import Millis
from engine.store.connection import Tx

__all__ = ["StoredSource", "add", "by_id", "by_name", "by_token", "everything", "remove", "save"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredSource:
    """A payment source's row. `events` maps outcomes to event names where they differ from the usual."""

    id: int
    platform: str
    name: str
    token: str
    flow: str
    settings: Mapping[str, str]
    sealed: Mapping[str, str]
    events: Mapping[str, str]
    created_at: Millis


_SELECT = (
    "SELECT id, platform, name, token, flow, settings, secrets, events, created_at FROM payment_source"
    " WHERE removed_at IS NULL"
)


def add(tx: Tx, *, platform: str, name: str, token: str, flow: str, now: Millis) -> int:
    """A source without settings; returns its id. Raises Conflict when name or token are taken."""
    return int(
        tx.value(
            "INSERT INTO payment_source (platform, name, token, flow, settings, secrets, events, created_at)"
            " VALUES (:platform, :name, :token, :flow, '{}', '{}', '{}', :now) RETURNING id",
            platform=platform,
            name=name,
            token=token,
            flow=flow,
            now=now,
        )
    )


def save(
    tx: Tx,
    source_id: int,
    *,
    name: str,
    flow: str,
    settings: Mapping[str, str],
    sealed: Mapping[str, str],
    events: Mapping[str, str],
) -> None:
    """Replace what may change."""
    tx.run(
        "UPDATE payment_source SET name = :name, flow = :flow, settings = :settings, secrets = :sealed,"
        " events = :events WHERE id = :id",
        id=source_id,
        name=name,
        flow=flow,
        settings=canonical(settings),
        sealed=canonical(sealed),
        events=canonical(events),
    )


def by_token(tx: Tx, token: str) -> StoredSource | None:
    """The source whose webhook address has this token."""
    return _source(tx.one(f"{_SELECT} AND token = :token", token=token))


def by_id(tx: Tx, source_id: int) -> StoredSource | None:
    """The source with an id, unless it was removed."""
    return _source(tx.one(f"{_SELECT} AND id = :id", id=source_id))


def by_name(tx: Tx, name: str) -> StoredSource | None:
    """The source with a name."""
    return _source(tx.one(f"{_SELECT} AND name = :name", name=name))


def everything(tx: Tx) -> list[StoredSource]:
    """All sources, by name."""
    return [source for row in tx.rows(f"{_SELECT} ORDER BY name") if (source := _source(row)) is not None]


def remove(tx: Tx, source_id: int, now: Millis) -> None:
    """Out of use: its secrets are gone, its name and its token are free again; what refers to it keeps its id."""
    tx.run(
        "UPDATE payment_source SET removed_at = :now, secrets = '{}', token = :token, name = name || :mark"
        " WHERE id = :id AND removed_at IS NULL",
        id=source_id,
        now=now,
        token=f"removed {source_id}",
        mark=f" ({source_id})",
    )


def _source(row: dict[str, Any] | None) -> StoredSource | None:
    if row is None:
        return None
    plain = {name: value for name, value in row.items() if name not in ("settings", "secrets", "events")}
    return StoredSource(
        settings=json.loads(row["settings"]),
        sealed=json.loads(row["secrets"]),
        events=json.loads(row["events"]),
        **plain,
    )
