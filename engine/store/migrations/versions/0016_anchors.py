"""Anchors of the chains: what their last rows were at the end of each day. The table only grows."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "anchor",
        sa.Column("day", sa.String(), primary_key=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("audit_id", BIG, nullable=False),
        sa.Column("audit_hash", sa.String(), nullable=False),
        sa.Column("log_id", BIG, nullable=False),
        sa.Column("log_hash", sa.String(), nullable=False),
    )
    if op.get_bind().dialect.name == "postgresql":
        op.execute(
            "CREATE TRIGGER anchor_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON anchor "
            "FOR EACH STATEMENT EXECUTE FUNCTION trilho_append_only()"
        )
        return
    for verb in ("UPDATE", "DELETE"):
        op.execute(
            f"CREATE TRIGGER anchor_no_{verb.lower()} BEFORE {verb} ON anchor "
            "BEGIN SELECT RAISE(ABORT, 'anchor only grows'); END"
        )


def downgrade() -> None:
    op.drop_table("anchor")
