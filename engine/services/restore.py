"""A draft replaced as a whole: by what a version says, or by a file. An edit like any other, so that it can be undone."""

import json
from collections.abc import Mapping

from engine.core.changes import Change, changes
from engine.core.errors import Stale
from engine.core.permissions import Actor
from engine.runtime import Runtime
from engine.services import edit, publish
from engine.services.edit import Opened

__all__ = ["lost", "replace", "restore"]


async def lost(runtime: Runtime, slug: str) -> tuple[Change, ...]:
    """What of the draft is nowhere else: its differences from what is live, all of it while nothing is."""
    opened = await edit.opened(runtime, slug)
    live = opened.draft.live
    return changes({} if live is None else json.loads(await publish.shown(runtime, slug, live)), opened.tree)


async def restore(runtime: Runtime, slug: str, number: int, actor: Actor, revision: int | None) -> Opened:
    """The draft says what the version said. Raises NotFound, Stale when the draft is no longer at `revision`."""
    tree = json.loads(await publish.shown(runtime, slug, number))
    return await replace(runtime, slug, tree, actor, revision, version=number)


async def replace(
    runtime: Runtime,
    slug: str,
    tree: Mapping[str, object],
    actor: Actor,
    revision: int | None,
    *,
    version: int | None = None,
) -> Opened:
    """The draft says what the document says. Raises NotFound, InvalidDocument, Stale."""
    opened = await edit.opened(runtime, slug)
    if revision is not None and opened.revision != revision:
        raise Stale("draft", revision, opened.revision, opened.revision)
    change = {"op": "replace", "document": {**tree, "slug": slug}, "version": version}
    return await edit.edit(runtime, slug, change, actor=actor, revision=revision)
