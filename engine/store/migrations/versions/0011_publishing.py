"""Who was moved by a publication, publications at a set time, replays."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
WAITING = sa.text("status = 'waiting'")


def _text(name: str, *, null: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.String(), nullable=null)


def _document(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), nullable=False)


def _at(name: str, *, null: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger(), nullable=null)


def _count(name: str, *, null: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.Integer(), nullable=null)


def upgrade() -> None:
    op.create_table(
        "publication_move",
        _text("slug"),
        _count("number"),
        sa.Column("conversation_id", sa.BigInteger(), nullable=False, autoincrement=False),
        _count("frm_version"),
        _text("frm_state"),
        _text("frm_previous", null=True),
        _text("to_state"),
        _document("context"),
        _at("at"),
        sa.PrimaryKeyConstraint("slug", "number", "conversation_id"),
    )
    op.create_table(
        "scheduled_publication",
        sa.Column("id", BIG, primary_key=True, autoincrement=True),
        _text("slug"),
        _count("revision"),
        _text("sha256"),
        _count("live", null=True),
        _text("note"),
        _text("who"),
        _text("address"),
        _document("plan"),
        _at("publish_at"),
        _at("lease_until"),
        _text("status"),
        _text("reason"),
        _document("facts"),
        _at("created_at"),
        _at("ended_at", null=True),
    )
    op.create_index(
        "publication_due", "scheduled_publication", ["publish_at"], sqlite_where=WAITING, postgresql_where=WAITING
    )
    op.create_table(
        "replay",
        _text("id"),
        _text("slug"),
        _text("sha256"),
        _count("done"),
        _count("total"),
        _text("status"),
        _document("result"),
        _text("who"),
        _at("started_at"),
        _at("told_at"),
        sa.PrimaryKeyConstraint("id"),
    )


def downgrade() -> None:
    for table in ("replay", "scheduled_publication", "publication_move"):
        op.drop_table(table)
