"""Runs of the simulator, and runs that were kept as tests of a flow."""

from typing import ClassVar

from sqlalchemy import UniqueConstraint
from sqlmodel import Field, SQLModel

from engine.store.tables.columns import document as json_text
from engine.store.tables.columns import instant, row_id


class Simulation(SQLModel, table=True):
    """One person's run. `version` is of the published version that it plays, None for the draft as it was at
    `draft_revision`, whose `document` is kept here; `begun` is where it starts, `steps` what was done since.
    `revision` counts the changes of `steps`.
    """

    __tablename__: ClassVar[str] = "simulation"
    id: int | None = row_id()
    flow: str = Field(index=True)
    who: str
    version: int | None = None
    draft_revision: int | None = None
    document: str = json_text()
    begun: str = json_text()
    steps: str = json_text("[]")
    revision: int = 0
    at: int = instant()


class SavedTest(SQLModel, table=True):
    """A run that publishing plays again. `document` is a scenario without its flow; a name is there once a flow."""

    __tablename__: ClassVar[str] = "saved_test"
    __table_args__ = (UniqueConstraint("flow", "name"),)
    id: int | None = row_id()
    flow: str
    name: str
    document: str = json_text()
    who: str
    at: int = instant()
