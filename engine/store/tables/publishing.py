"""What belongs to publications: who was moved by one, those that wait for their hour, and replays before one."""

from typing import ClassVar

from sqlalchemy import BigInteger, Column
from sqlmodel import Field, SQLModel

from engine.store.tables.columns import document, instant, partial, row_id


class PublicationMove(SQLModel, table=True):
    """Whom the publication of a version put elsewhere, and where they had been: what a roll back reads (R61).

    `context` holds the values of fields that the version does not know.
    """

    __tablename__: ClassVar[str] = "publication_move"
    slug: str = Field(primary_key=True)
    number: int = Field(primary_key=True)
    conversation_id: int = Field(sa_column=Column(BigInteger, primary_key=True, autoincrement=False))
    frm_version: int
    frm_state: str
    frm_previous: str | None = None
    to_state: str
    context: str = document()
    at: int = instant()


class ScheduledPublication(SQLModel, table=True):
    """A publication at a set time, of the draft as it was reviewed: `revision`, `sha256` and the version that was `live`.

    `status` is waiting, done, cancelled or refused; `reason` says why it was refused, until somebody has seen it.
    `second` is who approved it, where two have to decide.
    """

    __tablename__: ClassVar[str] = "scheduled_publication"
    __table_args__ = (partial("publication_due", "publish_at", where="status = 'waiting'"),)
    id: int | None = row_id()
    slug: str
    revision: int
    sha256: str
    live: int | None = None
    note: str = ""
    who: str
    address: str = ""
    second: str = ""
    plan: str = document()
    publish_at: int = instant()
    lease_until: int = instant(default=0)
    status: str
    reason: str = ""
    facts: str = document()
    created_at: int = instant()
    ended_at: int | None = instant(null=True)


class Replay(SQLModel, table=True):
    """Recorded conversations being decided again (R62): how far it is, and at the end what it found, as JSON."""

    __tablename__: ClassVar[str] = "replay"
    id: str = Field(primary_key=True)
    slug: str
    sha256: str
    done: int = 0
    total: int = 0
    status: str
    result: str = document()
    who: str
    started_at: int = instant()
    told_at: int = instant()


class PublicationRequest(SQLModel, table=True):
    """A publication that a second person has to approve, of the draft or of version `source` again, as it was reviewed.

    `publish_at` is null for at once. `status` is waiting, approved, refused, withdrawn or replaced.
    """

    __tablename__: ClassVar[str] = "publication_request"
    __table_args__ = (partial("publication_waiting", "slug", where="status = 'waiting'", unique=True),)
    id: int | None = row_id()
    slug: str
    source: int | None = None
    revision: int
    sha256: str
    live: int | None = None
    note: str
    who: str
    address: str = ""
    plan: str = document()
    publish_at: int | None = instant(null=True)
    status: str
    decided_by: str = ""
    reason: str = ""
    created_at: int = instant()
    decided_at: int | None = instant(null=True)
