"""Flows that are archived; conversations by when they began, for how many of them sold."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("flow", sa.Column("archived_at", sa.BigInteger(), nullable=True))
    op.create_index("conversation_opened", "conversation", ["flow", "opened_at"])


def downgrade() -> None:
    op.drop_index("conversation_opened", table_name="conversation")
    op.drop_column("flow", "archived_at")
