"""The decisions of splits are found among all others."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

SPLIT = sa.text("reason = 'split'")


def upgrade() -> None:
    op.create_index("log_split", "log", ["frm", "conversation_id"], sqlite_where=SPLIT, postgresql_where=SPLIT)


def downgrade() -> None:
    op.drop_index("log_split", "log")
