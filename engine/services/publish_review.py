"""What publishing a draft, or an older version again, would do: findings, differences, and who stands where (R61)."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from engine.core.changes import Change, changes
from engine.core.checks.findings import Finding
from engine.core.checks.run import blocks
from engine.core.document import read_text
from engine.core.errors import NotFound
from engine.core.flow import Flow
from engine.core.places import Place, other_deadlines, proposals
from engine.runtime import Runtime
from engine.services.checked import Proof, checked, so_far
from engine.services.template_findings import Registry, registries, with_templates
from engine.store import flows, moves
from engine.store.connection import Tx
from engine.store.flows import Draft, Publication

__all__ = ["Gone", "Return", "Review", "Standing", "Waiting", "review"]


@dataclass(frozen=True, slots=True)
class Standing:
    """How many conversations stand in a state, on a version; `fits`: the new version knows the state too."""

    version: int
    state: str
    people: int
    fits: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Gone:
    """A state that the new version lacks: how many stand there, how many more would return to it, and where they could go.

    `needed`: it is of the live version, so publishing needs an answer.
    """

    place: Place
    people: int
    returning: int
    needed: bool
    proposal: str | None = None


@dataclass(frozen=True, slots=True)
class Return:
    """People whom a roll back takes to where they were before."""

    state: str
    back: str
    people: int


@dataclass(frozen=True, slots=True)
class Waiting:
    """A state whose silence is counted otherwise from now on, and how many of the live version stand there."""

    state: str
    people: int


@dataclass(frozen=True, slots=True)
class Review:
    """What publishing would do: the draft of `revision`, or version `source` again, as version `number`. `changes` are
    against the live version.
    """

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
    gone: tuple[Gone, ...] = ()
    source: int | None = None
    returns: tuple[Return, ...] = ()
    waiting: tuple[Waiting, ...] = ()


@dataclass(frozen=True, slots=True)
class _Found:
    draft: Draft
    text: str
    old: str | None
    versions: list[Publication]
    crowds: list[tuple[int, str, str | None, int]]
    known: list[Registry]
    back: list[tuple[str, str | None, str, int]]


async def review(runtime: Runtime, slug: str, *, in_haste: bool = False, source: int | None = None) -> Review:
    """The draft, or version `source`, checked and compared with what is live; `in_haste` tells what is known soon.

    Raises NotFound.
    """
    found = await runtime.store.read(lambda tx: _found(tx, slug, source))
    tree = json.loads(found.text)
    flow = read_text(found.text)
    proof = await so_far(flow) if in_haste else Proof(await checked(flow))
    findings = with_templates(flow, proof.findings, found.known)
    live, versions = found.draft.live, found.versions
    standing: dict[tuple[int, str], int] = {}
    for version, state, _, people in found.crowds:
        standing[version, state] = standing.get((version, state), 0) + people
    return Review(
        slug=slug,
        number=(versions[0].number if versions else 0) + 1,
        revision=found.draft.revision,
        live=live,
        sha256=flow.sha256,
        findings=findings,
        blocked=bool(blocks(findings)),
        going=proof.going,
        changes=changes(json.loads(found.old) if found.old is not None else {}, tree),
        standing=tuple(Standing(v, state, n, state in flow.states) for (v, state), n in standing.items()),
        same_as=next((version.number for version in versions if version.sha256 == flow.sha256), None),
        gone=await _gone(runtime, flow, found),
        source=source,
        returns=tuple(Return(state, back, n) for state, _, back, n in found.back if back in flow.states),
        waiting=await _waiting(runtime, flow, live, standing),
    )


def _found(tx: Tx, slug: str, source: int | None) -> _Found:
    draft = flows.draft(tx, slug)
    if draft is None:
        raise NotFound("flow", slug)
    text = draft.document if source is None else flows.document(tx, slug, source)
    if text is None:
        raise NotFound("version", f"{slug}@{source}")
    old = None if draft.live is None else flows.document(tx, slug, draft.live)
    back = (
        moves.returning(tx, slug, live=draft.live, back_to=source)
        if source is not None and draft.live is not None
        else []
    )
    known = registries(tx, slug)
    return _Found(draft, text, old, flows.publications(tx, slug), moves.crowds(tx, slug), known, back)


async def _waiting(
    runtime: Runtime, flow: Flow, live: int | None, standing: Mapping[tuple[int, str], int]
) -> tuple[Waiting, ...]:
    if live is None:
        return ()
    states = other_deadlines(await runtime.flow(flow.slug, live), flow)
    return tuple(Waiting(name, standing[live, name]) for name in states if (live, name) in standing)


async def _gone(runtime: Runtime, flow: Flow, found: _Found) -> tuple[Gone, ...]:
    """The places without a state in the new version, but for those whom a roll back takes back by itself."""
    counts: dict[Place, list[int]] = {}
    crowds = dict.fromkeys(((v, s, p) for v, s, p, _ in found.crowds), 0)
    for version, state, previous, people in found.crowds:
        crowds[version, state, previous] += people
    for state, previous, back, people in found.back:
        if back in flow.states and found.draft.live is not None:
            crowds[found.draft.live, state, previous] -= people
    for (version, state, previous), people in crowds.items():
        if state not in flow.states:
            counts.setdefault((version, state), [0, 0])[0] += people
        if previous is not None and previous not in flow.states and previous != state:
            counts.setdefault((version, previous), [0, 0])[1] += people
    proposed = {
        version: proposals(await runtime.flow(flow.slug, version), flow) for version in {place[0] for place in counts}
    }
    return tuple(
        Gone(
            place=place,
            people=there,
            returning=back,
            needed=place[0] == found.draft.live,
            proposal=proposed[place[0]].get(place[1]),
        )
        for place, (there, back) in sorted(counts.items())
        if there or back
    )
