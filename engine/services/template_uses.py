"""Which flows send which templates: what live versions and drafts ask of the platform."""

from collections.abc import Sequence
from contextlib import suppress

from engine.core.document import read_text
from engine.core.errors import InvalidDocument
from engine.core.flow import Flow, Send
from engine.core.platform_templates import DELETED
from engine.runtime import Runtime
from engine.services import edit
from engine.store.templates import Known

__all__ = ["Key", "missing", "uses"]

Key = tuple[str, str]
"""Name and language of a template."""


async def uses(runtime: Runtime) -> dict[Key, tuple[str, ...]]:
    """The titles of the flows that send each template, live or in a draft."""
    found: dict[Key, dict[str, None]] = {}
    for draft in await edit.drafts(runtime):
        flows = [] if draft.live is None else [await runtime.flow(draft.slug, draft.live)]
        with suppress(InvalidDocument):  # a draft of an older product may not be readable; what is live still counts
            flows.append(read_text(draft.document))
        for flow in flows:
            for key in _asked(flow):
                found.setdefault(key, {})[draft.title] = None
    return {key: tuple(titles) for key, titles in found.items()}


async def missing(runtime: Runtime, known: Sequence[Known]) -> list[tuple[str, str, tuple[str, ...]]]:
    """(name, language, flows) of what flows send and no channel has, where the platform was asked at all."""
    if not known:
        return []
    there = {(one.template.name, one.template.language) for one in known if one.template.status != DELETED}
    return [(*key, titles) for key, titles in sorted((await uses(runtime)).items()) if key not in there]


def _asked(flow: Flow) -> list[Key]:
    sends = (action.template for action in flow.actions.values() if isinstance(action, Send))
    return [(template.name, template.language) for template in sends if template is not None]
