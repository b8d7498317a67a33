"""Who waits in a state whose deadline changed keeps theirs, or gets the new one from the publication on (R61)."""

import pytest
import pytest_asyncio

from engine.core.errors import Refused
from engine.core.flow import DAY, HOUR
from engine.core.permissions import Actor
from engine.core.places import Plan, listed, plan_of
from engine.services import doctor, publish
from tests.services.small_flow import TREE, small
from tests.services.standing import last_log, row, stand

MARINA = Actor("marina@example.com")
ANEW = Plan(anew=frozenset({"NOVO"}))


def with_deadline(deadline):
    tree = small()
    tree["states"]["NOVO"] = {key: value for key, value in tree["states"]["NOVO"].items() if key != "deadline"}
    if deadline is not None:
        tree["states"]["NOVO"]["deadline"] = deadline
    return tree


@pytest_asyncio.fixture
async def slug(runtime):
    await publish.publish_tree(runtime, TREE, "primeira", MARINA)
    return "pequeno"


async def deadline(runtime, one):
    found = await row(runtime, one)
    return found["deadline_at"], found["rung"]


async def test_without_the_choice_everybody_keeps_the_deadline_that_runs(runtime, slug):
    one = await stand(runtime, "NOVO", wait=3 * HOUR)
    before = await row(runtime, one)

    await publish.publish_tree(runtime, with_deadline("4h"), "", MARINA)

    after = await row(runtime, one)
    assert (after["flow_version"], after["deadline_at"], after["log_n"]) == (2, before["deadline_at"], before["log_n"])


async def test_with_it_the_new_one_counts_from_the_publication_and_a_row_in_the_chain_says_so(runtime, slug):
    one = await stand(runtime, "NOVO", wait=3 * HOUR)
    other = await stand(runtime, "CONVERSA", previous="NOVO")
    kept = await row(runtime, other)
    runtime.clock.advance(HOUR)

    await publish.publish_tree(runtime, with_deadline("4h"), "", MARINA, plan=ANEW)

    now, after, entry = runtime.clock.now(), await row(runtime, one), await last_log(runtime, one)
    assert (after["deadline_at"], after["armed_at"]) == (now + 4 * HOUR, now)
    assert after["entered_at"] == now - HOUR, "nobody went anywhere"
    assert (entry["reason"], after["log_hash"]) == ("deadline_anew", entry["hash"])
    assert (await row(runtime, other))["deadline_at"] == kept["deadline_at"], "of another state"
    assert await runtime.store.read(lambda tx: tx.value("SELECT count(*) FROM outbox")) == 0
    assert not [v.invariant for v in await doctor.examine(runtime.store, now - DAY) if v.broken]


async def test_a_ladder_that_became_shorter_goes_on_at_its_last_step(runtime, slug):
    await publish.publish_tree(runtime, with_deadline(["1h", "2h", "3h"]), "", MARINA)
    one = await stand(runtime, "NOVO", version=2)
    await runtime.store.write("k", lambda tx: tx.run("UPDATE conversation SET rung = 2 WHERE id = :i", i=one))

    await publish.publish_tree(runtime, with_deadline(["5h", "6h"]), "", MARINA, plan=ANEW)

    assert await deadline(runtime, one) == (runtime.clock.now() + 6 * HOUR, 1)


async def test_who_waits_for_nothing_goes_on_so_unless_there_was_no_deadline_at_all(runtime, slug):
    over = await stand(runtime, "NOVO")
    await runtime.store.write(
        "k", lambda tx: tx.run("UPDATE conversation SET deadline_at = NULL WHERE id = :i", i=over)
    )

    await publish.publish_tree(runtime, with_deadline("4h"), "", MARINA, plan=ANEW)

    assert (await deadline(runtime, over))[0] is None


async def test_a_state_that_the_new_version_lacks_is_refused_and_nothing_is_stored(runtime, slug):
    with pytest.raises(Refused, match="place_unknown"):
        await publish.publish_tree(runtime, with_deadline("4h"), "", MARINA, plan=Plan(anew=frozenset({"LUA"})))

    assert len(await publish.publications(runtime, slug)) == 1


def test_a_plan_is_kept_with_it_and_one_of_before_reads_as_none():
    assert plan_of(listed(ANEW)) == ANEW
    assert plan_of({"follow": True, "places": None}) == Plan()
