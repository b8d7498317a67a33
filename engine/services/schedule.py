"""Publishing at a set time: what somebody reviewed, and nothing else, once, by whichever worker comes first (R30, R61).

The review is kept with the appointment: revision and hash of the draft, the version that was live, where people go. At
its hour all of it is looked at again, and the checks, the templates, the saved tests and the author's role too. What does
not hold any more is not published; the appointment then says why until somebody has seen it. A worker that was away
publishes late.
"""

import json
from collections.abc import Sequence

from engine.core.document import read_text
from engine.core.errors import NotFound, NotPublishable, Refused, Stale
from engine.core.flow import Millis
from engine.core.permissions import Actor, Permission, may
from engine.core.places import Plan, listed, plan_of
from engine.runtime import Runtime
from engine.services import saved_tests
from engine.services.carry import without_place
from engine.services.publication import NOTE_LONGEST, Approval, Publishing, approved, codes_of, fit, stored
from engine.store import accounts, audit, flows, schedules
from engine.store.connection import Tx
from engine.store.flows import Draft
from engine.store.schedules import Scheduled

__all__ = ["Scheduled", "cancel", "refused", "run", "schedule", "standing"]

DIFFERING = "differing"
"""The fact of an appointment that waits: the saved tests that differed when it was made, and that its author let be."""


class _Why(Exception):
    """Why an appointment is not kept: a code and its facts."""

    def __init__(self, code: str, **facts: object) -> None:
        self.code, self.facts = code, facts
        super().__init__(code)


async def schedule(
    runtime: Runtime,
    slug: str,
    at: Millis,
    note: str,
    author: Actor,
    revision: int,
    plan: Plan,
    *,
    approval: Approval | None = None,
) -> None:
    """Have the draft published at a moment; an appointment that the flow had before is over.

    Raises NotFound, Stale, NotPublishable, and Refused: not_a_moment for one that is not to come, nothing_changed,
    not_available_yet, note_too_long, people_without_place, and what `approved` refuses where two have to decide.
    """
    if at <= runtime.clock.now():
        raise Refused("not_a_moment")
    if len(note) > NOTE_LONGEST:
        raise Refused("note_too_long", longest=NOTE_LONGEST)
    draft = await runtime.store.read(lambda tx: flows.draft(tx, slug))
    if draft is None:
        raise NotFound("flow", slug)
    flow = read_text(draft.document)
    await fit(runtime, flow)
    differing = await _differing(runtime, draft)

    def unit(tx: Tx) -> None:
        now, current = runtime.clock.now(), flows.draft(tx, slug, lock=True)
        if current is None or revision != draft.revision or current.revision != revision:
            raise Stale("draft", revision, draft.revision, draft.revision)
        live = flows.live(tx, slug)
        if live is not None and live.sha256 == flow.sha256:
            raise Refused("nothing_changed", number=live.number)
        if lacking := without_place(tx, flow, current.live, plan):
            raise Refused("people_without_place", states=lacking)
        second = approved(tx, slug, approval, now)
        made = Scheduled(
            slug=slug,
            revision=revision,
            sha256=flow.sha256,
            live=current.live,
            note=note,
            who=author.who,
            address=author.address,
            second=second,
            plan=listed(plan),
            facts={DIFFERING: list(differing)},
            publish_at=at,
            created_at=now,
        )
        schedules.add(tx, made)
        facts = {"at": at, "sha256": flow.sha256} | ({"approved_by": second} if second else {})
        audit.note(tx, now, author, "flow.scheduled", subject=slug, facts=facts)

    await runtime.store.write(slug, unit)


async def cancel(runtime: Runtime, slug: str, author: Actor) -> None:
    """The flow has no appointment any more, and one that was not kept has been seen."""

    def unit(tx: Tx) -> None:
        now = runtime.clock.now()
        if schedules.supersede(tx, slug, now):
            audit.note(tx, now, author, "flow.unscheduled", subject=slug)

    await runtime.store.write(slug, unit)


async def standing(runtime: Runtime, slug: str) -> Scheduled | None:
    """The appointment of a flow that is to come, or that was not kept and nobody has seen."""
    return await runtime.store.read(lambda tx: schedules.standing(tx, slug))


async def refused(runtime: Runtime) -> list[Scheduled]:
    """The appointments of all flows that were not kept and nobody has seen."""
    return await runtime.store.read(schedules.refused)


async def run(runtime: Runtime, schedule_ids: Sequence[int]) -> None:
    """Keep the appointments whose hour has come."""
    for schedule_id in schedule_ids:
        await _kept(runtime, schedule_id)


async def _kept(runtime: Runtime, schedule_id: int) -> None:
    found = await runtime.store.read(lambda tx: schedules.get(tx, schedule_id))
    if found is None or found.status != schedules.WAITING:
        return
    try:
        await _published(runtime, found)
    except _Why as why:
        await _refuse(runtime, found, why.code, why.facts)
    except NotPublishable as error:
        await _refuse(runtime, found, "checks", {"codes": codes_of(error)})
    except Refused as refusal:
        await _refuse(runtime, found, refusal.code, dict(refusal.facts))


async def _published(runtime: Runtime, found: Scheduled) -> None:
    draft = await runtime.store.read(lambda tx: _as_reviewed(tx, found))
    flow = read_text(draft.document)
    await fit(runtime, flow)
    if flow.sha256 != found.sha256:
        raise _Why("draft_changed")
    known = found.facts.get(DIFFERING)
    seen = known if isinstance(known, list) else []
    if names := [name for test_id, name in (await _differing(runtime, draft)).items() if test_id not in seen]:
        raise _Why("tests_differ", tests=names)

    def unit(tx: Tx) -> None:
        current = _as_reviewed(tx, found, lock=True)
        if not schedules.end(tx, found.id, schedules.DONE, runtime.clock.now()):
            return  # cancelled, or another worker was first
        author = Actor(found.who, found.address)
        how = Publishing(found.note, author, plan_of(found.plan), second=found.second)
        stored(tx, runtime, flow, current.document, how)

    await runtime.store.write(found.slug, unit)
    runtime.flows.published()


def _as_reviewed(tx: Tx, found: Scheduled, *, lock: bool = False) -> Draft:
    """The draft, if everything is as its author saw it, and he still may publish. Raises _Why."""
    draft = flows.draft(tx, found.slug, lock=lock)
    if draft is None or draft.revision != found.revision:
        raise _Why("draft_changed")
    if draft.live != found.live:
        raise _Why("live_changed", number=draft.live)
    account = accounts.by_email(tx, found.who)
    if account is None or account.disabled_at is not None or not may(account.role, Permission.PUBLISH):
        raise _Why("author_may_not", who=found.who)
    return draft


async def _differing(runtime: Runtime, draft: Draft) -> dict[int, str]:
    """The saved tests that differ on the draft: their names by their ids."""
    results = await saved_tests.run_all(runtime, draft.slug, json.loads(draft.document))
    return {one.test.id: one.test.name for one in results if not one.passed}


async def _refuse(runtime: Runtime, found: Scheduled, code: str, facts: dict[str, object]) -> None:
    def unit(tx: Tx) -> None:
        now = runtime.clock.now()
        if schedules.end(tx, found.id, schedules.REFUSED, now, reason=code, facts=facts):
            author = Actor(found.who, found.address)
            told = {"reason": code, **facts}
            audit.note(tx, now, author, "flow.schedule_refused", subject=found.slug, facts=told)

    await runtime.store.write(found.slug, unit)
