"""What the team keeps beside a conversation: whose it is, notes, replies to choose from, files that people send."""

from typing import ClassVar

from sqlalchemy import Column, Index, LargeBinary, Text, UniqueConstraint
from sqlmodel import Field, SQLModel

from engine.store.tables.columns import BIG, instant, row_id


class Assignment(SQLModel, table=True):
    """Whose a conversation is: the account of a colleague, and who said so."""

    __tablename__: ClassVar[str] = "assignments"
    conversation_id: int = Field(sa_column=Column(BIG, primary_key=True, autoincrement=False))
    user_id: int = Field(sa_column=Column(BIG, nullable=False, index=True))
    by_who: str
    at: int = instant()


class TalkNote(SQLModel, table=True):
    """A note of the team in a conversation; it is never sent. `token` is the form's, so that it is written once."""

    __tablename__: ClassVar[str] = "talk_note"
    __table_args__ = (Index("note_of_conversation", "conversation_id", "id"), UniqueConstraint("token"))
    id: int | None = row_id()
    conversation_id: int = Field(sa_column=Column(BIG, nullable=False))
    at: int = instant()
    who: str
    text: str = Field(sa_column=Column(Text, nullable=False))
    token: str


class CannedReply(SQLModel, table=True):
    """A text to choose from when somebody writes by hand, found by its shortcut."""

    __tablename__: ClassVar[str] = "canned_reply"
    __table_args__ = (UniqueConstraint("shortcut"),)
    id: int | None = row_id()
    shortcut: str
    text: str = Field(sa_column=Column(Text, nullable=False))
    who: str
    at: int = instant()


class SentFile(SQLModel, table=True):
    """A picture or an audio that a person sends in a conversation; the letter names it by its id."""

    __tablename__: ClassVar[str] = "sent_file"
    __table_args__ = (Index("file_of_conversation", "conversation_id", "id"),)
    id: int | None = row_id()
    conversation_id: int = Field(sa_column=Column(BIG, nullable=False))
    kind: str
    mime: str
    name: str = ""
    bytes: int = Field(sa_column=Column(BIG, nullable=False))
    sha256: str
    who: str
    at: int = instant()


class SentPiece(SQLModel, table=True):
    """A part of such a file's bytes; the parts are numbered from 0 and all but the last have one size."""

    __tablename__: ClassVar[str] = "sent_piece"
    file_id: int = Field(sa_column=Column(BIG, primary_key=True, autoincrement=False))
    n: int = Field(primary_key=True)
    content: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
