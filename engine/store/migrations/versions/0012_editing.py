"""Changes of drafts that can be taken back, what somebody copied, who has a draft open."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.String(), nullable=False)


def _document(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), nullable=False)


def _at() -> sa.Column[int]:
    return sa.Column("at", sa.BigInteger(), nullable=False)


def upgrade() -> None:
    op.create_table(
        "draft_change",
        sa.Column("id", BIG, primary_key=True, autoincrement=True),
        _text("flow"),
        _text("who"),
        _at(),
        sa.Column("made", sa.Integer(), nullable=False),
        sa.Column("undone", sa.Integer(), nullable=False),
        _document("what"),
        _document("patch"),
    )
    op.create_index("change_of_draft", "draft_change", ["flow", "who", "made"])
    op.create_table("clipboard", _text("who"), _at(), _document("parcel"), sa.PrimaryKeyConstraint("who"))
    op.create_table(
        "presence",
        _text("flow"),
        sa.Column("user_id", BIG, nullable=False, autoincrement=False),
        _text("sel"),
        _at(),
        sa.PrimaryKeyConstraint("flow", "user_id"),
    )


def downgrade() -> None:
    for table in ("presence", "clipboard", "draft_change"):
        op.drop_table(table)
