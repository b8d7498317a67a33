"""Runs of the simulator, and those that were kept as tests of a flow."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _id() -> sa.Column[int]:
    return sa.Column("id", BIG, primary_key=True, autoincrement=True)


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.String(), nullable=False)


def _document(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), nullable=False)


def upgrade() -> None:
    op.create_table(
        "simulation",
        _id(),
        _text("flow"),
        _text("who"),
        sa.Column("version", sa.Integer(), nullable=True),
        sa.Column("draft_revision", sa.Integer(), nullable=True),
        *(_document(name) for name in ("document", "begun", "steps")),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
    )
    op.create_index("ix_simulation_flow", "simulation", ["flow"])
    op.create_table(
        "saved_test",
        _id(),
        _text("flow"),
        _text("name"),
        _document("document"),
        _text("who"),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.UniqueConstraint("flow", "name"),
    )


def downgrade() -> None:
    for table in ("saved_test", "simulation"):
        op.drop_table(table)
