"""The published versions as they lie in the database."""

from collections.abc import Iterator
from dataclasses import dataclass

from engine.store.connection import Tx

__all__ = ["Version", "live_and_missing", "published"]


@dataclass(frozen=True, slots=True)
class Version:
    """A published version: its document's text, and the hash that was taken of it at publication."""

    slug: str
    number: int
    sha256: str
    document: str


def published(tx: Tx) -> Iterator[Version]:
    """Every version, by flow and number; one document at a time."""
    for row in tx.rows("SELECT slug, number, sha256 FROM flow_version ORDER BY slug, number"):
        document = tx.value(
            "SELECT document FROM flow_version WHERE slug = :slug AND number = :number",
            slug=row["slug"],
            number=row["number"],
        )
        yield Version(document=document, **row)


def live_and_missing(tx: Tx) -> list[tuple[str, int]]:
    """Flow and number of each live version that is not there."""
    rows = tx.rows(
        """SELECT slug, live FROM flow f WHERE live IS NOT NULL
           AND NOT EXISTS (SELECT 1 FROM flow_version v WHERE v.slug = f.slug AND v.number = f.live)"""
    )
    return [(row["slug"], row["live"]) for row in rows]
