"""The flows to choose from in a form or at the head of a page."""

from collections.abc import Sequence

from engine.services import edit
from engine.services.channels import DEFAULT_FLOW
from web.visitor import AppRequest

__all__ = ["flow_choices", "usual_flow"]


async def flow_choices(request: AppRequest) -> tuple[tuple[str, str], ...]:
    """(slug, title) by title; while there is no flow, the one that a first start brings."""
    drafts = await edit.drafts(request.app.state.runtime)
    return tuple((draft.slug, draft.title) for draft in drafts) or ((DEFAULT_FLOW, DEFAULT_FLOW),)


def usual_flow(choices: Sequence[tuple[str, str]]) -> str:
    """The one that is chosen where nobody chose."""
    slugs = [slug for slug, _ in choices]
    return DEFAULT_FLOW if DEFAULT_FLOW in slugs else slugs[0]
