"""Through what the drawing is looked at: what is shown over it and, of a large flow, which phase. Both are in the address."""

from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

from web.forms import whole
from web.pages import wants_fragment
from web.visitor import AppRequest

__all__ = ["COUNTS", "NONE", "PROBLEMS", "SHOWS", "TRAFFIC", "Lens", "lens"]

COUNTS, NONE, TRAFFIC, PROBLEMS = "counts", "none", "traffic", "problems"
SHOWS = (COUNTS, TRAFFIC, PROBLEMS, NONE)


@dataclass(frozen=True, slots=True)
class Lens:
    """`phase` is what the address asks for, None for nothing; `before` is what the page that asks has selected."""

    show: str = COUNTS
    phase: int | None = None
    before: str = ""

    @property
    def kept(self) -> str:
        """What stays in every link of the drawing; "" for the usual view."""
        return f"show={self.show}" if self.show != COUNTS else ""


def lens(request: AppRequest) -> Lens:
    """As the address says; for a part of a page, as the address of that page does."""
    query = {name: value[-1] for name, value in request.query_params.dict().items() if value}
    if wants_fragment(request):
        there = parse_qs(urlsplit(request.headers.get("hx-current-url", "")).query)
        query = {name: value[-1] for name, value in there.items()} | query
        before = (there.get("sel") or [""])[-1]
    else:
        before = ""
    show = str(query.get("show", COUNTS))
    return Lens(show if show in SHOWS else COUNTS, whole(str(query.get("phase", ""))), before)
