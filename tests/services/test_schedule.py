"""A publication at a set time: what was reviewed, once, or not at all and said why."""

import asyncio
import json

import pytest
import pytest_asyncio

from engine.core.document import read
from engine.core.errors import NotPublishable, Refused, Stale
from engine.core.flow import HOUR
from engine.core.permissions import Actor, Role
from engine.core.places import Plan
from engine.services import accounts, edit, publish, saved_tests, schedule, sweep
from engine.services.simulator import runs
from engine.services.simulator.steps import Step
from engine.store import audit
from tests.runtimes import a_runtime
from tests.services.small_flow import TREE, without_talk
from tests.services.standing import row, stand
from tests.services.work import settle
from web.publish_words import unkept

MARINA = Actor("marina@example.com", "10.0.0.1")
TO_NEW = Plan(places={(1, "CONVERSA"): "NOVO"})


@pytest_asyncio.fixture
async def slug(runtime):
    await accounts.invite(runtime, MARINA.who, Role.PUBLISHER, MARINA)
    await publish.publish_tree(runtime, TREE, "primeira", MARINA)
    await deadline(runtime, "4h")
    return "pequeno"


async def deadline(runtime, value):
    change = {"op": "set_state", "id": "NOVO", "field": "deadline", "value": value}
    return (await edit.edit(runtime, "pequeno", change, actor=MARINA)).revision


async def booked(runtime, slug, plan=TO_NEW, wait=HOUR):
    revision = (await edit.opened(runtime, slug)).revision
    await schedule.schedule(runtime, slug, runtime.clock.now() + wait, "mais tarde", MARINA, revision, plan)


async def numbers(runtime, slug):
    return [one.number for one in await publish.publications(runtime, slug)]


async def reason(runtime):
    return [(one.reason, dict(one.facts)) for one in await schedule.refused(runtime)]


async def test_it_is_published_at_its_hour_and_not_before(runtime, slug):
    one = await stand(runtime, "NOVO")
    await booked(runtime, slug)
    runtime.clock.advance(HOUR - 1)
    await settle(runtime)
    assert await numbers(runtime, slug) == [1]

    runtime.clock.advance(1)
    await settle(runtime)

    newest = (await publish.publications(runtime, slug))[0]
    assert (newest.number, newest.note, newest.author) == (2, "mais tarde", MARINA.who)
    assert (await row(runtime, one))["flow_version"] == 2
    assert await schedule.standing(runtime, slug) is None
    ended = "SELECT status FROM scheduled_publication"
    assert await runtime.store.read(lambda tx: tx.value(ended)) == "done"


async def test_another_document_under_the_reviewed_revision_is_not_published(runtime, slug):
    await booked(runtime, slug)
    text = json.dumps(TREE | {"title": "Outro"})
    await runtime.store.write("k", lambda tx: tx.run("UPDATE flow SET draft = :t", t=text))
    runtime.clock.advance(HOUR)
    await settle(runtime)

    assert await reason(runtime) == [("draft_changed", {})]


async def test_people_go_where_the_plan_said(runtime, slug):
    one = await stand(runtime, "CONVERSA")
    text = json.dumps(without_talk())
    await runtime.store.write("k", lambda tx: tx.run("UPDATE flow SET draft = :t, revision = 9", t=text))
    await booked(runtime, slug)
    runtime.clock.advance(HOUR)
    await schedule.run(runtime, (await sweep.tick(runtime)).publish[0])

    assert (await row(runtime, one))["state"] == "NOVO"


@pytest.mark.parametrize("value", ["5h", "1d"])
async def test_a_draft_that_changed_meanwhile_is_not_published(runtime, slug, value):
    await booked(runtime, slug)
    await deadline(runtime, value)
    runtime.clock.advance(HOUR)
    await settle(runtime)

    assert await numbers(runtime, slug) == [1]
    assert await reason(runtime) == [("draft_changed", {})]
    assert (await runtime.store.read(audit.listed))[0].what == "flow.schedule_refused"


async def test_it_is_not_published_over_another_version_than_the_reviewed_one(runtime, slug):
    await booked(runtime, slug)
    await runtime.store.write("k", lambda tx: tx.run("UPDATE scheduled_publication SET live = 7"))
    runtime.clock.advance(HOUR)
    await settle(runtime)

    assert await reason(runtime) == [("live_changed", {"number": 1})]


async def test_people_who_came_into_a_state_without_an_answer_keep_it_from_being_published(runtime, slug):
    text = json.dumps(without_talk())
    await runtime.store.write("k", lambda tx: tx.run("UPDATE flow SET draft = :t, revision = 9", t=text))
    await booked(runtime, slug, plan=Plan(places={}))
    one = await stand(runtime, "CONVERSA")
    runtime.clock.advance(HOUR)
    await settle(runtime)

    assert await reason(runtime) == [("people_without_place", {"states": ["CONVERSA"]})]
    assert await numbers(runtime, slug) == [1]
    assert (await row(runtime, one))["flow_version"] == 1


