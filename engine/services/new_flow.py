"""New flows: out of a sample, out of nothing, out of a file, out of another flow; always a draft that nobody enters yet."""

import json
from collections.abc import Mapping

from engine import samples
from engine.core.document import read
from engine.core.errors import NotFound, Refused
from engine.core.permissions import Actor
from engine.core.slugs import slug_of, vacant
from engine.runtime import Runtime
from engine.services import publish
from engine.store import flows

__all__ = ["LONGEST_TITLE", "START_EMPTY", "begin", "copy", "free", "take_in", "usable_title"]

START_EMPTY = samples.EMPTY
LONGEST_TITLE = 120


def usable_title(title: str) -> str:
    """A title without outer blanks. Raises Refused("title_unusable")."""
    plain = " ".join(title.split())
    if not plain or len(plain) > LONGEST_TITLE or not plain.isprintable():
        raise Refused("title_unusable", longest=LONGEST_TITLE)
    return plain


async def free(runtime: Runtime, slug: str) -> str:
    """The slug, or one like it that no flow has."""
    drafts = await runtime.store.read(flows.drafts)
    return vacant(slug, frozenset(draft.slug for draft in drafts))


async def begin(runtime: Runtime, start: str, title: str, actor: Actor) -> str:
    """A new flow out of a sample, or out of the empty one; returns its slug.

    Raises NotFound for a sample that there is not, Refused: title_unusable, flow_exists.
    """
    name = usable_title(title)
    if start not in (*samples.names(), START_EMPTY):
        raise NotFound("sample", start)
    return await _added(runtime, samples.tree(start), name, actor)


async def copy(runtime: Runtime, slug: str, title: str, actor: Actor) -> str:
    """A new flow with the draft of another. Raises NotFound, Refused: title_unusable, flow_exists."""
    name = usable_title(title)
    return await _added(runtime, json.loads(await publish.shown(runtime, slug)), name, actor)


async def take_in(runtime: Runtime, tree: object, actor: Actor, slug: str | None = None) -> str:
    """The flow of a document, as it is, or under another slug; returns the slug.

    Raises InvalidDocument with every mistake, Refused("flow_exists").
    """
    flow = read(tree)
    assert isinstance(tree, Mapping)
    return await publish.add_draft(runtime, tree if slug in (None, flow.slug) else {**tree, "slug": slug}, actor)


async def _added(runtime: Runtime, tree: Mapping[str, object], title: str, actor: Actor) -> str:
    return await publish.add_draft(runtime, {**tree, "slug": slug_of(title), "title": title}, actor)
