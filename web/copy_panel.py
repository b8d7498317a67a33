"""The panel in which several states are chosen and copied at once."""

from dataclasses import dataclass

from web.desk import Desk

__all__ = ["CopyPanel", "copy_panel"]


@dataclass(frozen=True, slots=True)
class CopyPanel:
    """Every state with its look and whether it is chosen; `among` is how many arrows lead from one chosen to another."""

    states: tuple[tuple[str, str, bool], ...]
    chosen: tuple[str, ...]
    among: int
    problem: str = ""
    conflict: None = None


def copy_panel(desk: Desk, names: str, problem: str = "") -> CopyPanel:
    """The states of the draft, those of `names` (`NOVO,CONVERSA`) chosen; names that are gone choose nothing."""
    picked = set(names.split(","))
    chosen = tuple(state.name for state in desk.states if state.name in picked)
    among = sum(arrow.frm in chosen and arrow.to in chosen for arrow in desk.flow.arrows.values())
    return CopyPanel(
        states=tuple((state.name, state.look, state.name in picked) for state in desk.states),
        chosen=chosen,
        among=among,
        problem=problem,
    )
