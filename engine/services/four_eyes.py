"""Publishing that two people decide: one asks with a review, another one approves exactly that (SEC-S12).

What was asked for is kept with the request: revision and hash of the draft (or the version that is to come back), the
version that was live, where people go, and the hour if there is one. An approval publishes nothing else; if something
changed since, it is refused and has to be asked for again. Both names are in the audit log.
"""

import json

from engine.core.errors import NotFound, Refused, Stale
from engine.core.flow import Millis
from engine.core.permissions import Actor, Permission, may
from engine.core.places import Plan, listed, plan_of
from engine.runtime import Runtime
from engine.services import publish, schedule
from engine.services.carry import without_place
from engine.services.publication import NOTE_LONGEST, Approval, publishable
from engine.store import accounts, audit, flows, publication_requests
from engine.store.connection import Tx
from engine.store.publication_requests import Request

__all__ = ["Request", "approve", "ask", "request", "standing", "turn_down", "withdraw"]


async def ask(
    runtime: Runtime,
    slug: str,
    note: str,
    author: Actor,
    *,
    revision: int | None,
    seen: int | None,
    plan: Plan,
    source: int | None = None,
    at: Millis | None = None,
) -> int:
    """Have a second person look at a publication; whatever waited for the flow is replaced. Returns the request's id.

    Raises what publishing raises: NotFound, NotPublishable, Stale, and Refused: note_too_long, not_a_moment,
    nothing_changed, not_available_yet, flow_archived, people_without_place.
    """
    if len(note) > NOTE_LONGEST:
        raise Refused("note_too_long", longest=NOTE_LONGEST)
    if at is not None and at <= runtime.clock.now():
        raise Refused("not_a_moment")
    draft = await runtime.store.read(lambda tx: flows.draft(tx, slug))
    if draft is None:
        raise NotFound("flow", slug)
    text = draft.document if source is None else await publish.shown(runtime, slug, source)
    flow = await publishable(runtime, json.loads(text), author)

    def unit(tx: Tx) -> int:
        now, current = runtime.clock.now(), flows.draft(tx, slug, lock=True)
        if current is None or current.revision != draft.revision or revision not in (None, current.revision):
            raise Stale("draft", revision, draft.revision, draft.revision)
        if seen is not None and current.live != seen:
            raise Stale("live version", seen, current.live, current.live)
        if current.archived_at is not None:
            raise Refused("flow_archived")
        live = flows.live(tx, slug)
        if live is not None and live.sha256 == flow.sha256:
            raise Refused("nothing_changed", number=live.number)
        if lacking := without_place(tx, flow, current.live, plan):
            raise Refused("people_without_place", states=lacking)
        made = Request(
            slug=slug,
            source=source,
            revision=current.revision,
            sha256=flow.sha256,
            live=current.live,
            note=note,
            who=author.who,
            address=author.address,
            plan=listed(plan),
            publish_at=at,
            created_at=now,
        )
        request_id = publication_requests.add(tx, made)
        facts = {"request": request_id, "sha256": flow.sha256, "note": note, "back_to": source, "at": at}
        audit.note(tx, now, author, "flow.publish_asked", subject=slug, facts=facts)
        return request_id

    return await runtime.store.write(slug, unit)


async def standing(runtime: Runtime, slug: str) -> Request | None:
    """What waits for a second person."""
    return await runtime.store.read(lambda tx: publication_requests.standing(tx, slug))


async def request(runtime: Runtime, slug: str, request_id: int) -> Request:
    """One of a flow. Raises NotFound."""
    found = await runtime.store.read(lambda tx: publication_requests.get(tx, request_id))
    if found is None or found.slug != slug:
        raise NotFound("request", request_id)
    return found


async def approve(runtime: Runtime, slug: str, request_id: int, actor: Actor) -> int | None:
    """Publish what was asked for; the version's number, or None when its hour is still to come.

    Raises NotFound, Stale when draft or live version changed since, NotPublishable, and Refused: request_settled,
    own_request, author_may_not, and what publishing refuses.
    """
    found = await request(runtime, slug, request_id)
    if found.status != publication_requests.WAITING:
        raise Refused("request_settled")
    if found.who == actor.who:
        raise Refused("own_request")
    author, plan, approval = Actor(found.who, found.address), plan_of(found.plan), Approval(request_id, actor)
    await runtime.store.read(lambda tx: _may_still(tx, found.who))
    if found.publish_at is not None:
        await _same_live(runtime, found)
        await schedule.schedule(
            runtime, slug, found.publish_at, found.note, author, found.revision, plan, approval=approval
        )
        return None
    if found.source is not None:
        return await publish.roll_back(
            runtime, slug, found.source, found.note, author, seen=found.live, plan=plan, approval=approval
        )
    await _same_live(runtime, found)
    return await publish.publish(
        runtime, slug, found.note, author, found.revision, seen=found.live, plan=plan, approval=approval
    )


async def turn_down(runtime: Runtime, slug: str, request_id: int, actor: Actor, reason: str) -> None:
    """A second person says no. Raises NotFound, Refused: request_settled, own_request, note_too_long."""
    found = await request(runtime, slug, request_id)
    if found.who == actor.who:
        raise Refused("own_request")
    if len(reason) > NOTE_LONGEST:
        raise Refused("note_too_long", longest=NOTE_LONGEST)
    await _ended(runtime, found, publication_requests.REFUSED, actor, "flow.publish_refused", reason)


async def withdraw(runtime: Runtime, slug: str, request_id: int, actor: Actor) -> None:
    """Nobody needs to look any more. Raises NotFound, Refused("request_settled")."""
    found = await request(runtime, slug, request_id)
    await _ended(runtime, found, publication_requests.WITHDRAWN, actor, "flow.publish_withdrawn")


async def _ended(runtime: Runtime, found: Request, status: str, actor: Actor, what: str, reason: str = "") -> None:
    def unit(tx: Tx) -> None:
        now = runtime.clock.now()
        if not publication_requests.end(tx, found.id, status, now, by=actor.who, reason=reason):
            raise Refused("request_settled")
        facts: dict[str, object] = {"request": found.id} | ({"reason": reason} if reason else {})
        audit.note(tx, now, actor, what, subject=found.slug, facts=facts)

    await runtime.store.write(found.slug, unit)


async def _same_live(runtime: Runtime, found: Request) -> None:
    """Publishing compares the live version only where one was seen; a first version has none."""
    live = await runtime.store.read(lambda tx: flows.live(tx, found.slug))
    now = None if live is None else live.number
    if now != found.live:
        raise Stale("live version", found.live, now, now)


def _may_still(tx: Tx, who: str) -> None:
    """Whoever asked has to be somebody who may publish, when it is approved too."""
    account = accounts.by_email(tx, who)
    if account is None or account.disabled_at is not None or not may(account.role, Permission.PUBLISH):
        raise Refused("author_may_not", who=who)
