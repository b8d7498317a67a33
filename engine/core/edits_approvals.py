"""Edits of approvals: an arrow that sends waits for a person, through an approval state of its own, or sends again by itself.

With the approval, the arrow leads into the state and notes down what it did; what it sent leaves with `approved`. What a
person rejects, or nobody decides in time, sends nothing: after a silence the conversation goes on where the arrow led, so
that the same silence does not ask for ever, and after everything else it is back where it was.
"""

import re
from collections.abc import Mapping

from engine.core.edits_arrows import fresh_id
from engine.core.edits_entries import delete_state
from engine.core.edits_tree import ARROWS, Tree, entry_of, names_of, replaced, rows_of, table_of
from engine.core.errors import NotFound, Refused
from engine.core.flow import APPROVED, EXHAUSTED, PREVIOUS, REJECTED, TIMEOUT, StateKind

__all__ = ["TIME", "approval_of", "ask_approval", "drop_approval"]

TIME = "30m"
"""How long a person has, until somebody writes another deadline."""
_EVENT_GAP = re.compile(r"\{\s*event\.")

Row = Mapping[str, object]


def approval_of(tree: Mapping[str, object], ident: str) -> str:
    """The approval state that an arrow leads into; "" where it leads elsewhere. Raises NotFound."""
    target = str(_find(tree, ident)[1].get("to"))
    return target if _kind(tree, target) == StateKind.APPROVAL else ""


def ask_approval(tree: Mapping[str, object], ident: str) -> Tree:
    """What the arrow sends waits for a person, in a new state. Nothing else of the flow changes.

    Refused: approval_nothing, approval_everywhere, approval_asked, approval_variant, approval_keeps_deadline, approval_back,
    approval_event_value.
    """
    key, arrow = _find(tree, ident)
    _possible(tree, arrow)
    origin, target, state = str(arrow["from"]), arrow.get("to"), _free(tree, ident)
    back = target if arrow.get("on") in (TIMEOUT, EXHAUSTED) else origin
    waiting: Tree = {"kind": str(StateKind.APPROVAL), "deadline": TIME}
    if (phase := entry_of(table_of(tree, "states").get(origin)).get("phase")) is not None:
        waiting["phase"] = phase
    made: Tree = {**tree, "states": {**table_of(tree, "states"), state: waiting}}
    made[key] = [_without(row, to=state) if row.get("id") == ident else row for row in rows_of(tree, key)]
    for event, to, sent in ((APPROVED, target, arrow.get("do")), (REJECTED, back, None), (TIMEOUT, back, None)):
        row = {"id": fresh_id(made), "from": state, "on": str(event), "to": to}
        made[key] = [*rows_of(made, key), row if sent is None else {**row, "do": sent}]
    return _as_origin(made, origin, state)


def drop_approval(tree: Mapping[str, object], ident: str) -> Tree:
    """The arrow sends by itself again what it sent after an approval, and the state is gone.

    Refused: approval_absent, approval_shared where other arrows lead into the state or it does more than `ask_approval`
    gave it, used_by_rule.
    """
    key, _ = _find(tree, ident)
    state = approval_of(tree, ident)
    if not state:
        raise Refused("approval_absent")
    rows = [row for name in ARROWS for row in rows_of(tree, name)]
    entering = [row for row in rows if row.get("to") == state]
    leaving = [row for row in rows if row.get("from") == state]
    given = [row for row in leaving if row.get("on") == APPROVED]
    if (
        len(entering) != 1
        or len(given) != 1
        or "when" in given[0]
        or "set" in given[0]
        or len({row.get("on") for row in leaving}) != len(leaving)
        or any(row.get("do") or row.get("on") not in (REJECTED, TIMEOUT) for row in leaving if row is not given[0])
    ):
        raise Refused("approval_shared", state=state)
    sending = {**replaced(entering[0], "do", given[0].get("do")), "to": given[0].get("to")}
    made: Tree = {**tree, key: [sending if row.get("id") == ident else row for row in rows_of(tree, key)]}
    made = delete_state(made, state)
    return made if made.get("ignore") else {name: part for name, part in made.items() if name != "ignore"}


def _possible(tree: Mapping[str, object], arrow: Row) -> None:
    if arrow.get("from") is None:
        raise Refused("approval_everywhere")
    if StateKind.APPROVAL in (_kind(tree, arrow.get("from")), _kind(tree, arrow.get("to"))):
        raise Refused("approval_asked")
    if arrow.get("share") is not None:
        raise Refused("approval_variant")
    if arrow.get("keep_deadline"):
        raise Refused("approval_keeps_deadline")
    if arrow.get("to") == PREVIOUS:
        raise Refused("approval_back")
    actions = [entry_of(table_of(tree, "actions").get(str(name))) for name in names_of(arrow.get("do"))]
    if not any(action.get("kind") == "send" for action in actions):
        raise Refused("approval_nothing")
    if any(_reads_event(action) for action in actions):
        # The values of the event are gone by the time somebody decides.
        raise Refused("approval_event_value")


def _as_origin(tree: Tree, origin: str, state: str) -> Tree:
    """What a person writes meanwhile is on the desk and answered by nobody; an arrow that spares the origin spares this."""
    rows = [
        {**row, "except": [*names_of(row["except"]), state]} if origin in names_of(row.get("except")) else row
        for row in rows_of(tree, "globals")
    ]
    made: Tree = {**tree, "globals": rows} if rows else {**tree}
    everywhere = {row.get("on") for row in rows if state not in names_of(row.get("except"))}
    events = table_of(tree, "events")
    said = [name for name, event in events.items() if entry_of(event).get("source") == "message"]
    if unanswered := [name for name in said if name not in everywhere]:
        made["ignore"] = [*rows_of(tree, "ignore"), {"state": state, "on": unanswered}]
    return made


def _reads_event(part: object) -> bool:
    if isinstance(part, Mapping):
        return any(map(_reads_event, part.values()))
    if isinstance(part, list | tuple):
        return any(map(_reads_event, part))
    return isinstance(part, str) and _EVENT_GAP.search(part) is not None


def _without(row: Row, *, to: str) -> Row:
    return {**replaced(row, "do", None), "to": to}


def _free(tree: Mapping[str, object], ident: str) -> str:
    taken, wanted = table_of(tree, "states"), f"APROVAR_{ident.upper()}"
    return next(name for n in range(1, len(taken) + 2) if (name := wanted if n == 1 else f"{wanted}_{n}") not in taken)


def _kind(tree: Mapping[str, object], state: object) -> object:
    return entry_of(table_of(tree, "states").get(str(state))).get("kind")


def _find(tree: Mapping[str, object], ident: str) -> tuple[str, Row]:
    for key in ARROWS:
        for row in rows_of(tree, key):
            if row.get("id") == ident:
                return key, row
    raise NotFound("transition", ident)
