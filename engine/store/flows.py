"""Flows: the draft with its revision, the published versions, which never change (R60), and which are archived."""

from dataclasses import dataclass
from typing import Any

from engine.core.flow import Millis
from engine.store.connection import Tx

__all__ = [
    "Draft",
    "Publication",
    "add",
    "archive",
    "document",
    "draft",
    "drafts",
    "live",
    "live_numbers",
    "publications",
    "publish",
    "save_draft",
    "standing",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A flow as it is being edited. `document` is canonical JSON; `live` is the number of the live version.

    Nobody new enters a flow that is archived, whatever is live.
    """

    slug: str
    title: str
    document: str
    revision: int
    live: int | None
    created_at: Millis
    edited_at: Millis
    edited_by: str | None
    archived_at: Millis | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Publication:
    """A published version, without its document."""

    slug: str
    number: int
    sha256: str
    note: str
    author: str
    published_at: Millis


_DRAFT = (
    "SELECT slug, title, draft AS document, revision, live, created_at, edited_at, edited_by, archived_at FROM flow"
)
_PUBLICATION = "SELECT slug, number, sha256, note, author, published_at FROM flow_version"
_LARGEST = 2**31 - 1
"""The largest number that the column of a version's number holds."""


def draft(tx: Tx, slug: str, *, lock: bool = False) -> Draft | None:
    """The flow, locked until the transaction ends where the database can lock rows."""
    suffix = " FOR UPDATE" if lock and tx.dialect == "postgresql" else ""
    row = tx.one(f"{_DRAFT} WHERE slug = :slug{suffix}", slug=slug)
    return None if row is None else Draft(**row)


def drafts(tx: Tx) -> list[Draft]:
    """Every flow, by title."""
    return [Draft(**row) for row in tx.rows(f"{_DRAFT} ORDER BY title, slug")]


def add(tx: Tx, *, slug: str, title: str, text: str, now: Millis, who: str) -> None:
    """A new flow with a draft. Raises Conflict when the name is taken."""
    tx.run(
        "INSERT INTO flow (slug, title, draft, revision, live, created_at, edited_at, edited_by)"
        " VALUES (:slug, :title, :text, 1, NULL, :now, :now, :who)",
        slug=slug,
        title=title,
        text=text,
        now=now,
        who=who,
    )


def save_draft(tx: Tx, *, slug: str, title: str, text: str, seen: int, now: Millis, who: str) -> int | None:
    """The next revision of a draft if `seen` is still the newest, else None; returns its number."""
    written = tx.value(
        "UPDATE flow SET draft = :text, title = :title, revision = revision + 1, edited_at = :now, edited_by = :who"
        " WHERE slug = :slug AND revision = :seen RETURNING revision",
        slug=slug,
        title=title,
        text=text,
        seen=seen,
        now=now,
        who=who,
    )
    return None if written is None else int(written)


def document(tx: Tx, slug: str, number: int) -> str | None:
    """A published version's canonical document, or None; also for a number that no database could hold."""
    if not 0 < number <= _LARGEST:
        return None
    found: Any = tx.value(
        "SELECT document FROM flow_version WHERE slug = :slug AND number = :number", slug=slug, number=number
    )
    return None if found is None else str(found)


def publications(tx: Tx, slug: str) -> list[Publication]:
    """The published versions, the newest first."""
    return [Publication(**row) for row in tx.rows(f"{_PUBLICATION} WHERE slug = :slug ORDER BY number DESC", slug=slug)]


def live(tx: Tx, slug: str) -> Publication | None:
    """The version that new conversations enter, or None when nothing is published."""
    row = tx.one(
        f"{_PUBLICATION} WHERE slug = :slug AND number = (SELECT live FROM flow WHERE slug = :slug)", slug=slug
    )
    return None if row is None else Publication(**row)


def live_numbers(tx: Tx) -> dict[str, int]:
    """The version that newcomers enter, of every flow that has one."""
    rows = tx.rows("SELECT slug, live FROM flow WHERE live IS NOT NULL AND archived_at IS NULL")
    return {row["slug"]: int(row["live"]) for row in rows}


def archive(tx: Tx, slug: str, at: Millis | None) -> None:
    """Nobody new enters the flow from now on; with `at` None they do again."""
    tx.run("UPDATE flow SET archived_at = :at WHERE slug = :slug", slug=slug, at=at)


def publish(tx: Tx, *, slug: str, text: str, sha256: str, note: str, author: str, now: Millis) -> int:
    """Store the next version and make it live; returns its number. The flow's row must be locked by the caller."""
    number = int(tx.value("SELECT coalesce(max(number), 0) + 1 FROM flow_version WHERE slug = :slug", slug=slug))
    tx.run(
        "INSERT INTO flow_version (slug, number, document, sha256, note, author, published_at)"
        " VALUES (:slug, :number, :text, :sha256, :note, :author, :now)",
        slug=slug,
        number=number,
        text=text,
        sha256=sha256,
        note=note,
        author=author,
        now=now,
    )
    tx.run("UPDATE flow SET live = :number WHERE slug = :slug", slug=slug, number=number)
    return number


def standing(tx: Tx, slug: str) -> list[tuple[int, str, int]]:
    """How many current conversations stand where: version, state, count."""
    rows = tx.rows(
        "SELECT flow_version, state, count(*) AS people FROM conversation WHERE flow = :slug AND followed_by IS NULL"
        " GROUP BY flow_version, state ORDER BY flow_version, state",
        slug=slug,
    )
    return [(int(row["flow_version"]), str(row["state"]), int(row["people"])) for row in rows]
