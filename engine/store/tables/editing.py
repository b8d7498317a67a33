"""What belongs to working on drafts: who changed what, what somebody copied, who is there."""

from typing import ClassVar

from sqlalchemy import Column, Index
from sqlmodel import Field, SQLModel

from engine.store.tables.columns import BIG, document, instant, row_id


class DraftChange(SQLModel, table=True):
    """One change of a draft: `patch` is what it made of the document, `what` the edit in few words, both JSON.

    `made` is the revision that it led to, `undone` the one that it was taken back with, 0 while it holds.
    """

    __tablename__: ClassVar[str] = "draft_change"
    __table_args__ = (Index("change_of_draft", "flow", "who", "made"),)
    id: int | None = row_id()
    flow: str
    who: str
    at: int = instant()
    made: int
    undone: int = 0
    what: str = document()
    patch: str = document("[]")


class Clipboard(SQLModel, table=True):
    """The states that somebody copied, with what they need; JSON."""

    __tablename__: ClassVar[str] = "clipboard"
    who: str = Field(primary_key=True)
    at: int = instant()
    parcel: str = document()


class Presence(SQLModel, table=True):
    """Who has a draft open, and what is selected there; known by the number of the account alone."""

    __tablename__: ClassVar[str] = "presence"
    flow: str = Field(primary_key=True)
    user_id: int = Field(sa_column=Column(BIG, primary_key=True, autoincrement=False))
    sel: str = ""
    at: int = instant()
