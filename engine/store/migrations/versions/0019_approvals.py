"""What waits for a person's approval, and the letters that one approved."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0017"
branch_labels = None
depends_on = None

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
PENDING = sa.text("status = 'pending'")


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.String(), nullable=False)


def _instant(name: str, *, null: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger(), nullable=null)


def upgrade() -> None:
    op.create_table(
        "approval",
        sa.Column("id", BIG, primary_key=True, autoincrement=True),
        sa.Column("conversation_id", BIG, nullable=False),
        *(_text(name) for name in ("flow", "state")),
        sa.Column("flow_version", sa.Integer(), nullable=False),
        _instant("entered_at"),
        *(sa.Column(name, sa.Text(), nullable=False) for name in ("content", "approvers")),
        *(_text(name) for name in ("transition", "original", "sha256", "status", "decided_by", "reason", "extended_by")),
        _instant("created_at"),
        _instant("decided_at", null=True),
    )
    op.create_index("approval_of_conversation", "approval", ["conversation_id", "id"])
    op.create_index(
        "approval_pending", "approval", ["conversation_id"],
        unique=True, sqlite_where=PENDING, postgresql_where=PENDING,
    )
    op.add_column("outbox", sa.Column("approval_id", BIG, nullable=True))


def downgrade() -> None:
    op.drop_column("outbox", "approval_id")
    op.drop_table("approval")
