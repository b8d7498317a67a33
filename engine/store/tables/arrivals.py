"""What arrived: bodies, messages, events."""

from typing import ClassVar

from sqlalchemy import Column, Index, UniqueConstraint
from sqlmodel import Field, SQLModel

from engine.store.tables.columns import BIG, document, instant, partial, row_id


class Webhook(SQLModel, table=True):
    """A body as it arrived, secrets taken out, for replay and for "what came in?". `verdict`: parsed, unknown,
    unreadable, failed; of an unreadable one only the first 2 kB are kept (R20).
    """

    __tablename__: ClassVar[str] = "webhook"
    __table_args__ = (
        partial("webhook_to_review", "received_at", where="verdict <> 'parsed'"),
        partial("webhook_of_source", "source_id", "received_at", where="source_id IS NOT NULL"),
    )
    id: str = Field(primary_key=True)
    channel_id: int | None = Field(default=None, sa_column=Column(BIG, nullable=True))
    source_id: int | None = Field(default=None, sa_column=Column(BIG, nullable=True))
    received_at: int = instant()
    verdict: str
    reason: str | None = None
    body: str = document()


class Inbound(SQLModel, table=True):
    """A lead's message. Truth about what waits: `processed_at` null (R22). `outcome` is R29's one answer. `route` says
    by which rule it came to this conversation (R71).
    """

    __tablename__: ClassVar[str] = "inbound"
    __table_args__ = (
        UniqueConstraint("channel_id", "provider_id"),
        Index("inbound_of_conversation", "conversation_id", "at"),
        partial("inbound_pending", "conversation_id", where="processed_at IS NULL"),
    )
    id: int | None = row_id()
    channel_id: int = Field(sa_column=Column(BIG, nullable=False))
    provider_id: str
    conversation_id: int = Field(sa_column=Column(BIG, nullable=False))
    contact_id: int = Field(sa_column=Column(BIG, nullable=False))
    webhook_id: str | None = None
    kind: str
    text: str | None = None
    button_id: str | None = None
    reply_to: str | None = None
    media: str = document()
    marks: str = document()
    route: str | None = None
    at: int = instant()
    received_at: int = instant()
    edited_at: int | None = instant(null=True)
    deleted_at: int | None = instant(null=True)
    processed_at: int | None = instant(null=True)
    event_id: str | None = None
    outcome: str | None = None
    reason: str | None = None


class Inquiry(SQLModel, table=True):
    """What a payment platform has to be asked, because its notice does not say it (R34). `outcome` is null while it
    waits, then `done` or `failed`; `about` is what its adapter needs, `reason` why the last attempt did not help.
    """

    __tablename__: ClassVar[str] = "inquiry"
    __table_args__ = (
        UniqueConstraint("source_id", "provider_id"),
        partial("inquiry_waiting", "due_at", where="outcome IS NULL"),
    )
    id: int | None = row_id()
    source_id: int = Field(sa_column=Column(BIG, nullable=False))
    provider_id: str
    webhook_id: str
    about: str = document()
    received_at: int = instant()
    due_at: int = instant()
    lease_until: int = instant(default=0)
    attempt: int = 0
    settled_at: int | None = instant(null=True)
    outcome: str | None = None
    reason: str | None = None


class EventRow(SQLModel, table=True):
    """Every event, by its derived id: the queue of payment, human and API events, and the proof that one was applied
    (R25). Of a batch it is written when the batch is taken. `notice` is the outcome that a payment platform told.
    """

    __tablename__: ClassVar[str] = "event"
    __table_args__ = (
        partial("event_pending", "due_at", where="processed_at IS NULL"),
        partial("event_orphan", "received_at", where="outcome = 'orphan'"),
        Index("event_of_conversation", "conversation_id"),
        Index("event_business_key", "business_key", unique=True),
        partial("event_of_source", "source_id", "received_at", where="source_id IS NOT NULL"),
    )
    id: str = Field(primary_key=True)
    conversation_id: int | None = Field(default=None, sa_column=Column(BIG, nullable=True))
    contact_id: int | None = Field(default=None, sa_column=Column(BIG, nullable=True))
    source_id: int | None = Field(default=None, sa_column=Column(BIG, nullable=True))
    webhook_id: str | None = None
    type: str
    source: str
    data: str = document()
    facts: str = document()
    business_key: str | None = None
    notice: str | None = None
    at: int = instant()
    received_at: int = instant()
    due_at: int = instant()
    lease_until: int = instant(default=0)
    processed_at: int | None = instant(null=True)
    outcome: str | None = None
    reason: str | None = None
