"""People: contacts with their names, and the team with its sign-ins."""

from typing import ClassVar

from sqlalchemy import BigInteger, Column, Text, UniqueConstraint
from sqlmodel import Field, SQLModel

from engine.store.tables.columns import BIG, document, instant, partial, row_id


class Contact(SQLModel, table=True):
    """A person. Opt-out and pause belong to the person, not to a conversation (R73, R74). `tracking` is the code that
    our links carry; `merged_into` the contact that this one turned out to be, to whom everything of it belongs (R70).
    """

    __tablename__: ClassVar[str] = "contact"
    __table_args__ = (partial("contact_pause_over", "paused_until", where="paused_until IS NOT NULL"),)
    id: int | None = row_id()
    name: str | None = None
    phone: str | None = Field(default=None, index=True)
    email: str | None = None
    language: str | None = None
    tags: str = document("[]")
    opt_out_at: int | None = instant(null=True)
    paused_at: int | None = instant(null=True)
    paused_until: int | None = instant(null=True)
    paused_by: str | None = None
    tracking: str | None = None
    merged_into: int | None = Field(default=None, sa_column=Column(BIG, nullable=True))
    erased_at: int | None = instant(null=True)
    created_at: int = instant()


class ErasedName(SQLModel, table=True):
    """A name of somebody who asked for no more messages and was erased, as a keyed digest: the wish outlives them (R73)."""

    __tablename__: ClassVar[str] = "erased_name"
    digest: str = Field(primary_key=True)
    at: int = instant()


class Identity(SQLModel, table=True):
    """One name of a contact. `kind`: phone (canonical key), lid, bsuid, reference (tracking code), email."""

    __tablename__: ClassVar[str] = "identity"
    kind: str = Field(primary_key=True)
    value: str = Field(primary_key=True)
    contact_id: int = Field(sa_column=Column(BigInteger, nullable=False, index=True))
    seen_as: str = ""
    created_at: int = instant()


class Collision(SQLModel, table=True):
    """Two contacts that something says are one person, `one` the older: asked once, decided by a person (R70).
    `via` is what says so (message, number_change, payment…), `wanted` the name that both have a claim to.
    `decision` is null while nobody decided, else same or different.
    """

    __tablename__: ClassVar[str] = "collision"
    __table_args__ = (
        UniqueConstraint("one", "other"),
        partial("collision_open", "at", where="decision IS NULL"),
    )
    id: int | None = row_id()
    one: int = Field(sa_column=Column(BIG, nullable=False))
    other: int = Field(sa_column=Column(BIG, nullable=False))
    via: str
    wanted: str = ""
    at: int = instant()
    decision: str | None = None
    decided_at: int | None = instant(null=True)
    decided_by: str | None = None


class User(SQLModel, table=True):
    """Somebody of the team. `password` is an argon2id hash, null until the invitation is used. `totp` is the sealed seed
    of the second factor, `totp_pending` one that was not confirmed yet, `totp_step` the last step whose code was used.
    """

    __tablename__: ClassVar[str] = "account"
    __table_args__ = (UniqueConstraint("email"),)
    id: int | None = row_id()
    email: str
    name: str = ""
    role: str
    password: str | None = None
    language: str | None = None
    theme: str | None = None
    failures: int = 0
    locked_until: int = instant(default=0)
    created_at: int = instant()
    disabled_at: int | None = instant(null=True)
    totp: str | None = None
    totp_pending: str | None = None
    totp_step: int = instant(default=0)
    seen_at: int | None = instant(null=True)


class Session(SQLModel, table=True):
    """A sign-in. Only the SHA-256 of the cookie's token is stored (SEC-S10). `proved_at` is when the person last gave the
    password; `kept` the sealed form that an ended session could not send.
    """

    __tablename__: ClassVar[str] = "session"
    digest: str = Field(primary_key=True)
    user_id: int = Field(sa_column=Column(BIG, nullable=False, index=True))
    created_at: int = instant()
    seen_at: int = instant()
    expires_at: int = instant()
    address: str = ""
    agent: str = ""
    proved_at: int = instant(default=0)
    kept: str | None = Field(default=None, sa_column=Column(Text, nullable=True))


class OneTimeLink(SQLModel, table=True):
    """An invitation or a first-admin link; only its digest is stored."""

    __tablename__: ClassVar[str] = "one_time_link"
    digest: str = Field(primary_key=True)
    user_id: int = Field(sa_column=Column(BIG, nullable=False, index=True))
    purpose: str
    created_at: int = instant()
    expires_at: int = instant()
    used_at: int | None = instant(null=True)


class ApiToken(SQLModel, table=True):
    """A bearer token for machines; only its digest is stored. `scopes` are what it may do, `*` for everything."""

    __tablename__: ClassVar[str] = "api_token"
    digest: str = Field(primary_key=True)
    name: str
    created_at: int = instant()
    revoked_at: int | None = instant(null=True)
    scopes: str = document('["*"]')
    used_at: int | None = instant(null=True)
    expires_at: int | None = instant(null=True)


class SecondStep(SQLModel, table=True):
    """Somebody who gave the right password and owes a code; only the digest of the cookie's token is stored (SEC-S9)."""

    __tablename__: ClassVar[str] = "second_step"
    digest: str = Field(primary_key=True)
    user_id: int = Field(sa_column=Column(BIG, nullable=False, index=True))
    created_at: int = instant()
    expires_at: int = instant()
    address: str = ""
    agent: str = ""


class RecoveryCode(SQLModel, table=True):
    """A code that stands in for a lost second factor, once; only its digest is stored."""

    __tablename__: ClassVar[str] = "recovery_code"
    digest: str = Field(primary_key=True)
    user_id: int = Field(sa_column=Column(BIG, nullable=False, index=True))
    used_at: int | None = instant(null=True)


class Attempt(SQLModel, table=True):
    """Sign-ins that failed, by a digest of account, address or both: whether the account exists makes no difference
    here, so the wait gives nothing away (SEC-S8).
    """

    __tablename__: ClassVar[str] = "attempt"
    key: str = Field(primary_key=True)
    failures: int
    until: int = instant()
    at: int = instant()


class Audit(SQLModel, table=True):
    """Who did what, append-only and chained (R44)."""

    __tablename__: ClassVar[str] = "audit"
    id: int | None = row_id()
    at: int = instant()
    who: str
    what: str
    subject: str = ""
    facts: str = document()
    address: str = ""
    prev_hash: str
    hash: str


class AnchorRow(SQLModel, table=True):
    """The last rows of both chains at the end of a day; only grows (SEC-S23)."""

    __tablename__: ClassVar[str] = "anchor"
    day: str = Field(primary_key=True)
    at: int = instant()
    audit_id: int = Field(sa_column=Column(BIG, nullable=False))
    audit_hash: str
    log_id: int = Field(sa_column=Column(BIG, nullable=False))
    log_hash: str
