"""Gateways that can be asked: about single sends, about their own connection; and numbers that are spared (R27)."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

UNCONFIRMED = "status = 'sent' AND delivery IS NULL"
TO_ASK = "ask_at IS NOT NULL"


def upgrade() -> None:
    op.add_column("outbox", sa.Column("tried_at", sa.BigInteger(), nullable=True))
    op.add_column("outbox", sa.Column("ask_at", sa.BigInteger(), nullable=True))
    op.drop_index("outbox_unconfirmed", table_name="outbox")
    op.create_index(
        "outbox_to_ask", "outbox", ["ask_at"], sqlite_where=sa.text(TO_ASK), postgresql_where=sa.text(TO_ASK)
    )
    op.execute(
        "UPDATE outbox SET ask_at = sent_at + 600000 WHERE status = 'sent' AND delivery IS NULL AND author IS NULL"
        " AND channel_id IN (SELECT id FROM channel WHERE kind = 'evolution')"
    )
    op.add_column("channel", sa.Column("look_at", sa.BigInteger(), nullable=True))
    op.add_column("channel", sa.Column("told_at", sa.BigInteger(), nullable=True))
    op.execute("UPDATE channel SET state = 'closed', look_at = 0 WHERE state <> 'ok'")
    op.create_table(
        "channel_pace",
        sa.Column("channel_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=False, nullable=False),
        sa.Column("slot_at", sa.BigInteger(), nullable=False),
        sa.Column("day", sa.String(), nullable=False),
        sa.Column("strangers", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("channel_id"),
    )


def downgrade() -> None:
    op.drop_table("channel_pace")
    op.drop_column("channel", "told_at")
    op.drop_column("channel", "look_at")
    op.drop_index("outbox_to_ask", table_name="outbox")
    op.create_index(
        "outbox_unconfirmed",
        "outbox",
        ["sent_at"],
        sqlite_where=sa.text(UNCONFIRMED),
        postgresql_where=sa.text(UNCONFIRMED),
    )
    op.drop_column("outbox", "ask_at")
    op.drop_column("outbox", "tried_at")
