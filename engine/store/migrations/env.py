"""What alembic runs: the connection and its transaction come from `engine.store.migrations`."""

from typing import Literal

from alembic import context
from alembic.autogenerate.api import AutogenContext
from sqlmodel import SQLModel
from sqlmodel.sql.sqltypes import AutoString

import engine.store.tables  # noqa: F401 - fills the metadata


def _spelled(kind: str, thing: object, _context: AutogenContext) -> str | Literal[False]:
    """Plain SQLAlchemy names in revisions, so that they do not depend on SQLModel's own."""
    return "sa.String()" if kind == "type" and isinstance(thing, AutoString) else False


context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=SQLModel.metadata,
    render_item=_spelled,
    render_as_batch=True,
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
