"""The bytes of messages' files, in pieces that no commit takes long to write."""

from collections.abc import Iterator

from engine.store.connection import Tx

__all__ = ["PIECE", "cut", "drop", "read", "write"]

PIECE = 256 * 1024
"""Bytes of every piece but the last."""


def cut(content: bytes) -> Iterator[tuple[int, bytes]]:
    """A file as numbered pieces."""
    for n, start in enumerate(range(0, len(content), PIECE)):
        yield n, content[start : start + PIECE]


def write(tx: Tx, inbound_id: int, n: int, content: bytes) -> None:
    """Write one piece, over what an attempt before may have left there."""
    tx.run(
        """INSERT INTO media_piece (inbound_id, n, content) VALUES (:id, :n, :content)
           ON CONFLICT (inbound_id, n) DO UPDATE SET content = excluded.content""",
        id=inbound_id,
        n=n,
        content=content,
    )


def read(tx: Tx, inbound_id: int, first: int, last: int) -> bytes:
    """The bytes from `first` to `last`, both included."""
    start = first // PIECE
    rows = tx.rows(
        "SELECT content FROM media_piece WHERE inbound_id = :id AND n BETWEEN :start AND :stop ORDER BY n",
        id=inbound_id,
        start=start,
        stop=last // PIECE,
    )
    whole = b"".join(bytes(row["content"]) for row in rows)
    return whole[first - start * PIECE : last + 1 - start * PIECE]


def drop(tx: Tx, inbound_id: int) -> None:
    """Forget every piece."""
    tx.run("DELETE FROM media_piece WHERE inbound_id = :id", id=inbound_id)
