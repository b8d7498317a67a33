"""What became of the contacts who took each branch of a split, from the log alone."""

from collections.abc import Collection
from dataclasses import dataclass

from engine.store.connection import Tx

__all__ = ["SPLIT", "Taken", "taken"]

SPLIT = "split"
"""Why one of several arrows was taken, as the log says it: the contact's point decided. The index `log_split` has these."""
_FACT = {"sqlite": "json_extract(l.facts, '$.{}')", "postgresql": "(l.facts::jsonb ->> '{}')"}


@dataclass(frozen=True, slots=True)
class Taken:
    """Of one branch: `people` who took it, and how many of them then got to a won state in the same cycle."""

    people: int = 0
    won: int = 0


def taken(
    tx: Tx, slug: str, frm: str | None, arrows: Collection[str], versions: Collection[int], won: Collection[str]
) -> dict[str, Taken]:
    """By arrow, each contact once. `frm` is the state that they leave from, None for any; `versions` those of the flow
    in which the split was the same; `won` the states that count as a sale.
    """
    arrow, version = (_FACT[tx.dialect].format(name) for name in ("transition", "flow_version"))
    here = "AND l.frm = :frm" if frm is not None else ""
    rows = tx.rows(
        f"""SELECT arrow, COUNT(*) AS people, SUM(won) AS won FROM (
              SELECT {arrow} AS arrow, c.contact_id, MAX(CASE WHEN EXISTS (
                SELECT 1 FROM log w WHERE w.conversation_id = l.conversation_id AND w.id >= l.id
                  AND w.outcome = 'transition' AND w."to" IN :won) THEN 1 ELSE 0 END) AS won
              FROM log l JOIN conversation c ON c.id = l.conversation_id
              WHERE l.reason = 'split' {here} AND c.flow = :flow AND {arrow} IN :arrows
                AND CAST({version} AS INTEGER) IN :versions
              GROUP BY 1, c.contact_id) AS each GROUP BY arrow""",
        flow=slug,
        frm=frm,
        arrows=list(arrows),
        versions=list(versions),
        won=list(won) or [""],
    )
    return {str(row["arrow"]): Taken(int(row["people"]), int(row["won"])) for row in rows}
