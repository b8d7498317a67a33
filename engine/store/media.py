"""What is to be done with the files of messages, by whom, and what came of it; the bytes are in `media_pieces`.

A file is due, then held by one worker for one attempt; what an older attempt brings back is not written (R26, R30).
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from engine.core.flow import Millis
from engine.store import findable
from engine.store.connection import Tx

__all__ = ["Fetching", "Medium", "begin", "hold", "lease", "of_message", "settle"]

_COLUMNS = """m.inbound_id, i.conversation_id, i.channel_id, i.kind, m.state, m.reason, m.mime, m.bytes,
 m.sha256, m.transcript_state, m.transcript_reason, m.attempt, i.provider_id, i.media AS about,
 CASE WHEN i.deleted_at IS NULL THEN 0 ELSE 1 END AS deleted,
 CASE WHEN i.processed_at IS NULL THEN 0 ELSE 1 END AS answered"""
_FROM = "FROM media m JOIN inbound i ON i.id = m.inbound_id"


@dataclass(frozen=True, slots=True, kw_only=True)
class Medium:
    """The file of a message. `about` is what the platform said of it, `bytes` is None while its bytes are elsewhere."""

    inbound_id: int
    conversation_id: int
    channel_id: int
    provider_id: str
    kind: str
    state: str
    reason: str | None
    mime: str | None
    bytes: int | None
    sha256: str | None
    transcript_state: str | None
    transcript_reason: str | None
    attempt: int
    about: Mapping[str, object]
    deleted: bool
    answered: bool


@dataclass(frozen=True, slots=True)
class Fetching:
    """A file to be fetched from now on; `bytes` when it came along, `transcript_state` of an audio."""

    inbound_id: int
    bytes: int | None
    transcript_state: str | None


def begin(tx: Tx, file: Fetching, now: Millis) -> None:
    """The file of a message that was stored in this transaction is due at once."""
    tx.run(
        """INSERT INTO media (inbound_id, state, bytes, transcript_state, due_at, flying_until, attempt, created_at)
           VALUES (:id, 'waiting', :bytes, :transcript, :now, 0, 0, :now)""",
        id=file.inbound_id,
        bytes=file.bytes,
        transcript=file.transcript_state,
        now=now,
    )


def lease(tx: Tx, now: Millis, until: Millis, most: int) -> list[int]:
    """Files that are due and that nobody holds, left alone by other sweeps until `until`; audios first: people wait."""
    skip = " FOR UPDATE SKIP LOCKED" if tx.dialect == "postgresql" else ""
    rows = tx.rows(
        f"""UPDATE media SET due_at = :until WHERE inbound_id IN (
              SELECT inbound_id FROM media WHERE due_at <= :now AND flying_until <= :now
              ORDER BY CASE WHEN transcript_state IS NULL THEN 1 ELSE 0 END, inbound_id LIMIT :most{skip}
            ) RETURNING inbound_id""",
        now=now,
        until=until,
        most=most,
    )
    return sorted(int(row["inbound_id"]) for row in rows)


def hold(tx: Tx, inbound_id: int, now: Millis, until: Millis, most: int) -> Medium | None:
    """Begin an attempt, which nobody else may do before `until`.

    None when nothing is to be done, somebody is at it, or `most` files are being worked on already.
    """
    held = tx.value(
        """UPDATE media SET attempt = attempt + 1, due_at = :until, flying_until = :until
           WHERE inbound_id = :id AND due_at IS NOT NULL AND flying_until <= :now
             AND (SELECT COUNT(*) FROM media f WHERE f.flying_until > :now) < :most RETURNING inbound_id""",
        id=inbound_id,
        now=now,
        until=until,
        most=most,
    )
    return None if held is None else of_message(tx, inbound_id)


def of_message(tx: Tx, inbound_id: int) -> Medium | None:
    """The file of a message, None when it has none."""
    found = tx.one(f"SELECT {_COLUMNS} {_FROM} WHERE m.inbound_id = :id", id=inbound_id)
    if found is None:
        return None
    about = json.loads(found["about"])
    return Medium(**{**found, "about": about, "deleted": bool(found["deleted"]), "answered": bool(found["answered"])})


def settle(
    tx: Tx,
    medium: Medium,
    changes: Mapping[str, object],
    *,
    due_at: Millis | None = None,
    attempt: int | None = None,
) -> bool:
    """Write what an attempt came to: `changes` of columns, and when more is to be done.

    False when it was done by another attempt, or a later one has begun: then nothing is written. `attempt` begins the
    count of the next step.
    """
    values = {**changes, "due_at": due_at, "flying_until": 0, **({} if attempt is None else {"attempt": attempt})}
    assigned = ", ".join(f"{name} = :{name}" for name in values)
    written = tx.value(
        f"""UPDATE media SET {assigned}
            WHERE inbound_id = :id_is AND state = :state_is AND attempt = :attempt_is RETURNING inbound_id""",
        id_is=medium.inbound_id,
        state_is=medium.state,
        attempt_is=medium.attempt,
        **values,
    )
    if written is not None and changes.get("transcript") and not medium.deleted:
        findable.put(tx, "heard", medium.inbound_id, str(changes["transcript"]))
    return written is not None
