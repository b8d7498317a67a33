"""Templates of the platform, and campaigns that send one to many people."""

from typing import ClassVar

from sqlalchemy import BigInteger, Column, Index, UniqueConstraint
from sqlmodel import Field, SQLModel

from engine.store.tables.columns import BIG, document, instant, partial, row_id


class Template(SQLModel, table=True):
    """A message template as the platform knows it. `status` and `quality` are its own words, `components` its JSON;
    `status` is DELETED for one that it does not list any more.
    """

    __tablename__: ClassVar[str] = "template"
    channel_id: int = Field(sa_column=Column(BigInteger, primary_key=True, autoincrement=False))
    name: str = Field(primary_key=True)
    language: str = Field(primary_key=True)
    category: str = ""
    status: str
    components: str = document("[]")
    quality: str = ""
    reason: str = ""
    synced_at: int = instant()


class Campaign(SQLModel, table=True):
    """One template to many people. `status`: running, paused (`reason`: by whom or why), stopped, done. `next_at` is when
    the next people are taken; `token` is of the form that started it, so that a double click starts it once.
    """

    __tablename__: ClassVar[str] = "campaign"
    __table_args__ = (UniqueConstraint("token"), partial("campaign_due", "next_at", where="status = 'running'"))
    id: int | None = row_id()
    token: str
    name: str
    flow: str
    channel_id: int = Field(sa_column=Column(BIG, nullable=False))
    template: str
    language: str
    params: str = document("[]")
    filter: str = document()
    per_minute: int
    per_day: int
    status: str
    reason: str = ""
    next_at: int = instant()
    who: str = ""
    created_at: int = instant()
    ended_at: int | None = instant(null=True)


class Member(SQLModel, table=True):
    """A person of a campaign, once. `status`: waiting, taken (the letter is in the outbox), left_out (`reason`)."""

    __tablename__: ClassVar[str] = "campaign_member"
    __table_args__ = (
        partial("member_waiting", "campaign_id", "contact_id", where="status = 'waiting'"),
        Index("member_taken", "campaign_id", "taken_at"),
    )
    campaign_id: int = Field(sa_column=Column(BigInteger, primary_key=True, autoincrement=False))
    contact_id: int = Field(sa_column=Column(BigInteger, primary_key=True, autoincrement=False, index=True))
    status: str
    reason: str | None = None
    conversation_id: int | None = Field(default=None, sa_column=Column(BIG, nullable=True))
    taken_at: int | None = instant(null=True)
