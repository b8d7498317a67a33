"""Two contacts become one: every row of one goes to the other; the log keeps what it says, as it was said (R45, R70)."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from engine.core.canonical import canonical
from engine.core.errors import StaleConversation
from engine.core.flow import Millis
from engine.store import assignments, conversations, findable, holds, lists
from engine.store.connection import Tx
from engine.store.contacts import locking
from engine.store.cycles import succeed
from engine.store.journal import Record

__all__ = ["Pair", "absorb", "hand_over", "locked"]

_CARRIED = ("identity", "conversation", "inbound", "event", "evidence", "consent_proof", "findable")
_FILLED = ("name", "phone", "email", "language", "tracking")


@dataclass(frozen=True, slots=True)
class Pair:
    """The rows of two contacts, locked: `kept` is the one that was known first."""

    kept: Mapping[str, Any]
    gone: Mapping[str, Any]

    @property
    def opts_out(self) -> bool:
        """Whether the one that goes brings an opt-out that the one that stays has not got (R73)."""
        return self.gone["opt_out_at"] is not None and self.kept["opt_out_at"] is None


def locked(tx: Tx, one: int, other: int) -> Pair:
    """Both contacts, locked until the transaction ends, always in the same order.

    Raises StaleConversation when one of them was merged meanwhile.
    """
    rows = tx.rows(f"SELECT * FROM contact WHERE id IN :ids ORDER BY id{locking(tx)}", ids=[one, other])
    if len(rows) != 2 or any(row["merged_into"] is not None for row in rows):
        raise StaleConversation
    return Pair(rows[0], rows[1])


def absorb(tx: Tx, pair: Pair, now: Millis) -> list[int]:
    """All that `gone` has is `kept`'s; the stricter consent and the longer pause hold. The conversations that came.

    Letters that left stay those of whom they were sent to; those that have still to leave go along.
    """
    _stand_still(tx, pair, now)
    names: dict[str, object] = {"kept": pair.kept["id"], "gone": pair.gone["id"]}
    came = [
        int(row["id"]) for row in tx.rows("SELECT id FROM conversation WHERE contact_id = :gone ORDER BY id", **names)
    ]
    for table in _CARRIED:
        tx.run(f"UPDATE {table} SET contact_id = :kept WHERE contact_id = :gone", **names)
    tx.run("UPDATE outbox SET contact_id = :kept WHERE contact_id = :gone AND status IN ('pending', 'held')", **names)
    holds.inherit(tx, pair.kept["id"], pair.gone["id"])
    lists.inherit(tx, pair.kept["id"], pair.gone["id"])
    tx.run("UPDATE contact SET merged_into = :kept WHERE id = :gone OR merged_into = :gone", **names)
    tx.run("UPDATE contact SET paused_at = NULL, paused_until = NULL, paused_by = NULL WHERE id = :gone", **names)
    tx.run(
        """UPDATE contact SET name = :name, phone = :phone, email = :email, language = :language, tracking = :tracking,
             tags = :tags, opt_out_at = :opt_out_at, paused_at = :paused_at, paused_until = :paused_until,
             paused_by = :paused_by WHERE id = :id""",
        id=pair.kept["id"],
        **_together(pair),
    )
    findable.named(tx, [pair.gone["id"], pair.kept["id"]])
    return came


def hand_over(tx: Tx, old_id: int, new_id: int, now: Millis) -> None:
    """A cycle gives its place to another of the same person and flow, and what waits in it waits there from now on.

    Its silence ends, its letters that have not left stay (they are withheld when they would leave), and each of the
    two has a row about it in its chain.
    """
    old, new = conversations.load(tx, old_id), conversations.load(tx, new_id)
    if old is None or new is None:
        raise StaleConversation
    for table in ("inbound", "event"):
        tx.run(
            f"UPDATE {table} SET conversation_id = :new WHERE conversation_id = :old AND processed_at IS NULL",
            old=old_id,
            new=new_id,
        )
    findable.moved(tx, old_id, new_id)
    heard, other = sorted((old, new), key=lambda each: -each.snapshot.last_inbound_at)
    conversations.save(
        tx,
        old,
        replace(old.snapshot, deadline_at=None),
        now,
        [Record(outcome="note", reason="followed", facts={"goes_on_in": new_id, "after": {"deadline_at": None}})],
    )
    inbound = heard.snapshot.last_inbound_at
    conversations.save(
        tx,
        new,
        replace(new.snapshot, last_inbound_at=inbound),
        now,
        [
            Record(
                outcome="note", reason="follows", facts={"goes_on_from": old_id, "after": {"last_inbound_at": inbound}}
            )
        ],
        due_at=_earliest(old.due_at, new.due_at),
        oldest_pending_at=_earliest(old.oldest_pending_at, new.oldest_pending_at),
        attention=new.attention or old.attention,
    )
    tx.run(
        "UPDATE conversation SET channel_id = :channel WHERE id = :id",
        id=new_id,
        channel=other.channel_id if heard.channel_id is None else heard.channel_id,
    )
    succeed(tx, old_id, new_id)
    assignments.hand_on(tx, old_id, new_id)


def _stand_still(tx: Tx, pair: Pair, now: Millis) -> None:
    """Each conversation's silence counts as standing from when its own person was paused, or from now (R15)."""
    paused = {row["id"]: row["paused_at"] for row in (pair.kept, pair.gone)}
    if not any(since is not None for since in paused.values()):
        return
    for contact_id, since in paused.items():
        tx.run(
            "UPDATE conversation SET armed_at = :since WHERE contact_id = :id AND armed_at < :since",
            id=contact_id,
            since=now if since is None else since,
        )


def _together(pair: Pair) -> dict[str, object]:
    """The columns of both as one: what the kept one lacks comes from the other."""
    kept, gone = pair.kept, pair.gone
    filled = {name: kept[name] if kept[name] is not None else gone[name] for name in _FILLED}
    tags = dict.fromkeys([*json.loads(kept["tags"]), *json.loads(gone["tags"])])
    longer = max((kept, gone), key=lambda row: row["paused_until"] or 0)
    return {
        **filled,
        "tags": canonical(list(tags)),
        "opt_out_at": _earliest(kept["opt_out_at"], gone["opt_out_at"]),
        "paused_at": _earliest(kept["paused_at"], gone["paused_at"]),
        "paused_until": longer["paused_until"],
        "paused_by": longer["paused_by"],
    }


def _earliest(one: Millis | None, other: Millis | None) -> Millis | None:
    return min((at for at in (one, other) if at is not None), default=None)
