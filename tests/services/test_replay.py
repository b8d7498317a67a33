"""Recorded conversations decided again by another version: what would differ, and nothing for the same one (R62)."""

import asyncio
import copy

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.core.document import read
from engine.core.errors import NotFound
from engine.core.flow import DAY, HOUR
from engine.services import publish, replay_jobs
from engine.services.replay import WEEK, replayed
from engine.services.scenarios.reference import document
from tests.services.shop import ACTOR, ANA, BIA
from tests.services.small_flow import small

TREE = document("venda", {})
SAME = read(TREE)


async def talked(shop):
    """Two people: one comes to the checkout, pays and says thanks, the other is asked again by the clock."""
    await shop.talks(ANA, "oi", "quanto custa?", "quero comprar", "quanto custa?")
    await shop.talks(BIA, "oi", "quanto custa?", "blablabla")
    await shop.after(3 * HOUR)
    await shop.after(20 * HOUR)
    await shop.pays(ANA)
    await shop.works()
    await shop.talks(ANA, "obrigada")


def changed(change):
    made = copy.deepcopy(TREE)
    change(made)
    return read(made)


async def again(shop, flow, since=WEEK):
    return await replayed(shop.runtime, "venda", flow, shop.clock.now() - since)


async def test_the_same_version_gives_an_empty_list(shop):
    await talked(shop)
    found = await again(shop, SAME)
    assert (found.differing, found.differences, found.unclear) == (0, [], 0)
    decisions = await shop.rows("SELECT 1 FROM event WHERE outcome <> 'manual' AND conversation_id IS NOT NULL")
    assert (found.conversations, found.decisions) == (2, len(decisions))


async def test_an_arrow_that_leads_elsewhere_is_told_with_what_happened_and_what_would(shop):
    await talked(shop)

    def change(made):
        arrow = next(a for a in made["transitions"] if a["from"] == "ENGAJADO" and a["on"] == "pediu_preco")
        arrow |= {"to": "CHECKOUT_ENVIADO", "do": []}

    found = await again(shop, changed(change))

    assert [one.state for one in found.differences] == ["ENGAJADO"] * 2
    assert found.people == found.differing == 2
    one = found.differences[0]
    assert (one.was.to, one.now.to) == ("NEGOCIANDO", "CHECKOUT_ENVIADO")
    assert {"to", "actions"} <= set(one.what)


async def test_another_deadline_is_a_difference_of_each_decision_that_arms_it(shop):
    await talked(shop)
    found = await again(shop, changed(lambda made: made["states"]["NEGOCIANDO"].update(deadline="9h")))
    assert {one.what for one in found.differences} == {("wait",)}
    assert {one.was.to for one in found.differences} == {"NEGOCIANDO"}
    assert {one.now.wait for one in found.differences} == {9 * HOUR}


async def test_words_are_understood_as_the_other_version_does(shop):
    await talked(shop)

    def change(made):
        made["understanding"] = [rule for rule in made["understanding"] if rule["event"] != "pediu_preco"]

    found = await again(shop, changed(change))

    assert found.differing
    assert ("pediu_preco", "msg_recebida") in {(one.was.event, one.now.event) for one in found.differences}


async def test_a_state_that_the_other_version_lacks_is_told_as_such(shop):
    await talked(shop)
    found = await again(shop, read(small(slug="venda")))
    assert {one.now.outcome for one in found.differences if one.state == "NEGOCIANDO"} == {"gone"}


async def test_only_decisions_since_the_moment_count(shop):
    await talked(shop)
    await shop.after(8 * DAY)
    assert (await again(shop, SAME, since=HOUR)).decisions <= 2


async def test_a_decision_that_cannot_be_made_again_is_counted_and_not_listed(shop):
    await talked(shop)
    await shop.runtime.store.write("k", lambda tx: tx.run("UPDATE inbound SET text = 'quero parar' WHERE text = 'oi'"))

    found = await again(shop, SAME)

    assert (found.unclear, found.differing) == (2, 0)


async def test_it_changes_nothing_and_sends_nothing(shop):
    await talked(shop)
    before = [
        await shop.rows(f"SELECT * FROM {table} ORDER BY id") for table in ("outbox", "log", "conversation", "event")
    ]
    sent = len(shop.provider.calls)
    await again(shop, changed(lambda made: made["states"]["NEGOCIANDO"].update(deadline="9h")))
    after = [
        await shop.rows(f"SELECT * FROM {table} ORDER BY id") for table in ("outbox", "log", "conversation", "event")
    ]
    assert (after, len(shop.provider.calls)) == (before, sent)


SAID = st.sampled_from(["oi", "quanto custa?", "quero comprar", "não sei", "tá caro", "quero parar", "👍", "pix", "1"])


@settings(max_examples=3, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(talk=st.lists(st.tuples(SAID, st.sampled_from([10_000, 5 * HOUR])), min_size=1, max_size=4))
async def test_whatever_was_said_the_same_version_gives_an_empty_list(small_shop, talk):
    for words, wait in talk:
        await small_shop.writes(ANA, words)
        await small_shop.after(6_000)
        await small_shop.after(wait)

    found = await again(small_shop, SAME)

    assert found.decisions
    assert (found.differing, found.unclear) == (0, 0)


async def test_a_job_goes_on_in_the_background_and_keeps_what_it_found(shop):
    await talked(shop)
    runtime = shop.runtime
    job_id = await replay_jobs.begin(runtime, "venda", ACTOR)
    assert await replay_jobs.begin(runtime, "venda", ACTOR) == job_id, "one at a time for the same draft"
    await asyncio.gather(*(asyncio.all_tasks() - {asyncio.current_task()}))
    found, _ = await replay_jobs.job(runtime, "venda", job_id)
    assert (found.status, found.done, found.total) == ("done", 2, 2)
    assert found.result["decisions"] > 5
    with pytest.raises(NotFound):
        await replay_jobs.job(runtime, "outro", job_id)


async def test_a_job_whose_process_died_is_told_as_stopped_and_another_begins(shop):
    await shop.runtime.store.write(
        "k", lambda tx: replay_jobs.replays.begin(tx, "morto", "venda", "x", "ana", shop.clock.now())
    )
    shop.clock.advance(replay_jobs.SILENT + 1)
    assert (await replay_jobs.job(shop.runtime, "venda", "morto"))[1]


async def test_the_draft_is_what_decides_again(shop):
    await talked(shop)
    await publish.publish_tree(shop.runtime, {**TREE, "title": "Outra"}, "", ACTOR)
    found = await again(shop, SAME)
    assert (found.differing, found.unclear) == (0, 0)
