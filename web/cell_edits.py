"""The edits of a whole square of the table: emptying it, and copying the arrows of another square into it."""

from collections.abc import Iterable, Mapping

from engine.core.errors import Refused
from engine.core.flow import Flow
from web.draft_edits import Edit

__all__ = ["cleared", "pasted"]


def cleared(flow: Flow, state: str, event: str) -> list[Edit]:
    """Take every arrow of the square away."""
    return [{"op": "delete_transition", "id": t.id} for t in flow.own_group(state, event)]


def pasted(flow: Flow, tree: Mapping[str, object], copied: str, state: str, event: str) -> list[Edit]:
    """The arrows of the square `STATE:event` in place of those that are here; one that stays there stays here.

    Refused("empty_cell_copied") where that square is not there or is empty.
    """
    origin, _, kind = copied.partition(":")
    wanted = {t.id for t in flow.own_group(origin, kind)}
    rows = [row for row in _rows(tree) if row.get("id") in wanted]
    if not rows:
        raise Refused("empty_cell_copied")
    if (origin, kind) == (state, event):
        return []
    made = [
        {
            **{key: value for key, value in row.items() if key != "id"},
            "from": state,
            "on": event,
            "to": state if row.get("to") == origin else row.get("to"),
        }
        for row in rows
    ]
    return [*cleared(flow, state, event), *({"op": "add_transition", "fields": row} for row in made)]


def _rows(tree: Mapping[str, object]) -> Iterable[dict[str, object]]:
    found = tree.get("transitions")
    return [row for row in found if isinstance(row, dict)] if isinstance(found, list) else []
