"""The figures of a flow over histories made by the engine itself, whose right values are stated here."""

import pytest

from engine.core.analysis.stays import Cause
from engine.core.errors import NotFound
from engine.core.flow import DAY, HOUR, MINUTE, SECOND
from engine.services import archive, edit, publish
from engine.services.analysis import Question, analyse
from engine.store.connection import Tx
from engine.store.lanes import Store
from tests.runtimes import a_runtime
from tests.services.histories import DORA, Historian
from tests.services.shop import ANA, BIA, Provider, opened
from tests.services.test_splits import tried

CARLA = "5541900000003"


async def asked(shop, **question):
    return await analyse(shop.runtime, shop.flow, Question(**question))


async def a_week(shop):
    """Ana asks the price in two messages and pays. Bia says hello and falls silent. Carla asks to stop."""
    await shop.talks(ANA, "oi")
    await shop.writes(ANA, "quanto")
    shop.clock.advance(2 * SECOND)
    await shop.writes(ANA, "custa?")
    await shop.after(5 * SECOND)
    shop.clock.advance(10 * MINUTE)
    await shop.pays(ANA)
    await shop.works()
    await shop.talks(BIA, "oi")
    await shop.talks(CARLA, "oi", "pare de mandar mensagem")
    await shop.after(4 * HOUR)


async def test_three_people_one_bought_one_fell_silent_one_stopped(shop):
    await a_week(shop)
    assert [await shop.state(phone) for phone in (ANA, BIA, CARLA)] == ["PAGO", "RECUPERANDO", "OPT_OUT"]

    found = await asked(shop, range="7d")

    assert (found.funnel.began, found.funnel.won, found.funnel.opted_out) == (3, 1, 1)
    assert {name: step.reached for name, step in found.funnel.steps.items()} == {
        "NOVO": 3, "ENGAJADO": 3, "NEGOCIANDO": 1, "PAGO": 1, "RECUPERANDO": 1, "OPT_OUT": 1,
    }  # fmt: skip
    assert found.funnel.steps["ENGAJADO"].ends == {Cause.ONWARD: 1, Cause.SILENCE: 1, Cause.OPT_OUT: 1}
    talk = found.accounts["ENGAJADO"]
    assert (talk.before, talk.entered, talk.gone, talk.still) == (0, 3, 3, 0)
    assert all(one.closes for one in found.accounts.values())
    assert found.states[:3] == ("NOVO", "ENGAJADO", "NEGOCIANDO"), "in the order of the sale"
    [(number, rate)] = found.versions
    assert (number, rate.people, rate.won) == (1, 3, 1)
    assert (found.waited["ENGAJADO"].ended, found.waited["ENGAJADO"].silent) == (3, 1)
    assert found.ahead is None


async def test_messages_that_were_answered_together_are_decisions_that_were_not_needed(shop):
    """Six messages, of which two were one burst: five decisions, one answer saved (R22)."""
    await a_week(shop)

    bursts = (await asked(shop, range="7d", wait=1_000)).bursts

    assert (bursts.received, bursts.decisions, bursts.saved, bursts.aside) == (6, 5, 1, 0)
    assert (bursts.now.joined, bursts.now.parted, bursts.now.answers) == (1, 0, 5)
    assert (bursts.then.joined, bursts.then.parted, bursts.then.answers) == (0, 1, 6)
    assert [place for place, count in enumerate(bursts.bins) if count] == [2]


async def test_a_message_that_waits_for_its_answer_is_no_decision_yet(shop):
    await shop.writes(ANA, "oi")
    bursts = (await asked(shop)).bursts
    assert (bursts.received, bursts.decisions, bursts.saved, bursts.aside) == (1, 0, 0, 1)


async def test_each_message_has_its_sends_readings_answers_and_goodbyes(shop):
    await a_week(shop)
    first = (await shop.letters())[0]
    await shop.hears(first.provider_id, "delivered")
    await shop.hears(first.provider_id, "read")

    lines = {one.action: one for one in (await asked(shop)).letters}

    hello = lines["boas_vindas"]
    assert (hello.fate.sent, hello.fate.delivered, hello.fate.read) == (3, 1, 1)
    assert (hello.fate.answered, hello.fate.stopped) == (2, 1)
    assert (hello.fate.blocked, hello.fate.failed) == (0, 0)
    assert hello.versions == (1,)
    assert hello.text


