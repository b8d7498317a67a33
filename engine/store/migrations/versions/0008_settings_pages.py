"""What the pages of settings ask for: who was turned away, what a payment source told, texts that were looked at."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

REFUSED = sa.text("outcome = 'rejected'")
OF_SOURCE = sa.text("source_id IS NOT NULL")


def upgrade() -> None:
    op.create_index("log_refused", "log", ["at"], sqlite_where=REFUSED, postgresql_where=REFUSED)
    op.create_index(
        "webhook_of_source", "webhook", ["source_id", "received_at"], sqlite_where=OF_SOURCE, postgresql_where=OF_SOURCE
    )
    op.add_column("event", sa.Column("notice", sa.String(), nullable=True))
    op.create_index(
        "event_of_source", "event", ["source_id", "received_at"], sqlite_where=OF_SOURCE, postgresql_where=OF_SOURCE
    )
    op.create_table(
        "reviewed_text",
        sa.Column("flow", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("who", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("flow", "digest"),
    )


def downgrade() -> None:
    op.drop_table("reviewed_text")
    op.drop_index("event_of_source", table_name="event")
    op.drop_column("event", "notice")
    op.drop_index("webhook_of_source", table_name="webhook")
    op.drop_index("log_refused", table_name="log")
