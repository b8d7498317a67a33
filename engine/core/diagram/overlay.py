"""Two versions in one picture: the new one with what is gone drawn into it as ghosts, and a mark for what differs.

The picture's flow is for drawing alone: it may hold arrows of two versions side by side and would not pass any check.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from engine.core.diagram.graph import ADDED, CHANGED, REMOVED, Mark
from engine.core.flow import Flow, Transition

__all__ = ["GHOST", "Overlay", "overlay"]

GHOST = "~"
"""Ends the id of the ghost of an arrow that now leads elsewhere; no id of a document holds it."""


@dataclass(frozen=True, slots=True)
class Overlay:
    """What to draw, and the marks by `s:STATE` and `t:transition`."""

    flow: Flow
    marks: Mapping[str, Mark]


def overlay(old: Flow, new: Flow) -> Overlay:
    """The new version over the old one."""
    marks: dict[str, Mark] = {}
    for name in {**old.states, **new.states}:
        if name not in new.states:
            marks[f"s:{name}"] = REMOVED
        elif name not in old.states:
            marks[f"s:{name}"] = ADDED
        elif old.states[name] != new.states[name]:
            marks[f"s:{name}"] = CHANGED
    ghosts: list[Transition] = []
    for name in {**old.arrows, **new.arrows}:
        before, after = old.arrows.get(name), new.arrows.get(name)
        if before is None:
            marks[f"t:{name}"] = ADDED
        elif after is None:
            marks[f"t:{name}"] = REMOVED
            ghosts.append(before)
        elif before != after:
            marks[f"t:{name}"] = CHANGED
            if (before.frm, before.to) != (after.frm, after.to):
                ghosts.append(replace(before, id=name + GHOST))
                marks[f"t:{name}{GHOST}"] = REMOVED
    drawn = replace(
        new,
        states={**{n: s for n, s in old.states.items() if n not in new.states}, **new.states},
        transitions=(*new.transitions, *(t for t in ghosts if t.frm is not None)),
        globals=(*new.globals, *(t for t in ghosts if t.frm is None)),
        actions={**old.actions, **new.actions},
        events={**old.events, **new.events},
    )
    return Overlay(drawn, marks)
