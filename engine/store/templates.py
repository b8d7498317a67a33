"""The templates of each channel, as the platform told them last."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.core.canonical import canonical
from engine.core.flow import Millis
from engine.core.platform_templates import DELETED, Template
from engine.store.connection import Tx

COLUMNS = "channel_id, name, language, category, status, components, quality, reason, synced_at"
_OF = "channel_id = :channel AND name = :name AND language = :language"


@dataclass(frozen=True, slots=True)
class Known:
    """A template and where and when it is known from."""

    channel_id: int
    template: Template
    synced_at: Millis


def everything(tx: Tx) -> list[Known]:
    """Those of channels in use, by name."""
    rows = tx.rows(
        f"""SELECT {COLUMNS} FROM template WHERE channel_id IN (SELECT id FROM channel WHERE removed_at IS NULL)
            ORDER BY name, language, channel_id"""
    )
    return [_known(row) for row in rows]


def of_channel(tx: Tx, channel_id: int) -> dict[tuple[str, str], Known]:
    """Those of one channel by name and language."""
    rows = tx.rows(f"SELECT {COLUMNS} FROM template WHERE channel_id = :channel", channel=channel_id)
    return {(row["name"], row["language"]): _known(row) for row in rows}


def get(tx: Tx, channel_id: int, name: str, language: str) -> Known | None:
    """One of them."""
    row = tx.one(f"SELECT {COLUMNS} FROM template WHERE {_OF}", channel=channel_id, name=name, language=language)
    return None if row is None else _known(row)


def put(tx: Tx, channel_id: int, template: Template, now: Millis) -> None:
    """Store one as it is told now."""
    tx.run(
        f"""INSERT INTO template ({COLUMNS}) VALUES (:channel, :name, :language, :category, :status, :components, :quality,
              :reason, :now)
            ON CONFLICT (channel_id, name, language) DO UPDATE SET category = excluded.category,
              status = excluded.status, components = excluded.components, quality = excluded.quality,
              reason = excluded.reason, synced_at = excluded.synced_at""",
        channel=channel_id,
        name=template.name,
        language=template.language,
        category=template.category,
        status=template.status,
        components=canonical(list(template.components)),
        quality=template.quality,
        reason=template.reason,
        now=now,
    )


def learn(tx: Tx, channel_id: int, name: str, language: str, now: Millis, changes: Mapping[str, str]) -> bool:
    """Change some of `status`, `category`, `quality`, `reason` of one that is known; False when it is not."""
    unknown = set(changes) - {"status", "category", "quality", "reason"}
    if unknown:
        raise KeyError(sorted(unknown))
    sets = ", ".join(f"{column} = :{column}" for column in sorted(changes))
    return (
        tx.value(
            f"UPDATE template SET {sets}, synced_at = :now WHERE {_OF} RETURNING name",
            channel=channel_id,
            name=name,
            language=language,
            now=now,
            **changes,
        )
        is not None
    )


def forget_others(tx: Tx, channel_id: int, now: Millis) -> list[tuple[str, str]]:
    """Those that a listing of `now` did not hold are deleted at the platform; which ones that is news of."""
    rows = tx.rows(
        """UPDATE template SET status = :deleted, synced_at = :now
           WHERE channel_id = :channel AND synced_at < :now AND status <> :deleted RETURNING name, language""",
        channel=channel_id,
        now=now,
        deleted=DELETED,
    )
    return [(row["name"], row["language"]) for row in rows]


def _known(row: Mapping[str, Any]) -> Known:
    plain = {name: row[name] for name in ("name", "language", "category", "status", "quality", "reason")}
    return Known(row["channel_id"], Template(**plain, components=json.loads(row["components"])), row["synced_at"])
