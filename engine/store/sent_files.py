"""Files that people of the team send, in pieces that no commit takes long to write."""

from dataclasses import dataclass

from engine.core.flow import Millis
from engine.store.connection import Tx
from engine.store.media_pieces import PIECE, cut

__all__ = ["SentFile", "cut", "forget", "get", "put", "read", "write"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SentFile:
    """A file. `kind` is image or audio, `mime` what it was seen to be, `name` what its sender calls it."""

    id: int
    conversation_id: int
    kind: str
    mime: str
    name: str
    bytes: int


def put(
    tx: Tx, conversation_id: int, *, kind: str, mime: str, name: str, size: int, sha256: str, who: str, at: Millis
) -> int:
    """A file whose pieces follow; its id."""
    return int(
        tx.value(
            """INSERT INTO sent_file (conversation_id, kind, mime, name, bytes, sha256, who, at)
               VALUES (:conversation, :kind, :mime, :name, :size, :sha256, :who, :at) RETURNING id""",
            conversation=conversation_id,
            kind=kind,
            mime=mime,
            name=name,
            size=size,
            sha256=sha256,
            who=who,
            at=at,
        )
    )


def write(tx: Tx, file_id: int, n: int, content: bytes) -> None:
    """Write one piece."""
    tx.run(
        """INSERT INTO sent_piece (file_id, n, content) VALUES (:id, :n, :content)
           ON CONFLICT (file_id, n) DO UPDATE SET content = excluded.content""",
        id=file_id,
        n=n,
        content=content,
    )


def get(tx: Tx, file_id: int) -> SentFile | None:
    """One file."""
    row = tx.one("SELECT id, conversation_id, kind, mime, name, bytes FROM sent_file WHERE id = :id", id=file_id)
    return None if row is None else SentFile(**row)


def read(tx: Tx, file_id: int, first: int, last: int) -> bytes:
    """The bytes from `first` to `last`, both included."""
    start = first // PIECE
    rows = tx.rows(
        "SELECT content FROM sent_piece WHERE file_id = :id AND n BETWEEN :start AND :stop ORDER BY n",
        id=file_id,
        start=start,
        stop=last // PIECE,
    )
    whole = b"".join(bytes(row["content"]) for row in rows)
    return whole[first - start * PIECE : last + 1 - start * PIECE]


def forget(tx: Tx, file_id: int) -> None:
    """A file and its pieces are erased."""
    tx.run("DELETE FROM sent_piece WHERE file_id = :id", id=file_id)
    tx.run("DELETE FROM sent_file WHERE id = :id", id=file_id)