@pytest.mark.parametrize("deed", ["role", "disable"])
async def test_its_author_must_still_be_allowed_to_publish(runtime, slug, deed):
    await booked(runtime, slug)
    change = "role = 'marketer'" if deed == "role" else "disabled_at = 1"
    await runtime.store.write("k", lambda tx: tx.run(f"UPDATE account SET {change}"))
    runtime.clock.advance(HOUR)
    await settle(runtime)

    assert await reason(runtime) == [("author_may_not", {"who": MARINA.who})]


async def test_checks_that_are_against_it_by_then_keep_it_from_being_published(runtime, slug):
    await booked(runtime, slug)
    broken = json.dumps(TREE | {"states": {**TREE["states"], "NOVO": {}}})
    await runtime.store.write("k", lambda tx: tx.run("UPDATE flow SET draft = :t", t=broken))
    digest = read(json.loads(broken)).sha256
    await runtime.store.write("k", lambda tx: tx.run("UPDATE scheduled_publication SET sha256 = :s", s=digest))
    runtime.clock.advance(HOUR)
    await settle(runtime)

    ((code, facts),) = await reason(runtime)
    assert code == "checks"
    assert facts["codes"]
    assert await numbers(runtime, slug) == [1]


async def test_two_workers_publish_it_once(database_url, runtime, slug):
    await booked(runtime, slug)
    runtime.clock.advance(HOUR)
    other = a_runtime(database_url, clock=runtime.clock)
    work = (await sweep.tick(runtime)).publish
    assert (await sweep.tick(other)).publish == [], "leased"

    await asyncio.gather(*(schedule.run(each, work[0]) for each in (runtime, other, runtime, other)))

    assert await numbers(runtime, slug) == [2, 1]
    assert await reason(runtime) == []
    await other.close()


async def test_a_worker_that_died_leaves_it_to_the_next_one(database_url, runtime, slug):
    await booked(runtime, slug)
    runtime.clock.advance(HOUR)
    assert (await sweep.tick(runtime)).publish
    fresh = a_runtime(database_url, clock=runtime.clock)
    runtime.clock.advance(sweep.PUBLISH_LEASE)
    await settle(fresh)

    assert await numbers(fresh, slug) == [2, 1]
    await fresh.close()


async def test_it_can_be_cancelled_and_a_new_one_takes_the_place_of_the_old(runtime, slug):
    await booked(runtime, slug)
    await booked(runtime, slug, wait=2 * HOUR)
    runtime.clock.advance(HOUR)
    await settle(runtime)
    assert await numbers(runtime, slug) == [1]

    await schedule.cancel(runtime, slug, MARINA)
    runtime.clock.advance(HOUR)
    await settle(runtime)

    assert await numbers(runtime, slug) == [1]
    assert await schedule.standing(runtime, slug) is None


async def test_publishing_by_hand_ends_the_appointment(runtime, slug):
    await booked(runtime, slug)
    await publish.publish(runtime, slug, "já", MARINA)
    runtime.clock.advance(HOUR)
    await settle(runtime)

    assert await numbers(runtime, slug) == [2, 1]
    assert await reason(runtime) == []


async def test_what_cannot_be_published_cannot_be_scheduled(runtime, slug):
    now, revision = runtime.clock.now(), (await edit.opened(runtime, slug)).revision
    with pytest.raises(Refused) as refused:
        await schedule.schedule(runtime, slug, now, "x", MARINA, revision, TO_NEW)
    assert refused.value.code == "not_a_moment"
    with pytest.raises(Stale):
        await schedule.schedule(runtime, slug, now + 1, "x", MARINA, revision - 1, TO_NEW)
    revision = await deadline(runtime, None)
    with pytest.raises(NotPublishable):
        await schedule.schedule(runtime, slug, now + 1, "x", MARINA, revision, TO_NEW)


async def kept_test(runtime, name="oi"):
    """A saved test of the draft as it is now."""
    run = await runs.opened(runtime, "pequeno", await runs.start(runtime, "pequeno", MARINA), MARINA)
    run = await runs.act(runtime, run, Step(kind="message", text="oi"))
    return await saved_tests.add(runtime, run, await runs.played(run), name, MARINA)


async def altered(runtime, test_id):
    """The test expects another text from now on."""
    [row] = await saved_tests.listed(runtime, "pequeno")
    text = json.dumps(json.loads(row.document.replace("Oi!", "Olá!")))
    assert row.id == test_id
    assert text != row.document
    await runtime.store.write("k", lambda tx: tx.run("UPDATE saved_test SET document = :t", t=text))


async def test_a_saved_test_that_differs_at_its_hour_keeps_it_from_being_published(runtime, slug):
    kept = await kept_test(runtime)
    await booked(runtime, slug)
    await altered(runtime, kept)
    runtime.clock.advance(HOUR)
    await settle(runtime)

    assert await reason(runtime) == [("tests_differ", {"tests": ["oi"]})]
    assert await numbers(runtime, slug) == [1]
    assert "oi" in unkept((await schedule.refused(runtime))[0])


async def test_a_saved_test_that_its_author_let_differ_does_not_stand_against_it(runtime, slug):
    await altered(runtime, await kept_test(runtime))
    await booked(runtime, slug)
    runtime.clock.advance(HOUR)
    await settle(runtime)

    assert await numbers(runtime, slug) == [2, 1]
