"""Templates of the platform, proofs of consent, files of people, campaigns."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
RUNNING = sa.text("status = 'running'")
WAITING = sa.text("status = 'waiting'")


def _id() -> sa.Column[int]:
    return sa.Column("id", BIG, primary_key=True, autoincrement=True)


def _text(name: str, *, null: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.String(), nullable=null)


def _document(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), nullable=False)


def _at(name: str, *, null: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger(), nullable=null)


def _key(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger(), nullable=False, autoincrement=False)


def upgrade() -> None:
    op.create_table(
        "template",
        _key("channel_id"),
        *(_text(name) for name in ("name", "language", "category", "status")),
        _document("components"),
        _text("quality"),
        _text("reason"),
        _at("synced_at"),
        sa.PrimaryKeyConstraint("channel_id", "name", "language"),
    )
    op.create_table(
        "consent_proof",
        _id(),
        _at("contact_id"),
        _at("at"),
        *(_text(name) for name in ("source", "words", "who")),
        _at("recorded_at"),
    )
    op.create_index("proof_of_contact", "consent_proof", ["contact_id", "at"])
    op.create_table(
        "contact_file",
        _id(),
        _text("name"),
        _text("status"),
        _document("content"),
        _text("proof"),
        _text("who"),
        _at("at"),
        _document("facts"),
        _document("problems"),
    )
    op.create_table(
        "from_file", _key("file_id"), _key("contact_id"), sa.PrimaryKeyConstraint("file_id", "contact_id")
    )
    op.create_index("ix_from_file_contact_id", "from_file", ["contact_id"])
    op.create_table(
        "campaign",
        _id(),
        _text("token"),
        _text("name"),
        _text("flow"),
        sa.Column("channel_id", BIG, nullable=False),
        _text("template"),
        _text("language"),
        _document("params"),
        _document("filter"),
        sa.Column("per_minute", sa.Integer(), nullable=False),
        sa.Column("per_day", sa.Integer(), nullable=False),
        _text("status"),
        _text("reason"),
        _at("next_at"),
        _text("who"),
        _at("created_at"),
        _at("ended_at", null=True),
        sa.UniqueConstraint("token"),
    )
    op.create_index("campaign_due", "campaign", ["next_at"], sqlite_where=RUNNING, postgresql_where=RUNNING)
    op.create_table(
        "campaign_member",
        _key("campaign_id"),
        _key("contact_id"),
        _text("status"),
        _text("reason", null=True),
        sa.Column("conversation_id", BIG, nullable=True),
        _at("taken_at", null=True),
        sa.PrimaryKeyConstraint("campaign_id", "contact_id"),
    )
    op.create_index("ix_campaign_member_contact_id", "campaign_member", ["contact_id"])
    op.create_index(
        "member_waiting",
        "campaign_member",
        ["campaign_id", "contact_id"],
        sqlite_where=WAITING,
        postgresql_where=WAITING,
    )
    op.create_index("member_taken", "campaign_member", ["campaign_id", "taken_at"])


def downgrade() -> None:
    for table in ("campaign_member", "campaign", "from_file", "contact_file", "consent_proof", "template"):
        op.drop_table(table)
