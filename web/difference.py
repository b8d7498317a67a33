"""Two versions in one picture, what goes away as a ghost; or one of them alone (ADR 0009)."""

from markupsafe import Markup

from engine.adapters.svg_copy import ANCHORS
from engine.core.diagram.graph import Drawing
from engine.core.diagram.overlay import overlay
from engine.core.flow import Flow
from web import i18n
from web.diagram_view import drawn

__all__ = ["AFTER", "BEFORE", "BOTH", "difference"]

BOTH, BEFORE, AFTER = "both", "before", "after"


async def difference(old: Flow | None, new: Flow, show: str) -> Markup | None:
    """The drawing that `show` names, None where it failed. Its places are linked with the list of changes."""
    look = Drawing(language=i18n.current())
    if old is None or show == AFTER:
        return (await drawn(new, look, ANCHORS))[0]
    if show == BEFORE:
        return (await drawn(old, look, ANCHORS))[0]
    over = overlay(old, new)
    look = Drawing(language=i18n.current(), marks=over.marks, quiet=bool(over.marks))
    return (await drawn(over.flow, look, ANCHORS))[0]
