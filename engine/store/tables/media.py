"""The files of leads' messages, and what was heard in them."""

from typing import ClassVar

from sqlalchemy import Column, LargeBinary, Text
from sqlmodel import Field, SQLModel

from engine.store.tables.columns import BIG, instant, partial


class Media(SQLModel, table=True):
    """The file of one message, to whom it belongs through the message alone. `state`: waiting, kept, refused (`reason`).
    `bytes` is known as soon as every piece is stored. Of an audio `transcript_state` is waiting, ready, failed
    (`transcript_reason`) or none, of anything else null.

    What is still to be done with it is due at `due_at`; whoever does it holds it until `flying_until`.
    """

    __tablename__: ClassVar[str] = "media"
    __table_args__ = (
        partial("media_due", "due_at", where="due_at IS NOT NULL"),
        partial("media_flying", "flying_until", where="flying_until > 0"),
    )
    inbound_id: int = Field(sa_column=Column(BIG, primary_key=True, autoincrement=False))
    state: str = "waiting"
    reason: str | None = None
    mime: str | None = None
    bytes: int | None = Field(default=None, sa_column=Column(BIG, nullable=True))
    sha256: str | None = None
    transcript_state: str | None = None
    transcript_reason: str | None = None
    transcript: str | None = Field(default=None, sa_column=Column(Text, nullable=True))
    transcribed_ms: int | None = Field(default=None, sa_column=Column(BIG, nullable=True))
    due_at: int | None = instant(null=True)
    flying_until: int = instant(default=0)
    attempt: int = 0
    created_at: int = instant()


class MediaPiece(SQLModel, table=True):
    """A part of a file's bytes; the parts are numbered from 0 and all but the last have one size."""

    __tablename__: ClassVar[str] = "media_piece"
    inbound_id: int = Field(sa_column=Column(BIG, primary_key=True, autoincrement=False))
    n: int = Field(primary_key=True)
    content: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
