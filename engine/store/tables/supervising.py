"""What the live desk keeps: texts to search in, filters of one person, tags, keys of wall screens."""

from typing import ClassVar

from sqlalchemy import BigInteger, Column, Index, UniqueConstraint
from sqlmodel import Field, SQLModel

from engine.store.tables.columns import BIG, instant, row_id


class Findable(SQLModel, table=True):
    """A text by which a person is found, folded. `kind`: name (`ref` is the contact), in, heard (`ref` is the message),
    out (`ref` is the letter). A copy: it goes when what it copies goes, and all of a contact's by its id.
    """

    __tablename__: ClassVar[str] = "findable"
    __table_args__ = (Index("findable_of", "ref", "kind"),)
    id: int | None = row_id()
    contact_id: int = Field(sa_column=Column(BigInteger, nullable=False, index=True))
    conversation_id: int | None = Field(default=None, sa_column=Column(BIG, nullable=True, index=True))
    kind: str
    ref: int = Field(sa_column=Column(BIG, nullable=False))
    text: str


class SavedFilter(SQLModel, table=True):
    """A filter of the desk that somebody gave a name. `query` is that of the address."""

    __tablename__: ClassVar[str] = "saved_filter"
    __table_args__ = (UniqueConstraint("user_id", "name"),)
    id: int | None = row_id()
    user_id: int = Field(sa_column=Column(BIG, nullable=False))
    name: str
    query: str
    created_at: int = instant()


class Tag(SQLModel, table=True):
    """The colour of a tag, by number. Which contacts have the tag is in `contact.tags`."""

    __tablename__: ClassVar[str] = "tag"
    name: str = Field(primary_key=True)
    colour: int


class WallKey(SQLModel, table=True):
    """A key that opens the wall view of one flow and nothing else; only its digest is stored."""

    __tablename__: ClassVar[str] = "wall_key"
    digest: str = Field(primary_key=True)
    name: str
    flow: str
    created_at: int = instant()
    created_by: str
    revoked_at: int | None = instant(null=True)
