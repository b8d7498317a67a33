"""Who stands in a state that goes away is put where the publisher says, in the publishing transaction (R61)."""

import json

import pytest
import pytest_asyncio

from engine.core.errors import Refused
from engine.core.flow import DAY
from engine.core.permissions import Actor
from engine.core.places import Plan
from engine.services import doctor, publish
from engine.store import audit
from tests.services.small_flow import TREE, small, without_talk
from tests.services.standing import last_log, row, stand

MARINA = Actor("marina@example.com", "10.0.0.1")
TO_NEW = Plan(places={(1, "CONVERSA"): "NOVO"})


@pytest_asyncio.fixture
async def slug(runtime):
    await publish.publish_tree(runtime, TREE, "primeira", MARINA)
    return "pequeno"


async def broken(runtime):
    """What the doctor finds."""
    return [verdict.invariant for verdict in await doctor.examine(runtime.store, runtime.clock.now()) if verdict.broken]


async def counted(runtime, table):
    return await runtime.store.read(lambda tx: tx.value(f"SELECT count(*) FROM {table}"))


async def test_people_of_a_state_that_goes_away_stand_in_the_chosen_one_with_a_row_in_their_chain(runtime, slug):
    one = await stand(runtime, "CONVERSA", previous="NOVO")
    before = await row(runtime, one)
    runtime.clock.advance(100)

    await publish.publish_tree(runtime, without_talk(), "", MARINA, plan=TO_NEW)

    after, entry = await row(runtime, one), await last_log(runtime, one)
    assert (after["flow_version"], after["state"], after["previous"]) == (2, "NOVO", "NOVO")
    assert after["version"] == before["version"] + 1
    assert (entry["reason"], entry["frm"], entry["to"]) == ("moved_by_publication", "CONVERSA", "NOVO")
    assert json.loads(entry["facts"])["by"] == MARINA.who
    assert after["log_hash"] == entry["hash"]


async def test_the_deadline_is_the_new_states_counted_from_now_so_that_none_fires_at_once(runtime, slug):
    one = await stand(runtime, "CONVERSA")
    runtime.clock.advance(3 * DAY)
    now = runtime.clock.now()

    await publish.publish_tree(runtime, without_talk(), "", MARINA, plan=TO_NEW)

    after = await row(runtime, one)
    assert (after["deadline_at"], after["rung"], after["entered_at"], after["armed_at"]) == (now + DAY, 0, now, now)


def slower(deadline="4d", **more):
    """The flow with another deadline of CONVERSA."""
    tree = small()
    tree["states"]["CONVERSA"] = {**tree["states"]["CONVERSA"], "deadline": deadline, **more}
    return tree


async def test_who_waits_in_a_state_whose_deadline_changed_keeps_theirs_unless_it_is_counted_anew(runtime, slug):
    one, other = await stand(runtime, "CONVERSA"), await stand(runtime, "NOVO")
    before, elsewhere = await row(runtime, one), await row(runtime, other)
    runtime.clock.advance(100)
    await publish.publish_tree(runtime, slower(), "", MARINA)
    kept = await row(runtime, one)
    assert (kept["deadline_at"], kept["armed_at"]) == (before["deadline_at"], before["armed_at"])
    now = runtime.clock.now()

    await publish.publish_tree(runtime, slower("5d"), "", MARINA, plan=Plan(anew=frozenset({"CONVERSA"})))

    after, entry = await row(runtime, one), await last_log(runtime, one)
    assert (after["flow_version"], after["state"], after["deadline_at"]) == (3, "CONVERSA", now + 5 * DAY)
    assert (after["armed_at"], after["entered_at"], after["rung"]) == (now, before["entered_at"], 1)
    assert (entry["reason"], entry["frm"], entry["to"]) == ("deadline_anew", "CONVERSA", "CONVERSA")
    assert json.loads(entry["facts"])["by"] == MARINA.who
    assert (await row(runtime, other))["deadline_at"] == elsewhere["deadline_at"]
    assert await counted(runtime, "outbox") == 0
    assert await broken(runtime) == []


