"""The audit log: who did what, when and from where; append-only, one chain for the installation (R44, SEC-S23)."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from engine.core.canonical import canonical
from engine.core.chain import START, Break, Row, link, verify
from engine.core.flow import Millis
from engine.core.permissions import Actor
from engine.store.connection import Tx

__all__ = ["Entry", "about_conversation", "append", "check", "head", "listed", "note"]

_LOCK = 7_116_041_106
"""PostgreSQL: one appender at a time, until his transaction ends, so that the chain never forks."""
_BODY = ("at", "who", "what", "subject", "facts", "address")
_PAGE = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One row: `what` is a code such as `flow.published`, `subject` names the thing, `facts` is JSON text."""

    id: int
    at: Millis
    who: str
    what: str
    subject: str
    facts: str
    address: str
    prev_hash: str
    hash: str


def append(
    tx: Tx,
    *,
    at: Millis,
    who: str,
    what: str,
    subject: str = "",
    facts: Mapping[str, object] | None = None,
    address: str = "",
) -> str:
    """Add a row to the end of the chain, in the caller's transaction; returns its hash. Never give it a secret."""
    if tx.dialect == "postgresql":
        tx.value("SELECT pg_advisory_xact_lock(:key)", key=_LOCK)
    prev = head(tx)
    body: dict[str, Any] = {
        "at": at,
        "who": who,
        "what": what,
        "subject": subject,
        "facts": canonical(facts or {}),
        "address": address,
    }
    own = link(prev, body)
    tx.run(
        "INSERT INTO audit (at, who, what, subject, facts, address, prev_hash, hash)"
        " VALUES (:at, :who, :what, :subject, :facts, :address, :prev, :own)",
        prev=prev,
        own=own,
        **body,
    )
    return own


def note(
    tx: Tx, at: Millis, actor: Actor, what: str, *, subject: str = "", facts: Mapping[str, object] | None = None
) -> None:
    """What somebody did, from where they did it."""
    append(tx, at=at, who=actor.who, what=what, subject=subject, facts=facts, address=actor.address)


def head(tx: Tx) -> str:
    """The hash of the last row: an anchor to keep elsewhere, so that a cut tail is found."""
    found = tx.value("SELECT hash FROM audit ORDER BY id DESC LIMIT 1")
    return START if found is None else str(found)


def check(tx: Tx, anchor: str | None = None) -> tuple[int, Break | None]:
    """How many rows there are and where the chain breaks, if it does. `anchor`: the head that the last row must have."""
    return int(tx.value("SELECT count(*) FROM audit")), verify(_chain(tx), anchor)


def listed(
    tx: Tx,
    *,
    before: int | None = None,
    limit: int = 50,
    who: str | None = None,
    what: str | None = None,
    subject: str | None = None,
    since: Millis = 0,
    text: str = "",
) -> list[Entry]:
    """The newest rows first. `before` is the id to go on from; `what` may end in `.` for all codes that begin so; `text`
    occurs in who, subject or facts, whatever its case.
    """
    conditions, values = ["at >= :since"], {"since": since}
    found: dict[str, object] = {"limit": limit, **values}
    if before is not None:
        conditions.append("id < :before")
        found["before"] = before
    for name, wanted in (("who", who), ("subject", subject)):
        if wanted is not None:
            conditions.append(f"{name} = :{name}")
            found[name] = wanted
    if what is not None:
        conditions.append("substr(what, 1, length(:what)) = :what" if what.endswith(".") else "what = :what")
        found["what"] = what
    if text:
        places = (f"lower({name}) LIKE :like ESCAPE '!'" for name in ("who", "subject", "facts"))
        conditions.append(f"({' OR '.join(places)})")
        found["like"] = f"%{_plain(text.lower())}%"
    sql = f"SELECT * FROM audit WHERE {' AND '.join(conditions)} ORDER BY id DESC LIMIT :limit"
    return [Entry(**row) for row in tx.rows(sql, **found)]


def about_conversation(tx: Tx, conversation_id: int, most: int) -> list[Entry]:
    """The newest deeds of people in a conversation and about its letters, newest first."""
    rows = tx.rows(
        """SELECT * FROM audit WHERE (subject = :id AND what LIKE 'conversation.%')
             OR (what LIKE 'send.%' AND subject IN
               (SELECT CAST(o.id AS VARCHAR) FROM outbox o WHERE o.conversation_id = :number))
             OR (what = 'contact.opt_in' AND subject IN
               (SELECT CAST(c.contact_id AS VARCHAR) FROM conversation c WHERE c.id = :number))
           ORDER BY id DESC LIMIT :most""",
        id=str(conversation_id),
        number=conversation_id,
        most=most,
    )
    return [Entry(**row) for row in rows]


def _plain(text: str) -> str:
    return re.sub(r"([!%_])", r"!\1", text)


def _chain(tx: Tx) -> Iterator[Row]:
    last = 0
    while rows := tx.rows("SELECT * FROM audit WHERE id > :last ORDER BY id LIMIT :page", last=last, page=_PAGE):
        for row in rows:
            yield Row(row["prev_hash"], row["hash"], {name: row[name] for name in _BODY})
        last = int(rows[-1]["id"])
