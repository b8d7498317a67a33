"""Whose a conversation is, notes of the team, replies to choose from, files that people send."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _key() -> sa.Column[int]:
    return sa.Column("id", BIG, primary_key=True, autoincrement=True)


def _big(name: str) -> sa.Column[int]:
    return sa.Column(name, BIG, nullable=False, autoincrement=False)


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.String(), nullable=False)


def _long(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), nullable=False)


def _at() -> sa.Column[int]:
    return sa.Column("at", sa.BigInteger(), nullable=False)


def upgrade() -> None:
    op.create_table(
        "assignments",
        _big("conversation_id"),
        _big("user_id"),
        _text("by_who"),
        _at(),
        sa.PrimaryKeyConstraint("conversation_id"),
    )
    op.create_index("ix_assignments_user_id", "assignments", ["user_id"])
    op.create_table(
        "talk_note",
        _key(),
        _big("conversation_id"),
        _at(),
        _text("who"),
        _long("text"),
        _text("token"),
        sa.UniqueConstraint("token"),
    )
    op.create_index("note_of_conversation", "talk_note", ["conversation_id", "id"])
    op.create_table(
        "canned_reply",
        _key(),
        _text("shortcut"),
        _long("text"),
        _text("who"),
        _at(),
        sa.UniqueConstraint("shortcut"),
    )
    op.create_table(
        "sent_file",
        _key(),
        _big("conversation_id"),
        _text("kind"),
        _text("mime"),
        _text("name"),
        _big("bytes"),
        _text("sha256"),
        _text("who"),
        _at(),
    )
    op.create_index("file_of_conversation", "sent_file", ["conversation_id", "id"])
    op.create_table(
        "sent_piece",
        _big("file_id"),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("file_id", "n"),
    )


def downgrade() -> None:
    for table in ("sent_piece", "sent_file", "canned_reply", "talk_note", "assignments"):
        op.drop_table(table)
