"""People with several names: merged contacts, collisions, tracking codes; which cycle is current, and why a message went there."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.add_column("contact", sa.Column("tracking", sa.String(), nullable=True))
    op.add_column("contact", sa.Column("merged_into", BIG, nullable=True))
    op.add_column("inbound", sa.Column("route", sa.String(), nullable=True))
    op.add_column("conversation", sa.Column("active_at", sa.BigInteger(), nullable=False, server_default="0"))
    op.add_column("conversation", sa.Column("followed_by", BIG, nullable=True))
    op.execute(
        """UPDATE conversation SET
             active_at = CASE WHEN last_inbound_at > updated_at THEN last_inbound_at ELSE updated_at END,
             followed_by = (SELECT MAX(n.id) FROM conversation n WHERE n.contact_id = conversation.contact_id
               AND n.flow = conversation.flow AND n.id > conversation.id)"""
    )
    if op.get_bind().dialect.name == "postgresql":
        op.alter_column("conversation", "active_at", server_default=None)
    op.create_table(
        "collision",
        sa.Column("id", BIG, autoincrement=True, nullable=False),
        sa.Column("one", BIG, nullable=False),
        sa.Column("other", BIG, nullable=False),
        sa.Column("via", sa.String(), nullable=False),
        sa.Column("wanted", sa.String(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("decision", sa.String(), nullable=True),
        sa.Column("decided_at", sa.BigInteger(), nullable=True),
        sa.Column("decided_by", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("one", "other"),
    )
    undecided = sa.text("decision IS NULL")
    op.create_index("collision_open", "collision", ["at"], sqlite_where=undecided, postgresql_where=undecided)
    orphan = sa.text("outcome = 'orphan'")
    op.create_index("event_orphan", "event", ["received_at"], sqlite_where=orphan, postgresql_where=orphan)


def downgrade() -> None:
    op.drop_index("event_orphan", table_name="event")
    op.drop_table("collision")
    for table, columns in (
        ("conversation", ("followed_by", "active_at")),
        ("inbound", ("route",)),
        ("contact", ("merged_into", "tracking")),
    ):
        for column in columns:
            op.drop_column(table, column)