async def test_one_message_in_two_wordings_is_two_lines_and_the_same_words_in_two_versions_are_one(shop):
    await shop.talks(ANA, "oi")
    tree = dict((await edit.opened(shop.runtime, shop.flow)).tree)
    await publish.publish_tree(shop.runtime, tree | {"title": "Outro nome"}, "", DORA)
    await shop.talks(BIA, "oi")
    actions = tree["actions"] | {"boas_vindas": tree["actions"]["boas_vindas"] | {"text": "Oi, tudo certo?"}}
    await publish.publish_tree(shop.runtime, tree | {"actions": actions}, "", DORA)
    await shop.talks(CARLA, "oi")

    lines = [one for one in (await asked(shop)).letters if one.action == "boas_vindas"]

    assert [(one.versions, one.fate.sent) for one in lines] == [((3,), 1), ((1, 2), 2)]
    only = [one for one in (await asked(shop, versions=frozenset({3}))).letters if one.action == "boas_vindas"]
    assert [(one.versions, one.fate.sent) for one in only] == [((3,), 1)]


async def test_a_platform_that_says_the_person_stopped_us_is_a_block(shop):
    shop.provider.plan = [(400, {"error": {"code": 131050, "message": "stopped"}})]
    await shop.talks(ANA, "oi")
    [line] = [one for one in (await asked(shop)).letters if one.action == "boas_vindas"]
    assert (line.fate.sent, line.fate.blocked, line.fate.failed) == (0, 1, 0)


@pytest.fixture
async def testing(database_url):
    runtime = a_runtime(database_url, store=Store(database_url, inline=True), http=Provider())
    yield await opened(runtime, flow={"document": tried()})
    await runtime.close()


async def test_each_branch_has_its_people_and_what_they_bought_and_none_wins_with_so_few(testing):
    people = [f"55419000010{number:02}" for number in range(8)]
    for phone in people:
        await testing.talks(phone, "oi", "quanto custa?")
    states = {phone: await testing.state(phone) for phone in people}
    offered = [phone for phone in people if states[phone] == "NEGOCIANDO"]
    await testing.pays(offered[0])
    await testing.works()

    found = await asked(testing)

    [split] = found.splits
    assert [(branch.letter, rate.people, rate.won) for branch, rate in split.branches] == [
        ("A", len(offered), 1), ("B", 8 - len(offered), 0),
    ]  # fmt: skip
    assert (split.since, split.winner) == (1, None)
    mine = await asked(testing, branch="t8")
    assert (mine.funnel.began, mine.funnel.won) == (len(offered), 1)
    assert mine.accounts["NEGOCIANDO"].entered == len(offered)
    assert "NOVO" not in mine.accounts, "a branch begins with the state that it led to"
    assert (await asked(testing, branch="t8", range="2020-01-01..2020-01-02")).splits[0].branches[0][1].people == 0


async def test_who_rests_since_before_the_range_is_here_at_the_start_on_the_version_that_they_came_on(runtime):
    """Somebody who goes on in version 2 without being moved, and answers there in the same state, came on version 1."""
    historian = Historian(runtime)
    await historian.opens()
    for deed in ("enter", "write", "write", "write", "publish", "write"):
        await historian.does(deed, 0, 0 if deed != "publish" else 1, HOUR)
    [stay] = historian.witness.at.values()
    assert stay[0] == "OFERTA"
    runtime.clock.advance(10 * DAY)

    found = [await analyse(runtime, historian.slug, Question(versions=frozenset(each))) for each in ([], [1], [2])]

    assert [(one.accounts["OFERTA"].before, one.accounts["OFERTA"].still) for one in found[:2]] == [(1, 1), (1, 1)]
    assert found[2].accounts == {}
    assert all(one.funnel.began == 0 for one in found)


async def test_an_archived_flow_keeps_its_figures_and_one_without_a_version_has_none(runtime):
    historian = Historian(runtime)
    await historian.opens()
    await historian.does("enter", 0, 0, HOUR)
    await archive.archive(runtime, historian.slug, DORA)
    assert (await analyse(runtime, historian.slug, Question())).funnel.began == 1

    await publish.add_draft(runtime, dict((await edit.opened(runtime, historian.slug)).tree) | {"slug": "novo"}, DORA)
    found = await analyse(runtime, "novo", Question())
    assert (found.flow, found.empty, found.bursts) == (None, True, None)
    with pytest.raises(NotFound):
        await analyse(runtime, "nada", Question())


async def test_days_without_anybody_are_empty(shop):
    await a_week(shop)
    assert (await asked(shop, range="2020-01-01..2020-01-31")).empty
    assert not (await asked(shop)).empty


async def test_however_much_there_is_to_read_the_questions_to_the_database_are_eight(shop, monkeypatch):
    await shop.talks(ANA, "oi")
    await asked(shop)
    told = []
    real = Tx._executed

    def counted(self, sql, params):
        told.append(sql)
        return real(self, sql, params)

    monkeypatch.setattr(Tx, "_executed", counted)
    await asked(shop)
    few = len(told)
    monkeypatch.undo()
    await a_week(shop)
    monkeypatch.setattr(Tx, "_executed", counted)
    told.clear()
    await asked(shop, range="90d", wait=6_000)
    assert len(told) == few <= 8
