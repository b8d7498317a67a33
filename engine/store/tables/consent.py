"""Proofs of consent, and the files that people were imported from."""

from typing import ClassVar

from sqlalchemy import BigInteger, Column, Index
from sqlmodel import Field, SQLModel

from engine.store.tables.columns import document, instant, row_id


class Proof(SQLModel, table=True):
    """That a person wanted to be written to: when they said so, where that is known from, in which words (R73).

    `source`: import, supervisor, flow, channel_button. `words` is what can be shown to whoever asks.
    """

    __tablename__: ClassVar[str] = "consent_proof"
    __table_args__ = (Index("proof_of_contact", "contact_id", "at"),)
    id: int | None = row_id()
    contact_id: int = Field(sa_column=Column(BigInteger, nullable=False))
    at: int = instant()
    source: str
    words: str = ""
    who: str = ""
    recorded_at: int = instant()


class ContactFile(SQLModel, table=True):
    """A file of people. `status`: draft (uploaded, looked at), done. `content` is the text of a draft, empty after it;
    `problems` are the lines that were not taken, with their reasons.
    """

    __tablename__: ClassVar[str] = "contact_file"
    id: int | None = row_id()
    name: str
    status: str
    content: str = document("")
    proof: str = ""
    who: str = ""
    at: int = instant()
    facts: str = document()
    problems: str = document("[]")


class FromFile(SQLModel, table=True):
    """Who came with a file, new or known before."""

    __tablename__: ClassVar[str] = "from_file"
    file_id: int = Field(sa_column=Column(BigInteger, primary_key=True, autoincrement=False))
    contact_id: int = Field(sa_column=Column(BigInteger, primary_key=True, autoincrement=False, index=True))
