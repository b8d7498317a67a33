"""The card that asks where the arrows of a state go before it is deleted."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.core.edits_uses import uses
from web.desk import Desk
from web.flow_words import Line, arrivals
from web.i18n import gettext

__all__ = ["LeadingPanel", "asks", "leading_panel"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LeadingPanel:
    """What _leading.html shows. `chosen` is the form so far, `also` what else the choice for all decides."""

    place: str
    name: str
    arrivals: tuple[Line, ...]
    leaving: int
    others: tuple[str, ...]
    people: int
    also: str
    chosen: Mapping[str, str]
    problem: str = ""


def asks(tree: Mapping[str, object], name: str) -> bool:
    """Whether something has to be decided first: arrows from elsewhere lead there, a rule speaks of it, it is the first."""
    if tree.get("initial") == name or any(use.section == "rules" for use in uses(tree, "state", name)):
        return True
    rows = [row for key in ("transitions", "globals") for row in _rows(tree.get(key))]
    return any(row.get("to") == name and row.get("from") != name for row in rows)


def leading_panel(desk: Desk, name: str, chosen: Mapping[str, str], problem: str = "") -> LeadingPanel:
    """The card for a state that is there."""
    ruled = any(use.section == "rules" for use in uses(desk.tree, "state", name))
    first = desk.flow.initial == name
    also = ""
    if first and ruled:
        also = gettext(
            "Conversations begin there too, and safety rules that speak of it speak of that state: choose one."
        )
    elif first:
        also = gettext("Conversations begin there too: choose a state.")
    elif ruled:
        also = gettext("Safety rules that speak of it speak of that state then: choose one.")
    return LeadingPanel(
        place=f"{desk.base}/states/{name}",
        name=name,
        arrivals=arrivals(desk.flow, name),
        leaving=sum(arrow.frm == name for arrow in desk.flow.transitions),
        others=tuple(state.name for state in desk.states if state.name != name),
        people=desk.people.get(name, 0),
        also=also,
        chosen={"all": "", **chosen},
        problem=problem,
    )


def _rows(part: object) -> list[Mapping[str, object]]:
    return [row for row in part if isinstance(row, Mapping)] if isinstance(part, list) else []
