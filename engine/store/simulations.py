"""Runs of the simulator: each belongs to one person, who keeps the latest of them."""

import json
from dataclasses import dataclass

from engine.core.flow import Millis
from engine.store.connection import Tx

__all__ = ["KEPT", "Simulation", "add", "change", "get", "latest"]

KEPT = 20
"""Runs of one person in one flow; older ones are let go of."""
_COLUMNS = "SELECT id, flow, who, version, draft_revision, document, begun, steps, revision, at FROM simulation"


@dataclass(frozen=True, slots=True, kw_only=True)
class Simulation:
    """One run's row; `document`, `begun` and `steps` are JSON."""

    id: int
    flow: str
    who: str
    version: int | None
    draft_revision: int | None
    document: str
    begun: str
    steps: str
    revision: int
    at: Millis

    @property
    def length(self) -> int:
        """How many steps it has."""
        return len(json.loads(self.steps))


def add(
    tx: Tx,
    *,
    flow: str,
    who: str,
    version: int | None,
    draft_revision: int | None,
    document: str,
    begun: str,
    steps: str,
    now: Millis,
) -> int:
    """Store a run and let go of the person's oldest; its id."""
    made = int(
        tx.value(
            """INSERT INTO simulation (flow, who, version, draft_revision, document, begun, steps, revision, at)
               VALUES (:flow, :who, :version, :draft_revision, :document, :begun, :steps, 0, :now) RETURNING id""",
            flow=flow,
            who=who,
            version=version,
            draft_revision=draft_revision,
            document=document,
            begun=begun,
            steps=steps,
            now=now,
        )
    )
    tx.run(
        """DELETE FROM simulation WHERE flow = :flow AND who = :who AND id NOT IN
             (SELECT id FROM (SELECT id FROM simulation WHERE flow = :flow AND who = :who
              ORDER BY at DESC, id DESC LIMIT :kept) AS newest)""",
        flow=flow,
        who=who,
        kept=KEPT,
    )
    return made


def get(tx: Tx, run_id: int, flow: str, who: str) -> Simulation | None:
    """A run, for the person whose it is; None for everybody else."""
    row = tx.one(f"{_COLUMNS} WHERE id = :id AND flow = :flow AND who = :who", id=run_id, flow=flow, who=who)
    return None if row is None else Simulation(**row)


def latest(tx: Tx, flow: str, who: str) -> list[Simulation]:
    """A person's runs of a flow, the newest first."""
    rows = tx.rows(f"{_COLUMNS} WHERE flow = :flow AND who = :who ORDER BY at DESC, id DESC", flow=flow, who=who)
    return [Simulation(**row) for row in rows]


def change(tx: Tx, run: Simulation, *, steps: str, document: str, draft_revision: int | None, now: Millis) -> bool:
    """Write what a run came to; False when somebody wrote it since it was read."""
    done = tx.value(
        """UPDATE simulation SET steps = :steps, document = :document, draft_revision = :draft_revision,
             at = :now, revision = revision + 1
           WHERE id = :id AND revision = :revision RETURNING id""",
        steps=steps,
        document=document,
        draft_revision=draft_revision,
        now=now,
        id=run.id,
        revision=run.revision,
    )
    return done is not None
