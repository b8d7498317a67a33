"""A second factor, sessions that know when a password was last asked, scopes of tokens, publications that two decide."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
WAITING = sa.text("status = 'waiting'")
EVERYTHING = '["*"]'


def _instant(name: str, *, null: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger(), nullable=null)


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.String(), nullable=False)


def _added(table: str, name: str, kind: sa.types.TypeEngine[object], value: str) -> None:
    """A column that must not be empty: rows that are there get the value, later ones bring their own."""
    op.add_column(table, sa.Column(name, kind, nullable=False, server_default=value))
    if op.get_bind().dialect.name == "postgresql":
        op.alter_column(table, name, server_default=None)


def upgrade() -> None:
    for name in ("totp", "totp_pending"):
        op.add_column("account", sa.Column(name, sa.String(), nullable=True))
    _added("account", "totp_step", sa.BigInteger(), "0")
    op.add_column("account", _instant("seen_at", null=True))
    _added("session", "proved_at", sa.BigInteger(), "0")
    op.add_column("session", sa.Column("kept", sa.Text(), nullable=True))
    _added("api_token", "scopes", sa.Text(), EVERYTHING)
    for name in ("used_at", "expires_at"):
        op.add_column("api_token", _instant(name, null=True))
    _added("scheduled_publication", "second", sa.String(), "")
    op.create_table(
        "second_step",
        sa.Column("digest", sa.String(), primary_key=True),
        sa.Column("user_id", BIG, nullable=False),
        _instant("created_at"),
        _instant("expires_at"),
        _text("address"),
        _text("agent"),
    )
    op.create_index("ix_second_step_user_id", "second_step", ["user_id"])
    op.create_table(
        "recovery_code",
        sa.Column("digest", sa.String(), primary_key=True),
        sa.Column("user_id", BIG, nullable=False),
        _instant("used_at", null=True),
    )
    op.create_index("ix_recovery_code_user_id", "recovery_code", ["user_id"])
    op.create_table(
        "publication_request",
        sa.Column("id", BIG, primary_key=True, autoincrement=True),
        _text("slug"),
        sa.Column("source", sa.Integer(), nullable=True),
        sa.Column("revision", sa.Integer(), nullable=False),
        _text("sha256"),
        sa.Column("live", sa.Integer(), nullable=True),
        *(_text(name) for name in ("note", "who", "address")),
        sa.Column("plan", sa.Text(), nullable=False),
        _instant("publish_at", null=True),
        *(_text(name) for name in ("status", "decided_by", "reason")),
        _instant("created_at"),
        _instant("decided_at", null=True),
    )
    op.create_index(
        "publication_waiting", "publication_request", ["slug"],
        unique=True, sqlite_where=WAITING, postgresql_where=WAITING,
    )


def downgrade() -> None:
    for table in ("publication_request", "recovery_code", "second_step"):
        op.drop_table(table)
    op.drop_column("scheduled_publication", "second")
    for name in ("expires_at", "used_at", "scopes"):
        op.drop_column("api_token", name)
    for name in ("kept", "proved_at"):
        op.drop_column("session", name)
    for name in ("seen_at", "totp_step", "totp_pending", "totp"):
        op.drop_column("account", name)
