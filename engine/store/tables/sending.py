"""What leaves, and the news of it."""

from typing import ClassVar

from sqlalchemy import BigInteger, Column, Index, UniqueConstraint
from sqlmodel import Field, SQLModel

from engine.store.tables.columns import BIG, document, instant, partial, row_id


class Outbox(SQLModel, table=True):
    """A message on its way out, one row a bubble. `status`: pending, sending, sent, failed, uncertain, review,
    suppressed, held, cancelled. `cause` is the source of the event that asked for it (R37, R75). `tried_at` is when
    the last attempt began, `ask_at` when the channel shall be asked what became of it (R27). `approval_id`: it leaves as
    that request was approved, or not at all.
    """

    __tablename__: ClassVar[str] = "outbox"
    __table_args__ = (
        Index("outbox_of_conversation", "conversation_id", "id"),
        Index("outbox_provider", "channel_id", "provider_id"),
        Index("outbox_once", "conversation_id", "once_key", unique=True),
        partial("outbox_due", "due_at", where="status = 'pending'"),
        partial("outbox_flying", "lease_until", where="status IN ('sending', 'uncertain')"),
        partial("outbox_held", "contact_id", "conversation_id", where="status = 'held'"),
        partial("outbox_to_ask", "ask_at", where="ask_at IS NOT NULL"),
    )
    id: int | None = row_id()
    conversation_id: int = Field(sa_column=Column(BIG, nullable=False))
    contact_id: int = Field(sa_column=Column(BIG, nullable=False))
    channel_id: int | None = Field(default=None, sa_column=Column(BIG, nullable=True))
    event_id: str | None = None
    action: str
    part: int = 1
    parts: int = 1
    cause: str
    is_global: bool = False
    confirms_opt_out: bool = False
    critical: bool = False
    state: str
    payload: str = document()
    as_template: bool = False
    once_key: str | None = None
    key: str | None = None
    status: str = "pending"
    reason: str | None = None
    created_at: int = instant()
    due_at: int = instant()
    lease_until: int = instant(default=0)
    attempt: int = 0
    tried_at: int | None = instant(null=True)
    ask_at: int | None = instant(null=True)
    provider_id: str | None = None
    sent_at: int | None = instant(null=True)
    delivery: str | None = None
    delivery_at: int | None = instant(null=True)
    error_code: int | None = None
    author: str | None = None
    approval_id: int | None = Field(default=None, sa_column=Column(BIG, nullable=True))


class Evidence(SQLModel, table=True):
    """News of a send, stored before it is understood: a status, or an echo, perhaps of a row whose id we do not know
    yet. `settled_by` is the outbox row that it turned out to be about.
    """

    __tablename__: ClassVar[str] = "evidence"
    __table_args__ = (
        UniqueConstraint("channel_id", "provider_id", "status", "at"),
        partial("evidence_open", "channel_id", "provider_id", where="settled_by IS NULL"),
    )
    id: int | None = row_id()
    channel_id: int = Field(sa_column=Column(BIG, nullable=False))
    provider_id: str
    status: str
    contact_id: int | None = Field(default=None, sa_column=Column(BIG, nullable=True))
    at: int = instant()
    received_at: int = instant()
    correlation: str | None = None
    code: int | None = None
    detail: str | None = None
    settled_by: int | None = Field(default=None, sa_column=Column(BIG, nullable=True))


class Hold(SQLModel, table=True):
    """What keeps letters of a channel back. `what`: account, template (`subject` is name/language), marketing (`subject`
    is a contact's id). At `until` one letter is let through to see how things are; null: the next one is.
    """

    __tablename__: ClassVar[str] = "hold"
    channel_id: int = Field(sa_column=Column(BigInteger, primary_key=True))
    what: str = Field(primary_key=True)
    subject: str = Field(primary_key=True)
    code: int | None = instant(null=True)
    detail: str | None = None
    since: int = instant()
    until: int | None = instant(null=True)
