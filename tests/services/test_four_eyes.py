"""Publishing that two people decide: nobody alone, exactly what was asked for, and both names in the log (SEC-S12)."""

import asyncio

import pytest

from engine.core.errors import NotFound, Refused, Stale
from engine.core.flow import HOUR
from engine.core.permissions import Actor
from engine.core.places import Plan
from engine.services import accounts, edit, four_eyes, publish, safeguards, schedule
from engine.services.safeguards import Safeguards
from engine.store import audit
from tests.services.small_flow import small
from tests.services.standing import row, stand

ANA, BIA, OTHER = Actor("ana@x.test", "10.0.0.1"), Actor("bia@x.test", "10.0.0.2"), Actor("teste")
GOOD = "trem azul na serra"
PLAN = Plan()


async def refusal(awaited):
    with pytest.raises(Refused) as caught:
        await awaited
    return caught.value.code


async def ready(runtime):
    """A flow live as v1, its draft changed, two people who may publish, and the rule that both are needed."""
    for who in (ANA, BIA):
        await accounts.use_link(runtime, await accounts.invite(runtime, who.who, "publisher", OTHER), GOOD)
    await publish.publish_tree(runtime, small(), "primeira", OTHER)
    await changed(runtime, "Pequeno, mudado")
    await safeguards.change(runtime, OTHER, Safeguards(four_eyes=True))


async def changed(runtime, title):
    opened = await edit.opened(runtime, "pequeno")
    tree = {**opened.tree, "title": {"pt-BR": title, "en": title}}
    await edit.edit(runtime, "pequeno", {"op": "replace", "document": tree}, actor=ANA, revision=opened.revision)


async def asked(runtime, **more):
    opened = await edit.opened(runtime, "pequeno")
    return await four_eyes.ask(
        runtime, "pequeno", "mudei", ANA, **{"revision": opened.revision, "seen": 1, "plan": PLAN, **more}
    )


async def live(runtime):
    return await runtime.store.read(lambda tx: tx.value("SELECT live FROM flow WHERE slug = 'pequeno'"))


async def test_nobody_publishes_alone_by_any_way(runtime):
    await ready(runtime)
    opened = await edit.opened(runtime, "pequeno")
    soon = runtime.clock.now() + HOUR

    assert await refusal(publish.publish(runtime, "pequeno", "x", ANA)) == "second_person_needed"
    assert await refusal(publish.publish_tree(runtime, small(title="Outro"), "x", ANA)) == "second_person_needed"
    assert (
        await refusal(schedule.schedule(runtime, "pequeno", soon, "x", ANA, opened.revision, PLAN))
        == "second_person_needed"
    )
    assert await live(runtime) == 1


async def test_one_asks_another_approves_and_both_are_in_the_log(runtime):
    await ready(runtime)
    number = await asked(runtime)
    assert await live(runtime) == 1

    assert await refusal(four_eyes.approve(runtime, "pequeno", number, ANA)) == "own_request"
    assert await four_eyes.approve(runtime, "pequeno", number, BIA) == 2

    assert await live(runtime) == 2
    entries = [
        (e.what, e.who) for e in reversed(await runtime.store.read(audit.listed)) if e.what.startswith("flow.publish")
    ]
    assert entries[-3:] == [
        ("flow.publish_asked", "ana@x.test"), ("flow.publish_approved", "bia@x.test"), ("flow.published", "ana@x.test"),
    ]  # fmt: skip
    assert await refusal(four_eyes.approve(runtime, "pequeno", number, BIA)) == "request_settled"
    assert await four_eyes.standing(runtime, "pequeno") is None


async def test_what_was_chosen_for_deadlines_is_kept_until_it_is_approved(runtime):
    await ready(runtime)
    one = await stand(runtime, "CONVERSA")
    change = {"op": "set_state", "id": "CONVERSA", "field": "deadline", "value": "4h"}
    await edit.edit(runtime, "pequeno", change, actor=ANA)
    number = await asked(runtime, plan=Plan(anew=frozenset({"CONVERSA"})))
    runtime.clock.advance(HOUR)

    await four_eyes.approve(runtime, "pequeno", number, BIA)

    assert (await row(runtime, one))["deadline_at"] == runtime.clock.now() + 4 * HOUR


