"""Files of messages, in pieces, and their transcripts."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
DUE = sa.text("due_at IS NOT NULL")
FLYING = sa.text("flying_until > 0")


def upgrade() -> None:
    op.create_table(
        "media",
        sa.Column("inbound_id", BIG, autoincrement=False, nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=True),
        sa.Column("mime", sa.String(), nullable=True),
        sa.Column("bytes", BIG, nullable=True),
        sa.Column("sha256", sa.String(), nullable=True),
        sa.Column("transcript_state", sa.String(), nullable=True),
        sa.Column("transcript_reason", sa.String(), nullable=True),
        sa.Column("transcript", sa.Text(), nullable=True),
        sa.Column("transcribed_ms", BIG, nullable=True),
        sa.Column("due_at", sa.BigInteger(), nullable=True),
        sa.Column("flying_until", sa.BigInteger(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("inbound_id"),
    )
    op.create_index("media_due", "media", ["due_at"], sqlite_where=DUE, postgresql_where=DUE)
    op.create_index("media_flying", "media", ["flying_until"], sqlite_where=FLYING, postgresql_where=FLYING)
    op.create_table(
        "media_piece",
        sa.Column("inbound_id", BIG, autoincrement=False, nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("inbound_id", "n"),
    )


def downgrade() -> None:
    op.drop_table("media_piece")
    op.drop_table("media")
