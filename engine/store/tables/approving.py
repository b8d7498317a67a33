"""What waits for a person's approval."""

from typing import ClassVar

from sqlalchemy import Column, Index
from sqlmodel import Field, SQLModel

from engine.store.tables.columns import BIG, document, instant, partial, row_id


class Approval(SQLModel, table=True):
    """A request, one for each time a conversation comes to stand in an approval state (R7).

    `content` are the messages that would be sent, `sha256` their digest, `original` the content before somebody edited
    it ("" when nobody did), `transition` the arrow that would send them ("" when there is none). `status`: pending,
    approved, rejected, expired, withdrawn (the conversation went elsewhere), replaced (something else would be sent by
    now). It expires with the conversation's own deadline, which a pause holds up and an extension moves.
    """

    __tablename__: ClassVar[str] = "approval"
    __table_args__ = (
        Index("approval_of_conversation", "conversation_id", "id"),
        partial("approval_pending", "conversation_id", where="status = 'pending'", unique=True),
    )
    id: int | None = row_id()
    conversation_id: int = Field(sa_column=Column(BIG, nullable=False))
    flow: str
    flow_version: int
    state: str
    entered_at: int = instant()
    transition: str
    content: str = document("[]")
    original: str = ""
    sha256: str
    approvers: str = document("[]")
    status: str = "pending"
    decided_by: str = ""
    reason: str = ""
    extended_by: str = ""
    created_at: int = instant()
    decided_at: int | None = instant(null=True)
