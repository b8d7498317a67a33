"""A version is stored, made live, and people are taken along: the same for a draft, a file and an older version (R60)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from engine.core.available import missing
from engine.core.checks.findings import Finding
from engine.core.checks.run import blocks
from engine.core.document import read
from engine.core.errors import Conflict, NotPublishable, Refused
from engine.core.flow import Flow, Millis
from engine.core.permissions import Actor
from engine.core.places import Plan
from engine.runtime import Runtime
from engine.services import approval_requests, safeguards
from engine.services.carry import Carrying, carry
from engine.services.checked import checked
from engine.services.template_findings import registries, with_templates
from engine.store import audit, flows, publication_requests, schedules
from engine.store.connection import Tx

__all__ = ["NOTE_LONGEST", "Approval", "Publishing", "approved", "codes_of", "fit", "publishable", "stored", "written"]

NOTE_LONGEST = 500


@dataclass(frozen=True, slots=True)
class Approval:
    """A second person agrees to what somebody asked for."""

    request_id: int
    by: Actor


@dataclass(frozen=True, slots=True)
class Publishing:
    """Who publishes, with which sentence, and what becomes of people. `back_to`: the version that is published again.

    `approval` is given now; `second` is who gave one before, when the hour was set.
    """

    note: str
    author: Actor
    plan: Plan = field(default=Plan())
    back_to: int | None = None
    approval: Approval | None = None
    second: str = ""


async def publishable(runtime: Runtime, tree: Mapping[str, object], author: Actor) -> Flow:
    """The document, read and checked; who was refused is told in the audit log.

    Raises InvalidDocument, NotPublishable, Refused("not_available_yet").
    """
    flow = read(tree)
    try:
        await fit(runtime, flow)
    except NotPublishable as error:
        now, codes = runtime.clock.now(), codes_of(error)
        await runtime.store.write(
            flow.slug, lambda tx: audit.note(tx, now, author, "flow.refused", subject=flow.slug, facts={"codes": codes})
        )
        raise
    return flow


async def fit(runtime: Runtime, flow: Flow) -> None:
    """No check and no template is against the flow. Raises NotPublishable, Refused("not_available_yet")."""
    known = await runtime.store.read(lambda tx: registries(tx, flow.slug))
    findings = with_templates(flow, await checked(flow), known)
    if blocks(findings):
        raise NotPublishable(findings)
    if not_yet := missing(flow):
        raise Refused("not_available_yet", places=not_yet)


def codes_of(error: NotPublishable) -> list[str]:
    """The codes of the findings, each once."""
    return sorted({finding.code for finding in error.findings if isinstance(finding, Finding)})


async def written(runtime: Runtime, slug: str, note: str, unit: Callable[[Tx], int]) -> int:
    """Run the unit that publishes. Raises Refused("note_too_long") and what the unit raises."""
    if len(note) > NOTE_LONGEST:
        raise Refused("note_too_long", longest=NOTE_LONGEST)
    try:
        number = await runtime.store.write(slug, unit)
    except Conflict:
        number = await runtime.store.write(slug, unit)  # somebody else made the flow just now; it is there this time
    runtime.flows.published()
    return number


def stored(tx: Tx, runtime: Runtime, flow: Flow, text: str, how: Publishing) -> int:
    """Store the version of canonical `text`, make it live and take people along. The flow's row is locked.

    Raises Refused: flow_archived, nothing_changed, and what `approved` refuses.
    """
    now, live = runtime.clock.now(), flows.live(tx, flow.slug)
    draft = flows.draft(tx, flow.slug)
    if draft is not None and draft.archived_at is not None:
        raise Refused("flow_archived")
    if live is not None and live.sha256 == flow.sha256:
        raise Refused("nothing_changed", number=live.number)
    second = approved(tx, flow.slug, how.approval, now, before=how.second)
    number = flows.publish(
        tx, slug=flow.slug, text=text, sha256=flow.sha256, note=how.note, author=how.author.who, now=now
    )
    schedules.supersede(tx, flow.slug, now)
    publication_requests.supersede(tx, flow.slug, now)
    moved = 0
    if live is not None:
        carrying = Carrying(
            flow=flow,
            live=live.number,
            number=number,
            plan=how.plan,
            author=how.author,
            now=now,
            back_to=how.back_to,
        )
        moved = carry(tx, runtime, carrying)
        approval_requests.after_publication(tx, runtime, flow, number, now)
    facts = {"number": number, "sha256": flow.sha256, "note": how.note, "moved": moved}
    facts |= {"before": live and live.sha256} | ({"back_to": how.back_to} if how.back_to is not None else {})
    facts |= {"approved_by": second} if second else {}
    audit.note(tx, now, how.author, "flow.published", subject=flow.slug, facts=facts)
    return number


def approved(tx: Tx, slug: str, approval: Approval | None, now: Millis, *, before: str = "") -> str:
    """Who the second person is, "" where none is needed; an approval that is given settles its request.

    Raises Refused: second_person_needed, request_settled.
    """
    if approval is None:
        if not before and safeguards.within(tx).four_eyes:
            raise Refused("second_person_needed")
        return before
    who = approval.by.who
    if not publication_requests.end(tx, approval.request_id, publication_requests.APPROVED, now, by=who):
        raise Refused("request_settled")
    audit.note(tx, now, approval.by, "flow.publish_approved", subject=slug, facts={"request": approval.request_id})
    return who
