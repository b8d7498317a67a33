"""The live desk: texts to search in, filled with what is there; saved filters, colours of tags, keys of wall screens."""

import json
from typing import Any

import sqlalchemy as sa
from alembic import op

from engine.core.folding import fold

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

PORTION = 1_000
TEXTS = (
    "SELECT id AS ref, id AS contact_id, NULL AS conversation_id, 'name' AS kind, name AS text FROM contact"
    " WHERE name <> '' AND merged_into IS NULL",
    "SELECT id AS ref, contact_id, conversation_id, 'in' AS kind, text FROM inbound"
    " WHERE text <> '' AND deleted_at IS NULL",
    "SELECT m.inbound_id AS ref, i.contact_id, i.conversation_id, 'heard' AS kind, m.transcript AS text FROM media m"
    " JOIN inbound i ON i.id = m.inbound_id WHERE m.transcript <> '' AND i.deleted_at IS NULL",
    "SELECT id AS ref, contact_id, conversation_id, 'out' AS kind, payload AS text FROM outbox",
)


def upgrade() -> None:
    big = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    findable = op.create_table(
        "findable",
        sa.Column("id", big, autoincrement=True, nullable=False),
        sa.Column("contact_id", sa.BigInteger(), nullable=False),
        sa.Column("conversation_id", big, nullable=True),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("ref", big, nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_findable_contact_id", "findable", ["contact_id"])
    op.create_index("ix_findable_conversation_id", "findable", ["conversation_id"])
    op.create_index("findable_of", "findable", ["ref", "kind"])
    op.create_table(
        "saved_filter",
        sa.Column("id", big, autoincrement=True, nullable=False),
        sa.Column("user_id", big, nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("query", sa.String(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("user_id", "name"),
    )
    op.create_table(
        "tag",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("colour", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "wall_key",
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("flow", sa.String(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("created_by", sa.String(), nullable=False),
        sa.Column("revoked_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("digest"),
    )
    op.drop_index("conversation_in_state", table_name="conversation")
    op.create_index("conversation_in_state", "conversation", ["flow", "state", "entered_at", "followed_by"])
    for texts in TEXTS:
        _copy(findable, texts)


def _copy(findable: Any, texts: str) -> None:
    """In the order of ids, so that what was said last is found first."""
    rows = op.get_bind().execute(sa.text(f"{texts} ORDER BY ref")).mappings()
    while found := rows.fetchmany(PORTION):
        folded = [{**row, "text": fold(_words(row))} for row in found]
        if kept := [row for row in folded if row["text"]]:
            op.bulk_insert(findable, kept)


def _words(row: Any) -> str:
    if row["kind"] != "out":
        return str(row["text"])
    said = json.loads(row["text"]).get("text")
    return said if isinstance(said, str) else ""


def downgrade() -> None:
    op.drop_index("conversation_in_state", table_name="conversation")
    op.create_index("conversation_in_state", "conversation", ["flow", "state"])
    for table in ("wall_key", "tag", "saved_filter", "findable"):
        op.drop_table(table)
