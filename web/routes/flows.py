"""The list of flows: what is live, what waits in the draft, what keeps it from being published, who is where now."""

from collections.abc import Mapping
from dataclasses import dataclass

from litestar import get
from litestar.response import Response

from engine.core import sentences
from engine.core.checks.findings import Severity
from engine.core.flow import Look
from engine.runtime import Runtime
from engine.services import edit, publish
from web import i18n
from web.desk import people_by_state
from web.i18n import gettext
from web.pages import page
from web.permissions import Permission
from web.visitor import AppRequest
from web.words import ago


@dataclass(frozen=True, slots=True)
class Part:
    """One kind of state in the bar; `x` and `width` are percents."""

    look: Look
    name: str
    people: int
    x: float
    width: float


@dataclass(frozen=True, slots=True)
class Listed:
    """One flow of the list. `published` is a phrase, "" when nothing is live."""

    slug: str
    title: str
    live: int | None
    published: str
    changes: int
    errors: int
    people: int
    parts: tuple[Part, ...]


@get("/flows", permission=Permission.VIEW, include_in_schema=False)
async def flows(request: AppRequest) -> Response[str]:
    """All flows."""
    runtime = request.app.state.runtime
    listed = [await _listed(runtime, draft.slug) for draft in await edit.drafts(runtime)]
    return page(request, "flows/list.html", flows=listed)


async def _listed(runtime: Runtime, slug: str) -> Listed:
    there, review = await edit.opened(runtime, slug), await publish.review(runtime, slug, in_haste=True)
    versions = await publish.publications(runtime, slug)
    live = next((version for version in versions if version.number == review.live), None)
    published = ""
    if live is not None:
        when = ago(live.published_at, runtime.clock.now())
        published = gettext("%(when)s by %(who)s") % {"when": when, "who": live.author}
    people = {name: count for name, count in people_by_state(review).items() if name in there.flow.states}
    looks = {name: state.look for name, state in there.flow.states.items()}
    return Listed(
        slug=slug,
        title=there.flow.title.within(i18n.current()),
        live=review.live,
        published=published,
        changes=len(review.changes) if review.live is not None else 0,
        errors=sum(finding.severity is Severity.ERROR for finding in review.findings),
        people=sum(people.values()),
        parts=bar(people, looks),
    )


def bar(people: Mapping[str, int], looks: Mapping[str, Look]) -> tuple[Part, ...]:
    """The share of each kind of state, in the order of the sale; kinds without anybody are left out."""
    by_look = dict.fromkeys(Look, 0)
    for name, count in people.items():
        by_look[looks[name]] += count
    total, x, parts = sum(by_look.values()), 0.0, []
    for look, count in by_look.items():
        if count:
            width = 100 * count / total
            parts.append(Part(look, sentences.look_name(look, i18n.current()), count, round(x, 2), round(width, 2)))
            x += width
    return tuple(parts)
