"""The desk as the flow's drawing with the conversations of each state; a box leads to its people, an arrow to the editor."""

import re
from dataclasses import dataclass
from urllib.parse import quote

from markupsafe import Markup

from engine.core.diagram.graph import Drawing
from engine.core.diagram.phases import Phase, phases
from engine.core.flow import Flow
from web.diagram_view import drawn
from web.live_seat import Seat

__all__ = ["Drawn", "drawing"]

_FRAGMENT = re.compile(r' hx-(?:get|target|push-url)="[^"]*"')
_PLACE = re.compile(r'href="\?(sel=s:|sel=t:|phase=)([^"&]+)[^"]*"')


@dataclass(frozen=True, slots=True)
class Drawn:
    """The drawing, or why there is none; of a large flow `phase` of `phases`, 0 for all of them as boxes."""

    svg: Markup | None
    problem: str
    phases: tuple[Phase, ...]
    phase: int


async def drawing(seat: Seat, flow: Flow, people: dict[str, int]) -> Drawn:
    """In the language of the seat."""
    every = phases(flow)
    phase = seat.phase if seat.phase <= len(every) else 0
    look = Drawing(counts=people or None, language=seat.language)
    svg, problem = await drawn(flow, look, "/live", phase if every else None)
    return Drawn(None if svg is None else _ours(svg, seat.flow), problem, every, phase)


def _ours(svg: Markup, slug: str) -> Markup:
    """The links of an editor's drawing as those of a desk."""
    name = quote(slug, safe="")
    lead = {
        "sel=s:": f"/live?flow={name}&amp;view=list&amp;state=",
        "sel=t:": f"/flows/{name}/draft?sel=t:",
        "phase=": f"/live?flow={name}&amp;view=diagram&amp;phase=",
    }
    plain = _FRAGMENT.sub("", str(svg))
    # The drawing is ours, and what is put into it is a name that was percent-encoded.
    return Markup(_PLACE.sub(lambda found: f'href="{lead[found[1]]}{found[2]}"', plain))  # noqa: S704 - as said above
