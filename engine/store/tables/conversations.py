"""Conversations and their log."""

from typing import ClassVar

from sqlalchemy import BigInteger, Column, Index, String
from sqlmodel import Field, SQLModel

from engine.store.tables.columns import BIG, document, instant, partial, row_id


class Conversation(SQLModel, table=True):
    """A cycle: contact x flow (R71). `version` is the fence (R26); `due_at` is when the pending batch is due (R22).

    `active_at` is when something was last said or decided in it. `followed_by` is the cycle of the same flow that took
    its place; of each flow a contact has one without it, the current one.
    """

    __tablename__: ClassVar[str] = "conversation"
    __table_args__ = (
        Index("conversation_of_contact", "contact_id", "flow"),
        Index("conversation_in_state", "flow", "state", "entered_at", "followed_by"),
        Index("conversation_opened", "flow", "opened_at"),
        partial("conversation_due", "due_at", where="due_at IS NOT NULL"),
        partial("conversation_deadline", "deadline_at", where="deadline_at IS NOT NULL"),
        partial("conversation_attention", "attention", where="attention IS NOT NULL"),
    )
    id: int | None = row_id()
    contact_id: int = Field(sa_column=Column(BigInteger, nullable=False))
    channel_id: int | None = Field(default=None, sa_column=Column(BIG, nullable=True))
    flow: str
    flow_version: int
    state: str
    previous: str | None = None
    context: str = document()
    entered_at: int = instant()
    deadline_at: int | None = instant(null=True)
    armed_at: int = instant(default=0)
    rung: int = 0
    last_inbound_at: int = instant(default=0)
    oldest_pending_at: int | None = instant(null=True)
    due_at: int | None = instant(null=True)
    lease_until: int = instant(default=0)
    send_lease_until: int = instant(default=0)
    version: int = 0
    log_n: int = 0
    log_hash: str = ""
    attention: str | None = None
    replies_in_state: int = 0
    opened_at: int = instant()
    updated_at: int = instant()
    active_at: int = instant(default=0)
    followed_by: int | None = Field(default=None, sa_column=Column(BIG, nullable=True))
    salt: str = Field(default="", sa_column=Column(String, nullable=False, server_default=""))


class Log(SQLModel, table=True):
    """What was recorded, append-only. Rows with `n` are a conversation's chain: 1, 2, 3…, each with the hash of the one
    before (R45); rows without `n` belong to nobody or are news of a send.
    """

    __tablename__: ClassVar[str] = "log"
    __table_args__ = (
        Index("log_of_conversation", "conversation_id", "id"),
        Index("log_chain", "conversation_id", "n", unique=True),
        partial("log_refused", "at", where="outcome = 'rejected'"),
        partial("log_split", "frm", "conversation_id", where="reason = 'split'"),
    )
    id: int | None = row_id()
    at: int = instant()
    conversation_id: int | None = Field(default=None, sa_column=Column(BIG, nullable=True))
    contact_id: int | None = Field(default=None, sa_column=Column(BIG, nullable=True))
    channel_id: int | None = Field(default=None, sa_column=Column(BIG, nullable=True))
    outcome: str
    reason: str | None = None
    event_id: str | None = None
    event: str | None = None
    frm: str | None = None
    to: str | None = None
    facts: str = document()
    n: int | None = None
    prev_hash: str | None = None
    hash: str | None = None
    commitment: str | None = None