async def test_a_deadline_is_taken_away_or_given_where_there_was_none_and_one_that_is_over_stays_over(runtime, slug):
    one = await stand(runtime, "CONVERSA")
    anew = Plan(anew=frozenset({"CONVERSA"}))
    tree = slower(resting=True)
    tree["transitions"] = [arrow for arrow in tree["transitions"] if arrow["id"] != "t4"]
    del tree["states"]["CONVERSA"]["deadline"]
    await publish.publish_tree(runtime, tree, "", MARINA, plan=anew)
    assert (await row(runtime, one))["deadline_at"] is None
    runtime.clock.advance(1_000)

    await publish.publish_tree(runtime, slower(), "", MARINA, plan=anew)
    assert (await row(runtime, one))["deadline_at"] == runtime.clock.now() + 4 * DAY
    await runtime.store.write("k", lambda tx: tx.run("UPDATE conversation SET deadline_at = NULL"))
    await publish.publish_tree(runtime, slower("5d"), "", MARINA, plan=anew)

    assert (await row(runtime, one))["deadline_at"] is None, "its silence was over: nobody is nudged once more"


async def test_a_roll_back_counts_anew_what_the_publication_had_counted_and_only_while_it_still_waits(runtime, slug):
    one, other = await stand(runtime, "CONVERSA"), await stand(runtime, "CONVERSA")
    await publish.publish_tree(runtime, slower(), "", MARINA, plan=Plan(anew=frozenset({"CONVERSA"})))
    runtime.clock.advance(1_000)
    since = runtime.clock.now() + 7
    sql = "UPDATE conversation SET deadline_at = :d, armed_at = :n WHERE id = :id"
    await runtime.store.write("k", lambda tx: tx.run(sql, d=since, n=since - 7, id=other))

    await publish.roll_back(runtime, slug, 1, "volta", MARINA)

    assert (await row(runtime, one))["deadline_at"] == runtime.clock.now() + 2 * DAY
    assert (await last_log(runtime, one))["reason"] == "deadline_anew"
    assert (await row(runtime, other))["deadline_at"] == since, "it armed another one since"


async def test_who_would_return_to_another_state_from_now_on_is_counted_anew_like_the_others(runtime, slug):
    one = await stand(runtime, "NOVO", previous="CONVERSA")
    tree = without_talk()
    tree["states"]["NOVO"]["deadline"] = "3d"

    plan = Plan(places={(1, "CONVERSA"): "FIM"}, anew=frozenset({"NOVO"}))
    await publish.publish_tree(runtime, tree, "", MARINA, plan=plan)

    after = await row(runtime, one)
    assert (after["state"], after["previous"]) == ("NOVO", "FIM")
    assert after["deadline_at"] == runtime.clock.now() + 3 * DAY


async def test_who_is_put_into_an_end_has_no_deadline(runtime, slug):
    one = await stand(runtime, "CONVERSA")

    await publish.publish_tree(runtime, without_talk(), "", MARINA, plan=Plan(places={(1, "CONVERSA"): "FIM"}))

    assert (await row(runtime, one))["deadline_at"] is None


async def test_who_would_return_to_a_state_that_goes_away_returns_to_the_chosen_one(runtime, slug):
    one = await stand(runtime, "FIM", previous="CONVERSA")
    before = await row(runtime, one)
    runtime.clock.advance(100)

    await publish.publish_tree(runtime, without_talk(), "", MARINA, plan=TO_NEW)

    after = await row(runtime, one)
    assert (after["flow_version"], after["state"], after["previous"]) == (2, "FIM", "NOVO")
    same = ("deadline_at", "rung", "entered_at", "armed_at")
    assert [after[name] for name in same] == [before[name] for name in same], "who did not move keeps the clock"


async def test_a_plan_without_an_answer_for_somebody_of_the_live_version_publishes_nothing(runtime, slug):
    await stand(runtime, "CONVERSA")
    await stand(runtime, "FIM", previous="CONVERSA")

    with pytest.raises(Refused) as refused:
        await publish.publish_tree(runtime, without_talk(), "", MARINA, plan=Plan(places={}))

    assert (refused.value.code, refused.value.facts["states"]) == ("people_without_place", ["CONVERSA"])
    assert len(await publish.publications(runtime, slug)) == 1


