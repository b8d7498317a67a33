"""Editing a draft: one change at a time, checked for being a flow document, never over somebody else's head.

Each change says which value its author saw. What other people changed meanwhile elsewhere in the flow does not matter;
only the same field changed by somebody else is Stale, with both values, for a person to choose.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from engine.core import edits
from engine.core.canonical import canonical
from engine.core.document import read, read_text
from engine.core.edit_targets import name_of, value_now, whole_now
from engine.core.errors import NotFound, Stale
from engine.core.flow import Flow
from engine.core.patching import patch
from engine.core.permissions import Actor
from engine.runtime import Runtime
from engine.services import draft_history
from engine.store import audit, flows
from engine.store.connection import Tx
from engine.store.flows import Draft

__all__ = ["Draft", "Opened", "drafts", "edit", "edit_all", "opened", "rewritten"]

ATTEMPTS = 8
"""How often a change is made again on a newer draft, before so many others editing at once count as a conflict."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A draft, read. `tree` is the document, `flow` what it says."""

    draft: Draft
    tree: Mapping[str, object]
    flow: Flow

    @property
    def revision(self) -> int:
        """The revision that it is at."""
        return self.draft.revision


async def drafts(runtime: Runtime) -> list[Draft]:
    """Every flow, by title."""
    return await runtime.store.read(flows.drafts)


async def opened(runtime: Runtime, slug: str) -> Opened:
    """The draft as it is now. Raises NotFound."""
    draft = await runtime.store.read(lambda tx: flows.draft(tx, slug))
    if draft is None:
        raise NotFound("flow", slug)
    return Opened(draft, json.loads(draft.document), read_text(draft.document))


async def edit(
    runtime: Runtime,
    slug: str,
    change: Mapping[str, object],
    *,
    actor: Actor,
    revision: int | None = None,
    base: Mapping[str, object] | None = None,
) -> Opened:
    """Make one change (`engine.core.edits`); returns the draft with it.

    `revision` is the one that the author saw. What the author saw of the thing itself comes as `seen` in the change
    (the field's value) or as `base` (the whole entry); a newer draft is fine as long as that still holds. Raises
    NotFound, Refused (codes of `edits`), InvalidDocument (nothing is stored), Stale.
    """
    return await edit_all(runtime, slug, (change,), actor=actor, revision=revision, base=base)


async def edit_all(
    runtime: Runtime,
    slug: str,
    changes: Sequence[Mapping[str, object]],
    *,
    actor: Actor,
    revision: int | None = None,
    base: Mapping[str, object] | None = None,
) -> Opened:
    """Several changes, all or none, as one revision. Raises as `edit` does."""
    return await rewritten(
        runtime,
        slug,
        lambda before: _changed(before, changes, revision, base),
        actor=actor,
        what=draft_history.said(changes),
        revision=revision,
    )


async def rewritten(
    runtime: Runtime,
    slug: str,
    make: Callable[[Opened], tuple[Mapping[str, object], Sequence[Mapping[str, object]]]],
    *,
    actor: Actor,
    what: Mapping[str, object],
    revision: int | None = None,
    turned: draft_history.Turned | None = None,
) -> Opened:
    """The draft as `make` would have it, as the next revision; made again when somebody else stored one meanwhile.

    `make` gives the document and the facts for the audit log, `what` says it in few words. Without `turned` it is a new
    change of the actor's that can be taken back; with it, one of theirs was taken back or made again. Raises as `edit`.
    """
    for _ in range(ATTEMPTS):
        before = await opened(runtime, slug)
        tree, facts = make(before)
        text = _text(tree)
        flow = read_text(text)
        if text == before.draft.document:
            if turned is not None:
                await runtime.store.write(slug, partial(_as_it_is, turned, before.revision))
            return before
        if (saved := await _saved(runtime, before, flow, text, actor, facts, what, turned)) is not None:
            return Opened(saved, json.loads(text), flow)
    raise Stale("draft", revision, before.revision, before.revision)


def _text(tree: Mapping[str, object]) -> str:
    """The document as it is stored. Raises InvalidDocument where a value cannot be."""
    try:
        return canonical(tree)
    except (ValueError, RecursionError):  # the reader says what is too deep or of no kind that JSON has
        read(tree)
        raise


def _as_it_is(turned: draft_history.Turned, revision: int, tx: Tx) -> None:
    turned(tx, revision, ())


def _changed(
    before: Opened, changes: Sequence[Mapping[str, object]], revision: int | None, base: Mapping[str, object] | None
) -> tuple[dict[str, object], list[dict[str, object]]]:
    tree, facts = dict(before.tree), []
    for change in changes:
        if revision is not None and revision != before.revision:
            _require_unchanged(tree, change, base, before.revision)
        setting = str(change.get("op")).startswith("set_")
        told = {key: value for key, value in change.items() if key != "seen"}
        noted = {key: value for key, value in told.items() if key != "document"}
        facts.append({**noted, **({"before": value_now(tree, change)} if setting else {})})
        tree = edits.apply(tree, told)
    return tree, facts


def _require_unchanged(
    tree: Mapping[str, object], change: Mapping[str, object], base: Mapping[str, object] | None, revision: int
) -> None:
    """Raise Stale when what this change is about is no longer what its author saw."""
    operation = str(change.get("op"))
    if operation.startswith("set_"):
        now, mine = value_now(tree, change), change.get("value")
        if "seen" in change:
            seen = change["seen"]
        elif base is not None:
            seen = base.get(str(change.get("field")))
        else:
            raise Stale(name_of(change), mine, now, revision)
        if not _same(now, seen) and not _same(now, mine):
            raise Stale(name_of(change), mine, now, revision)
    elif operation.startswith("delete_"):
        now = whole_now(tree, change)
        if now is not None and (base is None or not _same(now, base)):
            raise Stale(name_of(change), None, now, revision)
    elif operation == "replace":
        raise Stale("draft", None, None, revision)


def _same(one: object, other: object) -> bool:
    return canonical([one]) == canonical([other])


async def _saved(
    runtime: Runtime,
    before: Opened,
    flow: Flow,
    text: str,
    actor: Actor,
    facts: Sequence[Mapping[str, object]],
    what: Mapping[str, object],
    turned: draft_history.Turned | None,
) -> Draft | None:
    """The stored draft, or None when somebody else stored a revision first."""
    slug, now = before.draft.slug, runtime.clock.now()

    def unit(tx: Tx) -> Draft | None:
        written = flows.save_draft(
            tx,
            slug=slug,
            title=flow.title.within("pt-BR"),
            text=text,
            seen=before.revision,
            now=now,
            who=actor.who,
        )
        if written is None:
            return None
        if turned is None:
            draft_history.note(tx, before.draft, text, written, actor=actor, now=now, what=what)
        else:
            turned(tx, written, patch(before.tree, json.loads(text)))
        for fact in facts:
            audit.note(tx, now, actor, "flow.edited", subject=slug, facts={**fact, "revision": written})
        return flows.draft(tx, slug)

    return await runtime.store.write(slug, unit)
