"""What keeps letters of a channel back: its account, a template, or the platform's patience with one person.

A hold has a moment (`until`) at which one letter is let through to see how things are; None means that the next one is.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.core.flow import Millis
from engine.store import outbox
from engine.store.connection import Tx

ACCOUNT, TEMPLATE, MARKETING = "account", "template", "marketing"
COLUMNS = "channel_id, what, subject, code, detail, since, until"
_OF = "channel_id = :channel AND what = :what AND subject = :subject"
_HELD = "status = 'held' AND channel_id = :channel AND reason = :reason"


@dataclass(frozen=True, slots=True)
class Hold:
    """`subject` is empty for an account, `name/language` of a template, a contact's id for marketing."""

    channel_id: int
    what: str
    subject: str
    code: int | None
    detail: str | None
    since: Millis
    until: Millis | None

    @property
    def reason(self) -> str:
        """What a letter that is held back says."""
        return f"{self.what}_held"


def template_of(payload: Mapping[str, Any]) -> str:
    """The subject of a letter's template."""
    template = payload["template"]
    return f"{template['name']}/{template['language']}"


def begin(
    tx: Tx,
    channel_id: int,
    what: str,
    subject: str,
    now: Millis,
    until: Millis | None,
    *,
    code: int | None,
    detail: str | None,
) -> bool:
    """Hold, or hold on until a later moment; whether it is news."""
    since = tx.value(
        """INSERT INTO hold (channel_id, what, subject, code, detail, since, until)
           VALUES (:channel, :what, :subject, :code, :detail, :now, :until)
           ON CONFLICT (channel_id, what, subject) DO UPDATE
             SET until = excluded.until, code = excluded.code, detail = excluded.detail RETURNING since = :now""",
        channel=channel_id,
        what=what,
        subject=subject,
        code=code,
        detail=detail,
        now=now,
        until=until,
    )
    return bool(since)


def of(tx: Tx, channel_id: int, subjects: Mapping[str, str]) -> list[Hold]:
    """The holds that concern a letter; `subjects` says what it would use, by kind of hold."""
    rows = tx.rows(f"SELECT {COLUMNS} FROM hold WHERE channel_id = :channel", channel=channel_id)
    return [hold for row in rows if subjects.get((hold := Hold(**row)).what) == hold.subject]


def everything(tx: Tx) -> list[Hold]:
    """Every hold, the oldest first."""
    return [Hold(**row) for row in tx.rows(f"SELECT {COLUMNS} FROM hold ORDER BY since, what, subject")]


def over(tx: Tx, now: Millis, most: int = 200) -> list[Hold]:
    """Holds whose moment has come."""
    rows = tx.rows(f"SELECT {COLUMNS} FROM hold WHERE until <= :now ORDER BY until LIMIT :most", now=now, most=most)
    return [Hold(**row) for row in rows]


def wait(tx: Tx, hold: Hold, until: Millis | None) -> None:
    """Move a hold's moment."""
    tx.run(
        f"UPDATE hold SET until = :until WHERE {_OF}",
        channel=hold.channel_id,
        what=hold.what,
        subject=hold.subject,
        until=until,
    )


def end(tx: Tx, channel_id: int, what: str, subject: str) -> bool:
    """Hold no longer; False if nothing was held."""
    where = f"DELETE FROM hold WHERE {_OF} RETURNING since"
    return tx.value(where, channel=channel_id, what=what, subject=subject) is not None


def oldest(tx: Tx, hold: Hold) -> outbox.Row | None:
    """The letter that a hold has kept back the longest."""
    return next(iter(_held_by(tx, hold.channel_id, hold.what, hold.subject)), None)


def letters(tx: Tx, hold: Hold) -> int:
    """How many letters a hold keeps back."""
    if hold.what == TEMPLATE:
        return len(_held_by(tx, hold.channel_id, hold.what, hold.subject))
    return int(tx.value(f"SELECT COUNT(*) FROM outbox WHERE {_HELD}", channel=hold.channel_id, reason=hold.reason))


def release(tx: Tx, channel_id: int, what: str, subject: str, now: Millis) -> int:
    """Put everything that a hold kept back into the queue again; how many letters that was."""
    if what == TEMPLATE:
        rows = _held_by(tx, channel_id, what, subject)
        for row in rows:
            outbox.settle(tx, row.id, "pending", due_at=now, reason=None)
        return len(rows)
    return tx.run(
        f"UPDATE outbox SET status = 'pending', due_at = :now, reason = NULL WHERE {_HELD}",
        channel=channel_id,
        reason=f"{what}_held",
        now=now,
    )


def _held_by(tx: Tx, channel_id: int, what: str, subject: str) -> list[outbox.Row]:
    rows = outbox.select(tx, f"{_HELD} ORDER BY id", channel=channel_id, reason=f"{what}_held")
    return [row for row in rows if what != TEMPLATE or template_of(row.payload) == subject]


def inherit(tx: Tx, kept: int, gone: int) -> None:
    """One person of two: where the platform's patience with both is over, the longer wait counts."""
    for hold in tx.rows(
        f"SELECT {COLUMNS} FROM hold WHERE what = :what AND subject = :gone", what=MARKETING, gone=str(gone)
    ):
        tx.run("DELETE FROM hold WHERE " + _OF, channel=hold["channel_id"], what=MARKETING, subject=str(gone))
        both = of(tx, hold["channel_id"], {MARKETING: str(kept)})
        until = max([hold["until"] or 0, *(each.until or 0 for each in both)]) or None
        begin(
            tx, hold["channel_id"], MARKETING, str(kept), hold["since"], until, code=hold["code"], detail=hold["detail"]
        )