async def test_who_shall_finish_on_the_old_version_does_and_the_others_go(runtime, slug):
    stays, free = await stand(runtime, "CONVERSA"), await stand(runtime, "NOVO")

    await publish.publish_tree(runtime, without_talk(), "", MARINA, plan=Plan(places={(1, "CONVERSA"): None}))

    assert [(await row(runtime, one))["flow_version"] for one in (stays, free)] == [1, 2]


async def test_people_of_an_older_version_go_where_the_plan_says_and_else_stay(runtime, slug):
    old, fits = await stand(runtime, "CONVERSA"), await stand(runtime, "NOVO")
    await publish.publish_tree(runtime, small(title="Outro"), "", MARINA, plan=Plan(follow=False))

    await publish.publish_tree(runtime, without_talk(), "", MARINA, plan=TO_NEW)

    assert [(await row(runtime, one))["flow_version"] for one in (old, fits)] == [3, 1]


async def test_nobody_is_put_into_a_state_that_is_not_there_or_that_would_opt_them_out(runtime, slug):
    """R75: a publication asks nobody's opt-out."""
    tree = without_talk()
    tree["states"]["SAIU"] = {"kind": "optout"}
    tree["events"]["parar"] = {"source": "message", "falls_back_to": "msg_recebida"}
    tree["globals"] = [{"id": "g1", "on": "parar", "to": "SAIU", "except": ["SAIU"]}]
    tree["understanding"] = [{"event": "parar", "any": ["parar"]}]
    await stand(runtime, "CONVERSA")
    for name in ("SAIU", "NADA"):
        with pytest.raises(Refused) as refused:
            await publish.publish_tree(runtime, tree, "", MARINA, plan=Plan(places={(1, "CONVERSA"): name}))
        assert refused.value.code == "place_unknown"


async def test_moving_sends_nothing_and_leaves_what_waits_to_be_sent(runtime, slug):
    one = await stand(runtime, "CONVERSA")
    await runtime.store.write(
        "k", lambda tx: tx.run("UPDATE conversation SET due_at = 77, lease_until = 88 WHERE id = :id", id=one)
    )

    await publish.publish_tree(runtime, without_talk(), "", MARINA, plan=TO_NEW)

    after = await row(runtime, one)
    assert (after["due_at"], after["lease_until"]) == (77, 88)
    assert [await counted(runtime, table) for table in ("outbox", "event", "hold")] == [0, 0, 0]


async def test_fields_are_adapted_and_the_chain_holds(runtime, slug):
    """R46: what the log adds up to is what the conversation has."""
    moved, follows = await stand(runtime, "CONVERSA"), await stand(runtime, "NOVO")
    tree = without_talk() | {"context": {"plano": {"type": "text", "default": "a"}}}

    await publish.publish_tree(runtime, tree, "", MARINA, plan=TO_NEW)

    for one in (moved, follows):
        found, entry = await row(runtime, one), await last_log(runtime, one)
        assert json.loads(found["context"]) == {"plano": "a"}
        assert json.loads(entry["facts"])["after"]["context"] == {"plano": "a"}
        assert entry["hash"] == found["log_hash"]


async def test_rolling_back_takes_people_back_to_the_state_they_came_from_with_their_values(runtime, slug):
    one = await stand(runtime, "CONVERSA", previous="NOVO")
    tree = without_talk() | {"context": {"plano": {"type": "text", "default": "a"}}}
    await publish.publish_tree(runtime, tree, "", MARINA, plan=TO_NEW)
    runtime.clock.advance(5 * DAY)

    assert await publish.roll_back(runtime, slug, 1, "volta", MARINA, seen=2) == 3

    after, entry = await row(runtime, one), await last_log(runtime, one)
    assert (after["flow_version"], after["state"], after["previous"]) == (3, "CONVERSA", "NOVO")
    assert json.loads(after["context"]) == {"toques": 2}
    assert after["deadline_at"] == runtime.clock.now() + 2 * DAY, "armed anew: none fires because of the time between"
    assert entry["reason"] == "taken_back"
    listed = await publish.publications(runtime, slug)
    assert listed[0].sha256 == listed[2].sha256
    facts = json.loads((await runtime.store.read(audit.listed))[0].facts)
    assert (facts["back_to"], facts["moved"]) == (1, 1)
    assert await counted(runtime, "outbox") == 0


