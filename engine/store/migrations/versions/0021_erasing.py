"""People can be erased: chains commit to what they tell of somebody, and the log lets exactly that be taken out (R45, SEC-S24)."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None

GONE = """EXISTS (SELECT 1 FROM contact c WHERE c.erased_at IS NOT NULL AND (c.id = OLD.contact_id
  OR c.id = (SELECT v.contact_id FROM conversation v WHERE v.id = OLD.conversation_id)))"""
KEPT = ("id", "at", "conversation_id", "contact_id", "channel_id", "outcome", "reason", "event", "frm", "to", "n", "prev_hash", "hash")
"""What no erasing changes."""


def _allowed(same: str) -> str:
    kept = " AND ".join(f'NEW."{name}" {same} OLD."{name}"' for name in KEPT)
    marked = f"(NEW.commitment {same} OLD.commitment OR (OLD.commitment IS NULL AND NEW.commitment = 'erased'))"
    return f"NEW.event_id IS NULL AND {kept} AND {marked} AND {GONE}"


def upgrade() -> None:
    postgres = op.get_bind().dialect.name == "postgresql"
    op.add_column("contact", sa.Column("erased_at", sa.BigInteger(), nullable=True))
    op.add_column("conversation", sa.Column("salt", sa.String(), nullable=False, server_default=""))
    op.add_column("log", sa.Column("commitment", sa.String(), nullable=True))
    fresh = "replace(CAST(gen_random_uuid() AS text), '-', '')" if postgres else "lower(hex(randomblob(16)))"
    op.execute(f"UPDATE conversation SET salt = {fresh}")
    op.create_table(
        "erased_name",
        sa.Column("digest", sa.String(), primary_key=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
    )
    if postgres:
        op.execute("DROP TRIGGER log_append_only ON log")
        op.execute(
            "CREATE TRIGGER log_append_only BEFORE DELETE OR TRUNCATE ON log "
            "FOR EACH STATEMENT EXECUTE FUNCTION trilho_append_only()"
        )
        op.execute(
            "CREATE FUNCTION trilho_log_erasing() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
            f"IF {_allowed('IS NOT DISTINCT FROM')} THEN RETURN NEW; END IF; "
            "RAISE EXCEPTION 'log only grows' USING ERRCODE = 'integrity_constraint_violation'; END $$"
        )
        op.execute(
            "CREATE TRIGGER log_erasing BEFORE UPDATE ON log FOR EACH ROW EXECUTE FUNCTION trilho_log_erasing()"
        )
        return
    op.execute("DROP TRIGGER log_no_update")
    op.execute(
        f"CREATE TRIGGER log_no_update BEFORE UPDATE ON log WHEN NOT ({_allowed('IS')}) "
        "BEGIN SELECT RAISE(ABORT, 'log only grows'); END"
    )


def downgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP TRIGGER log_erasing ON log")
        op.execute("DROP FUNCTION trilho_log_erasing()")
        op.execute("DROP TRIGGER log_append_only ON log")
        op.execute(
            "CREATE TRIGGER log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON log "
            "FOR EACH STATEMENT EXECUTE FUNCTION trilho_append_only()"
        )
    else:
        op.execute("DROP TRIGGER log_no_update")
        op.execute("CREATE TRIGGER log_no_update BEFORE UPDATE ON log BEGIN SELECT RAISE(ABORT, 'log only grows'); END")
    op.drop_table("erased_name")
    op.drop_column("log", "commitment")
    op.drop_column("conversation", "salt")
    op.drop_column("contact", "erased_at")
