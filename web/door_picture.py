"""The picture beside the sign-in form: a sample that ships with the product, drawn once per language."""

from litestar.datastructures import State
from markupsafe import Markup

from engine import samples
from engine.core.diagram.graph import Drawing
from engine.core.document import read
from web.diagram_view import drawn

SAMPLE = "venda-literal"


async def door_picture(state: State, language: str) -> Markup | None:
    """The drawing, or nothing where Graphviz is away: the form works without it."""
    known = _kept(state)
    if language not in known:
        known[language], _ = await drawn(read(samples.tree(SAMPLE)), Drawing(actions=False, language=language), None)
    return known[language]


def _kept(state: State) -> dict[str, Markup | None]:
    if "door_pictures" not in state:
        state.door_pictures = {}
    found: dict[str, Markup | None] = state.door_pictures
    return found