async def test_who_moved_since_stays_where_they_went_or_goes_by_the_map(runtime, slug):
    went, fresh = await stand(runtime, "CONVERSA"), await stand(runtime, "NOVO")
    tree = without_talk()
    tree["states"]["LADO"] = {"deadline": "1d"}
    tree["transitions"] += [
        {"id": "t7", "from": "LADO", "on": "timeout", "to": "FIM"},
        {"id": "t8", "from": "LADO", "on": "msg_recebida", "to": "FIM"},
        {"id": "t9", "from": "FIM", "on": "msg_recebida", "to": "LADO"},
    ]
    del tree["ignore"]
    await publish.publish_tree(runtime, tree, "", MARINA, plan=TO_NEW)
    runtime.clock.advance(10)
    now = runtime.clock.now()
    for who, state in ((went, "FIM"), (fresh, "LADO")):
        await runtime.store.write(
            "k",
            lambda tx, who=who, state=state: tx.run(
                "UPDATE conversation SET state = :s, entered_at = :n WHERE id = :id", s=state, n=now, id=who
            ),
        )

    with pytest.raises(Refused) as refused:
        await publish.roll_back(runtime, slug, 1, "volta", MARINA, plan=Plan(places={}))
    assert refused.value.facts["states"] == ["LADO"]
    await publish.roll_back(runtime, slug, 1, "volta", MARINA, plan=Plan(places={(2, "LADO"): "NOVO"}))

    assert [(await row(runtime, who))["state"] for who in (went, fresh)] == ["FIM", "NOVO"]


async def test_rolling_back_twice_takes_people_forth_again(runtime, slug):
    one = await stand(runtime, "CONVERSA")
    await publish.publish_tree(runtime, without_talk(), "", MARINA, plan=TO_NEW)
    runtime.clock.advance(10)
    await publish.roll_back(runtime, slug, 1, "volta", MARINA)
    runtime.clock.advance(10)
    await publish.roll_back(runtime, slug, 2, "de novo", MARINA)

    assert [(await row(runtime, one))[name] for name in ("flow_version", "state")] == [4, "NOVO"]


async def test_a_review_counts_per_place_who_stands_and_who_would_return_and_proposes_a_renamed_state(runtime, slug):
    await stand(runtime, "CONVERSA")
    await stand(runtime, "CONVERSA", previous="CONVERSA")
    await stand(runtime, "FIM", previous="CONVERSA")
    text = json.dumps(TREE).replace('"CONVERSA"', '"PAPO"')
    await runtime.store.write("k", lambda tx: tx.run("UPDATE flow SET draft = :t", t=text))

    (gone,) = (await publish.review(runtime, slug)).gone

    assert (gone.place, gone.people, gone.returning, gone.needed, gone.proposal) == (
        (1, "CONVERSA"),
        2,
        1,
        True,
        "PAPO",
    )


async def test_the_review_of_a_roll_back_says_who_returns_by_themselves(runtime, slug):
    await stand(runtime, "CONVERSA")
    await publish.publish_tree(runtime, without_talk(), "", MARINA, plan=TO_NEW)

    found = await publish.review(runtime, slug, source=1)

    assert [(one.state, one.back, one.people) for one in found.returns] == [("NOVO", "CONVERSA", 1)]
    assert found.gone == ()
    assert (found.number, found.source, found.same_as) == (3, 1, 1)


async def test_what_was_moved_stands_up_to_the_doctor(runtime, slug):
    for state, previous in (("CONVERSA", "NOVO"), ("FIM", "CONVERSA"), ("NOVO", None)):
        await stand(runtime, state, previous=previous)
    await publish.publish_tree(runtime, without_talk(), "", MARINA, plan=TO_NEW)
    assert await broken(runtime) == []
    runtime.clock.advance(10)
    await publish.roll_back(runtime, slug, 1, "volta", MARINA)
    assert await broken(runtime) == []
