"""Publishing: the checks decide, a version is stored for ever, and whoever is in the middle goes on with it (R60, R61).

People of the version that was live go on with the new one at their next event, in the state where they are, unless the
publisher chooses that they finish on theirs. Who stands in a state that the new version lacks, or would return to one,
stays in any case. Publishing sends nothing.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from engine.core.adapting import adapting
from engine.core.available import missing
from engine.core.canonical import canonical
from engine.core.changes import Change, changes
from engine.core.checks.findings import Finding
from engine.core.checks.run import blocks
from engine.core.document import read
from engine.core.errors import Conflict, NotFound, NotPublishable, Refused, Stale
from engine.core.flow import Flow
from engine.core.permissions import Actor
from engine.runtime import Runtime
from engine.services import draft_history
from engine.services.checked import Proof, checked, so_far
from engine.services.template_findings import Registry, registries, with_templates
from engine.store import audit, flows, moves
from engine.store.connection import Tx
from engine.store.flows import Draft, Publication

__all__ = ["Review", "Standing", "add_draft", "publications", "publish", "publish_tree", "review", "shown"]

NOTE_LONGEST = 500


@dataclass(frozen=True, slots=True)
class Standing:
    """How many conversations stand in a state, on a version; `fits`: the draft knows the state too."""

    version: int
    state: str
    people: int
    fits: bool


@dataclass(frozen=True, slots=True)
class Review:
    """What publishing the draft of `revision` as version `number` would do. `changes` are against the live version."""

    slug: str
    number: int
    revision: int
    live: int | None
    sha256: str
    findings: tuple[Finding, ...]
    blocked: bool
    changes: tuple[Change, ...]
    standing: tuple[Standing, ...]
    same_as: int | None
    """A version with the very same content, or None."""
    going: tuple[int, int] | None = None
    """How many of how many proofs are made while they go on."""


async def review(runtime: Runtime, slug: str, *, in_haste: bool = False) -> Review:
    """The draft, checked and compared with what is live; `in_haste` tells what is known soon. Raises NotFound."""

    def unit(tx: Tx) -> tuple[Draft, str | None, list[Publication], list[tuple[int, str, int]], list[Registry]]:
        draft = _draft(tx, slug)
        old = None if draft.live is None else flows.document(tx, slug, draft.live)
        return draft, old, flows.publications(tx, slug), flows.standing(tx, slug), registries(tx, slug)

    draft, old, versions, standing, known = await runtime.store.read(unit)
    tree = json.loads(draft.document)
    flow = read(tree)
    proof = await so_far(flow) if in_haste else Proof(await checked(flow))
    findings = with_templates(flow, proof.findings, known)
    return Review(
        slug=slug,
        number=(versions[0].number if versions else 0) + 1,
        revision=draft.revision,
        live=draft.live,
        sha256=flow.sha256,
        findings=findings,
        blocked=bool(blocks(findings)),
        going=proof.going,
        changes=changes(json.loads(old) if old is not None else {}, tree),
        standing=tuple(Standing(version, state, n, state in flow.states) for version, state, n in standing),
        same_as=next((version.number for version in versions if version.sha256 == flow.sha256), None),
    )


async def publish(
    runtime: Runtime,
    slug: str,
    note: str,
    author: Actor,
    expected_revision: int | None = None,
    *,
    move: bool = True,
) -> int:
    """Publish the draft; returns the version's number.

    Raises NotFound, NotPublishable (nothing is stored), Stale when the draft is no longer at `expected_revision`,
    Refused("nothing_changed") when it is what is live, Refused("not_available_yet") for what the engine does not do,
    Refused("flow_archived"), Refused("note_too_long").
    """
    draft = await runtime.store.read(lambda tx: _draft(tx, slug))
    if expected_revision is not None and draft.revision != expected_revision:
        raise Stale("draft", expected_revision, draft.revision, draft.revision)
    flow = await _publishable(runtime, json.loads(draft.document), author)

    def unit(tx: Tx) -> int:
        current = _draft(tx, slug, lock=True)
        if current.revision != draft.revision:
            raise Stale("draft", draft.revision, current.revision, current.revision)
        return _stored(tx, runtime, current, flow, note=note, author=author, move=move)

    return await _written(runtime, slug, note, unit)


async def publish_tree(
    runtime: Runtime, tree: Mapping[str, object], note: str, author: Actor, *, move: bool = True
) -> int:
    """Publish a document from a file: the flow is made if it is new, and its draft becomes the document.

    Raises InvalidDocument, NotPublishable, Refused("nothing_changed"), Refused("flow_archived"), Refused("note_too_long").
    """
    flow = await _publishable(runtime, tree, author)
    text, now = canonical(tree), runtime.clock.now()

    def unit(tx: Tx) -> int:
        there = flows.draft(tx, flow.slug, lock=True)
        if there is None:
            flows.add(tx, slug=flow.slug, title=title(flow), text=text, now=now, who=author.who)
        elif there.document != text:
            written = flows.save_draft(
                tx, slug=flow.slug, title=title(flow), text=text, seen=there.revision, now=now, who=author.who
            )
            if written is not None:
                draft_history.note(tx, there, text, written, actor=author, now=now, what={"op": "replace"})
        return _stored(tx, runtime, _draft(tx, flow.slug, lock=True), flow, note=note, author=author, move=move)

    return await _written(runtime, flow.slug, note, unit)


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


async def _publishable(runtime: Runtime, tree: Mapping[str, object], author: Actor) -> Flow:
    flow = read(tree)
    findings = await checked(flow)
    if not blocks(findings):
        if not_yet := missing(flow):
            raise Refused("not_available_yet", places=not_yet)
        return flow
    now, codes = runtime.clock.now(), sorted({finding.code for finding in findings})
    await runtime.store.write(
        flow.slug, lambda tx: audit.note(tx, now, author, "flow.refused", subject=flow.slug, facts={"codes": codes})
    )
    raise NotPublishable(findings)


async def _written(runtime: Runtime, slug: str, note: str, unit: Callable[[Tx], int]) -> int:
    if len(note) > NOTE_LONGEST:
        raise Refused("note_too_long", longest=NOTE_LONGEST)
    try:
        number = await runtime.store.write(slug, unit)
    except Conflict:
        number = await runtime.store.write(slug, unit)  # somebody else made the flow just now; it is there this time
    runtime.flows.published()
    return number


def _stored(tx: Tx, runtime: Runtime, draft: Draft, flow: Flow, *, note: str, author: Actor, move: bool) -> int:
    """Store the version, make it live and take people along. The flow's row is locked."""
    now, live = runtime.clock.now(), flows.live(tx, flow.slug)
    if draft.archived_at is not None:
        raise Refused("flow_archived")
    if live is not None and live.sha256 == flow.sha256:
        raise Refused("nothing_changed", number=live.number)
    number = flows.publish(
        tx, slug=flow.slug, text=draft.document, sha256=flow.sha256, note=note, author=author.who, now=now
    )
    moved = 0
    if move and live is not None:
        adapted = adapting(runtime.flows.within(tx, flow.slug, live.number), flow)
        moved = moves.move(tx, flow, old=live.number, number=number, adapted=adapted, now=now)
    facts = {"number": number, "sha256": flow.sha256, "note": note, "moved": moved, "before": live and live.sha256}
    audit.note(tx, now, author, "flow.published", subject=flow.slug, facts=facts)
    return number


def _draft(tx: Tx, slug: str, *, lock: bool = False) -> Draft:
    draft = flows.draft(tx, slug, lock=lock)
    if draft is None:
        raise NotFound("flow", slug)
    return draft