async def test_two_who_approve_at_once_publish_once(runtime):
    await ready(runtime)
    number = await asked(runtime)

    answers = await asyncio.gather(
        *(four_eyes.approve(runtime, "pequeno", number, BIA) for _ in range(3)), return_exceptions=True
    )

    assert answers.count(2) == 1
    assert await live(runtime) == 2


async def test_what_changed_after_the_request_is_not_published(runtime):
    await ready(runtime)
    number = await asked(runtime)
    await changed(runtime, "Mudado depois")

    with pytest.raises(Stale):
        await four_eyes.approve(runtime, "pequeno", number, BIA)
    assert await live(runtime) == 1
    again = await asked(runtime)
    assert await refusal(four_eyes.approve(runtime, "pequeno", number, BIA)) == "request_settled"
    assert await four_eyes.approve(runtime, "pequeno", again, BIA) == 2


async def test_whoever_asked_has_to_be_somebody_who_may_publish_still(runtime):
    await ready(runtime)
    number = await asked(runtime)
    ana = await accounts.by_address(runtime, ANA.who)
    await accounts.change_role(runtime, ana.id, "marketer", OTHER)

    assert await refusal(four_eyes.approve(runtime, "pequeno", number, BIA)) == "author_may_not"
    assert await live(runtime) == 1


async def test_a_request_is_refused_or_taken_back_and_can_be_made_again(runtime):
    await ready(runtime)
    number = await asked(runtime)
    assert await refusal(four_eyes.turn_down(runtime, "pequeno", number, ANA, "")) == "own_request"
    await four_eyes.turn_down(runtime, "pequeno", number, BIA, "falta o teste")
    assert await refusal(four_eyes.withdraw(runtime, "pequeno", number, ANA)) == "request_settled"
    again = await asked(runtime)
    await four_eyes.withdraw(runtime, "pequeno", again, ANA)
    assert await refusal(four_eyes.approve(runtime, "pequeno", again, BIA)) == "request_settled"
    with pytest.raises(NotFound):
        await four_eyes.approve(runtime, "outro", again, BIA)
    refused = [e.facts for e in await runtime.store.read(audit.listed) if e.what == "flow.publish_refused"]
    assert "falta o teste" in refused[0]


async def test_a_version_comes_back_only_with_a_second_person(runtime):
    await ready(runtime)
    await four_eyes.approve(runtime, "pequeno", await asked(runtime), BIA)
    number = await asked(runtime, seen=2, source=1)

    assert await live(runtime) == 2
    assert await four_eyes.approve(runtime, "pequeno", number, BIA) == 3


async def test_an_hour_is_kept_only_if_it_was_approved(runtime):
    await ready(runtime)
    number = await asked(runtime, at=runtime.clock.now() + HOUR)
    assert await schedule.standing(runtime, "pequeno") is None
    assert await four_eyes.approve(runtime, "pequeno", number, BIA) is None
    booked = await schedule.standing(runtime, "pequeno")
    assert (booked.who, booked.second) == ("ana@x.test", "bia@x.test")
    runtime.clock.advance(HOUR)
    await schedule.run(runtime, [booked.id])
    assert await live(runtime) == 2


async def test_an_hour_that_one_set_before_two_had_to_decide_is_not_kept(runtime):
    await ready(runtime)
    await safeguards.change(runtime, OTHER, Safeguards())
    opened = await edit.opened(runtime, "pequeno")
    await schedule.schedule(runtime, "pequeno", runtime.clock.now() + HOUR, "x", ANA, opened.revision, PLAN)
    booked = await schedule.standing(runtime, "pequeno")
    await safeguards.change(runtime, OTHER, Safeguards(four_eyes=True))
    runtime.clock.advance(HOUR)
    await schedule.run(runtime, [booked.id])

    assert await live(runtime) == 1
    assert (await schedule.standing(runtime, "pequeno")).reason == "second_person_needed"


async def test_what_could_not_be_published_cannot_be_asked_for(runtime):
    await ready(runtime)
    assert await refusal(asked(runtime, at=runtime.clock.now())) == "not_a_moment"
    assert (
        await refusal(four_eyes.ask(runtime, "pequeno", "x" * 501, ANA, revision=None, seen=1, plan=PLAN))
        == "note_too_long"
    )
    assert await refusal(asked(runtime, source=1)) == "nothing_changed"
    with pytest.raises(Stale):
        await asked(runtime, seen=7)
    with pytest.raises(Stale):
        await asked(runtime, revision=1)
