"""Publishing: the checks decide, a version is stored for ever, and whoever is in the middle goes on with it (R60, R61).

People of the version that was live go on with the new one at their next event, in the state where they are, unless the
publisher chooses that they finish on theirs. Who stands in a state that the new version lacks, or would return to one,
goes where the plan says, or stays. Publishing sends nothing.
"""

import json
from collections.abc import Mapping

from engine.core.canonical import canonical
from engine.core.document import read
from engine.core.errors import Conflict, NotFound, Refused, Stale
from engine.core.flow import Flow
from engine.core.permissions import Actor
from engine.core.places import Plan
from engine.runtime import Runtime
from engine.services import draft_history
from engine.services.publication import Approval, Publishing, publishable, stored, written
from engine.services.publish_review import Review, Standing, review
from engine.store import audit, flows
from engine.store.connection import Tx
from engine.store.flows import Draft, Publication

__all__ = [
    "Review", "Standing", "add_draft", "publications", "publish", "publish_tree", "review", "roll_back", "shown", "title",
]  # fmt: skip
FOLLOW = Plan()
"""Nobody was asked: who can follow does."""


async def publish(
    runtime: Runtime,
    slug: str,
    note: str,
    author: Actor,
    expected_revision: int | None = None,
    *,
    seen: int | None = None,
    plan: Plan = FOLLOW,
    approval: Approval | None = None,
) -> int:
    """Publish the draft; returns the version's number. `seen` is the version that was live when its author looked.

    Raises NotFound, NotPublishable (nothing is stored), Stale when the draft is no longer at `expected_revision` or
    another version is live by now,
    Refused("nothing_changed") when it is what is live, Refused("not_available_yet") for what the engine does not do,
    Refused("flow_archived"), Refused("note_too_long"), Refused("second_person_needed") where two have to decide and there
    is no `approval`, and what `carry` refuses about people.
    """
    draft = await runtime.store.read(lambda tx: _draft(tx, slug))
    if expected_revision is not None and draft.revision != expected_revision:
        raise Stale("draft", expected_revision, draft.revision, draft.revision)
    flow = await publishable(runtime, json.loads(draft.document), author)

    def unit(tx: Tx) -> int:
        current = _draft(tx, slug, lock=True)
        if current.revision != draft.revision:
            raise Stale("draft", draft.revision, current.revision, current.revision)
        _same_live(current, seen)
        return stored(tx, runtime, flow, current.document, Publishing(note, author, plan, approval=approval))

    return await written(runtime, slug, note, unit)


async def publish_tree(
    runtime: Runtime, tree: Mapping[str, object], note: str, author: Actor, *, plan: Plan = FOLLOW
) -> int:
    """Publish a document from a file: the flow is made if it is new, and its draft becomes the document.

    Raises InvalidDocument, NotPublishable, Refused("nothing_changed"), Refused("flow_archived"), Refused("note_too_long").
    """
    flow = await publishable(runtime, tree, author)
    text, now = canonical(tree), runtime.clock.now()

    def unit(tx: Tx) -> int:
        there = flows.draft(tx, flow.slug, lock=True)
        if there is None:
            flows.add(tx, slug=flow.slug, title=title(flow), text=text, now=now, who=author.who)
        elif there.document != text:
            written_at = flows.save_draft(
                tx, slug=flow.slug, title=title(flow), text=text, seen=there.revision, now=now, who=author.who
            )
            if written_at is not None:
                draft_history.note(tx, there, text, written_at, actor=author, now=now, what={"op": "replace"})
        flows.draft(tx, flow.slug, lock=True)
        return stored(tx, runtime, flow, text, Publishing(note, author, plan))

    return await written(runtime, flow.slug, note, unit)


async def roll_back(
    runtime: Runtime,
    slug: str,
    number: int,
    note: str,
    author: Actor,
    *,
    seen: int | None = None,
    plan: Plan = FOLLOW,
    approval: Approval | None = None,
) -> int:
    """Publish the content of version `number` again, as a new version, and take the people back; returns its number.

    Who was moved by a publication since and still stands there goes back to where they were; others follow or go where
    the plan says. The draft stays as it is. `seen` is the version that was live when its author looked. Raises as
    `publish`; Stale when another version is live by now.
    """
    text = await shown(runtime, slug, number)
    flow = await publishable(runtime, json.loads(text), author)

    def unit(tx: Tx) -> int:
        current = _draft(tx, slug, lock=True)
        _same_live(current, seen)
        return stored(tx, runtime, flow, text, Publishing(note, author, plan, number, approval))

    return await written(runtime, slug, note, unit)


async def add_draft(runtime: Runtime, tree: Mapping[str, object], author: Actor) -> str:
    """A new flow with a draft, not published; returns its slug. Raises InvalidDocument, Refused("flow_exists")."""
    flow, now = read(tree), runtime.clock.now()

    def unit(tx: Tx) -> str:
        if flows.draft(tx, flow.slug) is not None:
            raise Refused("flow_exists", slug=flow.slug)
        flows.add(tx, slug=flow.slug, title=title(flow), text=canonical(tree), now=now, who=author.who)
        audit.note(tx, now, author, "flow.added", subject=flow.slug)
        return flow.slug

    try:
        return await runtime.store.write(flow.slug, unit)
    except Conflict:
        raise Refused("flow_exists", slug=flow.slug) from None


async def publications(runtime: Runtime, slug: str) -> list[Publication]:
    """The published versions of a flow, the newest first. Raises NotFound."""

    def unit(tx: Tx) -> list[Publication]:
        _draft(tx, slug)
        return flows.publications(tx, slug)

    return await runtime.store.read(unit)


async def shown(runtime: Runtime, slug: str, number: int | None = None) -> str:
    """A version's canonical document, or the draft's. Raises NotFound."""

    def unit(tx: Tx) -> str:
        text = _draft(tx, slug).document if number is None else flows.document(tx, slug, number)
        if text is None:
            raise NotFound("flow", f"{slug}@{number}")
        return text

    return await runtime.store.read(unit)


def title(flow: Flow) -> str:
    """The title that lists show."""
    return flow.title.within("pt-BR")


def _same_live(draft: Draft, seen: int | None) -> None:
    if seen is not None and draft.live != seen:
        raise Stale("live version", seen, draft.live, draft.live)


def _draft(tx: Tx, slug: str, *, lock: bool = False) -> Draft:
    draft = flows.draft(tx, slug, lock=lock)
    if draft is None:
        raise NotFound("flow", slug)
    return draft
