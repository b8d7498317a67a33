"""What keeps a channel's letters back, and the line in which the messages of one number stand."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "hold",
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("what", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("code", sa.BigInteger(), nullable=True),
        sa.Column("detail", sa.String(), nullable=True),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("channel_id", "what", "subject"),
    )
    op.add_column("channel", sa.Column("pace_at", sa.BigInteger(), nullable=False, server_default="0"))
    if op.get_bind().dialect.name == "postgresql":
        op.alter_column("channel", "pace_at", server_default=None)


def downgrade() -> None:
    op.drop_column("channel", "pace_at")
    op.drop_table("hold")
