"""What an installation is made of: settings, channels, payment sources, flows and their versions."""

from typing import ClassVar

from sqlalchemy import Column, UniqueConstraint
from sqlmodel import Field, SQLModel

from engine.store.tables.columns import BIG, document, instant, row_id


class Setting(SQLModel, table=True):
    """One setting of the installation, by name; `value` is JSON."""

    __tablename__: ClassVar[str] = "setting"
    name: str = Field(primary_key=True)
    value: str = document("null")


class Channel(SQLModel, table=True):
    """A number or page that people write to. `token` is the secret part of its webhook address, `pace_at` the next free
    place in the line of its messages.

    `state` is ok or why nothing can leave, since `state_at`; `look_at` is when its gateway shall be asked again, and
    `told_at` when the team was told.
    """

    __tablename__: ClassVar[str] = "channel"
    __table_args__ = (UniqueConstraint("name"), UniqueConstraint("token"))
    id: int | None = row_id()
    kind: str
    name: str
    token: str
    flow: str
    settings: str = document()
    secrets: str = document()
    state: str = "ok"
    state_at: int = instant(default=0)
    pace_at: int = instant(default=0)
    look_at: int | None = instant(null=True)
    told_at: int | None = instant(null=True)
    created_at: int = instant()
    removed_at: int | None = instant(null=True)


class ChannelPace(SQLModel, table=True):
    """How a number that may be banned is spared: when the next message that nobody asked for may leave, and how many
    strangers it has written to on the local `day`.
    """

    __tablename__: ClassVar[str] = "channel_pace"
    channel_id: int = Field(sa_column=Column(BIG, primary_key=True, autoincrement=False))
    slot_at: int = instant(default=0)
    day: str = ""
    strangers: int = 0


class PaymentSource(SQLModel, table=True):
    """A payment platform's account. `events` maps its outcomes to event names where they differ from the usual."""

    __tablename__: ClassVar[str] = "payment_source"
    __table_args__ = (UniqueConstraint("name"), UniqueConstraint("token"))
    id: int | None = row_id()
    platform: str
    name: str
    token: str
    flow: str
    settings: str = document()
    secrets: str = document()
    events: str = document()
    created_at: int = instant()
    removed_at: int | None = instant(null=True)


class FlowRow(SQLModel, table=True):
    """A flow: its draft, and which version is live. `revision` counts edits of the draft; nobody new enters one that
    was archived at `archived_at`.
    """

    __tablename__: ClassVar[str] = "flow"
    slug: str = Field(primary_key=True)
    title: str
    draft: str = document()
    revision: int = 1
    live: int | None = None
    created_at: int = instant()
    edited_at: int = instant()
    edited_by: str | None = None
    archived_at: int | None = instant(null=True)


class ReviewedText(SQLModel, table=True):
    """What customers wrote and nobody need look at again: a digest of the folded words, not the words."""

    __tablename__: ClassVar[str] = "reviewed_text"
    flow: str = Field(primary_key=True)
    digest: str = Field(primary_key=True)
    at: int = instant()
    who: str


class FlowVersion(SQLModel, table=True):
    """A published version; never changed (R60)."""

    __tablename__: ClassVar[str] = "flow_version"
    slug: str = Field(primary_key=True)
    number: int = Field(primary_key=True)
    document: str = document()
    sha256: str
    note: str = ""
    author: str = ""
    published_at: int = instant()
