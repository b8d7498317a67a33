"""The flows to choose from in a form or at the head of a page."""

from collections.abc import Sequence

from engine.services import edit
from engine.services.channels import DEFAULT_FLOW
from web.visitor import AppRequest

__all__ = ["chosen_flow", "flow_choices", "usual_flow"]


async def flow_choices(request: AppRequest) -> tuple[tuple[str, str], ...]:
    """(slug, title) by title of those that are not archived; while there is none, the one that a first start brings."""
    drafts = await edit.drafts(request.app.state.runtime)
    return tuple((draft.slug, draft.title) for draft in drafts if draft.archived_at is None) or (
        (DEFAULT_FLOW, DEFAULT_FLOW),
    )


async def chosen_flow(request: AppRequest, wanted: str) -> str | None:
    """The flow that a page is about: the one that was asked for, else the usual one; None while there is none."""
    slugs = [draft.slug for draft in await edit.drafts(request.app.state.runtime)]
    if wanted in slugs:
        return wanted
    return (DEFAULT_FLOW if DEFAULT_FLOW in slugs else slugs[0]) if slugs else None


def usual_flow(choices: Sequence[tuple[str, str]]) -> str:
    """The one that is chosen where nobody chose."""
    slugs = [slug for slug, _ in choices]
    return DEFAULT_FLOW if DEFAULT_FLOW in slugs else slugs[0]
