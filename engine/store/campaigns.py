"""Campaigns and their members: each person once, worked off a few at a time, stopped and resumed at any time (R30)."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from engine.core.campaigns import Filter
from engine.core.canonical import canonical
from engine.core.flow import Millis
from engine.store.connection import Tx

RUNNING, PAUSED, STOPPED, DONE = "running", "paused", "stopped", "done"
QUIET, FULL = "quiet_hours", "day_full"
"""What a running campaign waits for."""
CAUSE = "campaign"
"""The cause of their letters, and the first part of the letters' event ids."""
COLUMNS = """id, token, name, flow, channel_id, template, language, params, filter, per_minute, per_day, status, reason,
 next_at, who, created_at, ended_at"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Campaign:
    """One campaign, as it is stored."""

    id: int = 0
    token: str
    name: str
    flow: str
    channel_id: int
    template: str
    language: str
    params: Sequence[str]
    filter: Filter
    per_minute: int
    per_day: int
    status: str = RUNNING
    reason: str = ""
    next_at: Millis
    who: str
    created_at: Millis
    ended_at: Millis | None = None


def add(tx: Tx, made: Campaign) -> int | None:
    """A new one; None when its form started one before."""
    found = tx.value(
        """INSERT INTO campaign (token, name, flow, channel_id, template, language, params, filter, per_minute, per_day,
             status, reason, next_at, who, created_at)
           VALUES (:token, :name, :flow, :channel, :template, :language, :params, :filter, :per_minute, :per_day,
             :status, '', :next_at, :who, :created) ON CONFLICT DO NOTHING RETURNING id""",
        token=made.token,
        name=made.name,
        flow=made.flow,
        channel=made.channel_id,
        template=made.template,
        language=made.language,
        params=canonical(list(made.params)),
        filter=canonical(asdict(made.filter)),
        per_minute=made.per_minute,
        per_day=made.per_day,
        status=made.status,
        next_at=made.next_at,
        who=made.who,
        created=made.created_at,
    )
    return None if found is None else int(found)


def get(tx: Tx, campaign_id: int, *, lock: bool = False) -> Campaign | None:
    """One of them."""
    suffix = " FOR UPDATE" if lock and tx.dialect == "postgresql" else ""
    row = tx.one(f"SELECT {COLUMNS} FROM campaign WHERE id = :id{suffix}", id=campaign_id)
    return None if row is None else _campaign(row)


def by_token(tx: Tx, token: str) -> int | None:
    """The one that a form started."""
    found: int | None = tx.value("SELECT id FROM campaign WHERE token = :token", token=token)
    return found


def everything(tx: Tx, most: int = 100) -> list[Campaign]:
    """The newest first."""
    return [_campaign(row) for row in tx.rows(f"SELECT {COLUMNS} FROM campaign ORDER BY id DESC LIMIT :n", n=most)]


def due(tx: Tx, now: Millis) -> list[int]:
    """Those whose next people may be taken."""
    return [row["id"] for row in tx.rows("SELECT id FROM campaign WHERE status = 'running' AND next_at <= :n", n=now)]


def wait(tx: Tx, campaign_id: int, until: Millis, reason: str = "") -> None:
    """When the next people are taken, and what they wait for when it is not only the pace."""
    tx.run(
        "UPDATE campaign SET next_at = :until, reason = :reason WHERE id = :id",
        id=campaign_id,
        until=until,
        reason=reason,
    )


def turn(tx: Tx, campaign_id: int, status: str, reason: str, now: Millis) -> None:
    """Let it run, stand still, or end."""
    tx.run(
        "UPDATE campaign SET status = :status, reason = :reason, next_at = :now, ended_at = :ended WHERE id = :id",
        id=campaign_id,
        status=status,
        reason=reason,
        now=now,
        ended=now if status in (STOPPED, DONE) else None,
    )


def waiting(tx: Tx, campaign_id: int, most: int) -> list[int]:
    """The next people."""
    rows = tx.rows(
        """SELECT contact_id FROM campaign_member WHERE campaign_id = :id AND status = 'waiting'
           ORDER BY contact_id LIMIT :most""",
        id=campaign_id,
        most=most,
    )
    return [int(row["contact_id"]) for row in rows]


def taken(tx: Tx, campaign_id: int, contact_id: int, conversation_id: int, now: Millis) -> None:
    """The letter of one person is in the outbox."""
    tx.run(
        """UPDATE campaign_member SET status = 'taken', conversation_id = :conversation, taken_at = :now
           WHERE campaign_id = :id AND contact_id = :contact AND status = 'waiting'""",
        id=campaign_id,
        contact=contact_id,
        conversation=conversation_id,
        now=now,
    )


def left_out(tx: Tx, campaign_id: int, contact_id: int, reason: str) -> None:
    """One person must not be written to after all."""
    tx.run(
        """UPDATE campaign_member SET status = 'left_out', reason = :reason
           WHERE campaign_id = :id AND contact_id = :contact AND status = 'waiting'""",
        id=campaign_id,
        contact=contact_id,
        reason=reason,
    )


def taken_since(tx: Tx, channel_id: int, since: Millis, most: int) -> list[Millis]:
    """When people of this channel's campaigns were taken, the latest first."""
    rows = tx.rows(
        """SELECT taken_at FROM campaign_member WHERE taken_at > :since
           AND campaign_id IN (SELECT id FROM campaign WHERE channel_id = :channel) ORDER BY taken_at DESC LIMIT :most""",
        channel=channel_id,
        since=since,
        most=most,
    )
    return [int(row["taken_at"]) for row in rows]


def event_id(campaign_id: int, contact_id: int) -> str:
    """The event that a member's letter belongs to."""
    return f"{CAUSE}:{campaign_id}:{contact_id}"


def of_event(event: str | None) -> int | None:
    """The campaign of a letter's event."""
    pieces = (event or "").split(":")
    return int(pieces[1]) if len(pieces) == 3 and pieces[0] == CAUSE and pieces[1].isdecimal() else None


def standstill(tx: Tx, event: str | None) -> str | None:
    """Whether the campaign of a letter stands still (paused) or was stopped; None when its letters may leave."""
    number = of_event(event)
    found: str | None = tx.value(
        "SELECT status FROM campaign WHERE id = :id AND status IN ('paused', 'stopped')", id=number
    )
    return found


def _campaign(row: Mapping[str, Any]) -> Campaign:
    plain = dict(row)
    return Campaign(**{**plain, "params": json.loads(plain["params"]), "filter": Filter(**json.loads(plain["filter"]))})
