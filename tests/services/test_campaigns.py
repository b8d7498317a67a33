"""Campaigns: who is reached and who is left out and why, each person once, paced, stopped and resumed at any time."""

import asyncio

import pytest
import pytest_asyncio

from engine.core.campaigns import Filter
from engine.core.errors import NotFound, Refused
from engine.core.flow import DAY, HOUR, MINUTE, SECOND
from engine.core.platform_templates import Template
from engine.services import campaign_sweep, campaigns, contact_files, doctor, holding
from engine.services.campaigns import Plan
from engine.store import campaigns as stored
from engine.store import contacts, marks, pauses, templates
from engine.store.lanes import Store
from tests.runtimes import a_runtime
from tests.services.shop import ACTOR, Provider, both_first, opened
from tests.services.test_setbacks import refusing

MAY = Template(
    name="volta_maio", language="pt_BR", status="APPROVED", category="MARKETING",
    components=[{"type": "BODY", "text": "Oi {{1}}, a turma voltou."}],
)  # fmt: skip


@pytest_asyncio.fixture
async def ready(shop):
    return await by_day(shop)


async def by_day(shop):
    """A shop by day, with one approved template."""
    await shop.runtime.store.write("x", lambda tx: templates.put(tx, shop.channel_id, MAY, shop.clock.now()))
    # 00:00 UTC is 21:00 here: 15 h later it is noon.
    shop.clock.advance(DAY - shop.clock.now() % DAY + 15 * HOUR)
    return shop


def plan(shop, **more):
    given = {
        "name": "Maio", "flow": "venda", "channel_id": shop.channel_id, "template": "volta_maio",
        "language": "pt_BR", "params": ('{{contact.first_name|default:"tudo bem"}}',), "per_minute": 60, "per_day": 1_000,
    }  # fmt: skip
    return Plan(**{**given, **more})


def phone(n):
    return f"55119{n:08d}"


async def people(shop, count, tags="maio", proof="cadastro do site", begin=0):
    lines = "".join(f"{phone(n)};Pessoa {n};{tags}\n" for n in range(begin, begin + count))
    number = await contact_files.upload(shop.runtime, "l.csv", f"phone;name;tags\n{lines}".encode(), ACTOR)
    return await contact_files.take(shop.runtime, number, proof, ACTOR)


async def started(shop, token="form-1", **more):
    wanted = plan(shop, **more)
    count = await campaigns.planned(shop.runtime, wanted)
    return await campaigns.start(shop.runtime, wanted, token, count.reached, ACTOR)


async def shown(shop, number):
    return await campaigns.one(shop.runtime, number)


async def runs(shop, seconds):
    for _ in range(seconds):
        await shop.works()
        shop.clock.advance(SECOND)
    await shop.works()


def sends(shop):
    return [call["to"] for call in shop.provider.calls if "template" in call]


async def test_everybody_is_written_to_once_in_a_cycle_of_the_flow_at_the_pace(ready):
    await people(ready, 5)
    number = await started(ready)

    await runs(ready, 2)
    assert len(sends(ready)) == 3, "one a second, from now on"
    await runs(ready, 12)

    assert sorted(sends(ready)) == [phone(n) for n in range(5)]
    values = [c["template"]["components"][0]["parameters"][0]["text"] for c in ready.provider.calls]
    assert values == ["Pessoa"] * 5
    made = await shown(ready, number)
    assert (made.campaign.status, made.progress.sent, made.progress.waiting) == ("done", 5, 0)
    assert [row["state"] for row in await ready.rows("SELECT state FROM conversation")] == ["NOVO"] * 5
    told = await ready.rows("SELECT facts FROM log WHERE reason = 'campaign'")
    assert len(told) == 5 and '"opened":true' in told[0]["facts"]


async def test_who_must_not_be_written_to_is_left_out_with_the_reason(ready):
    await people(ready, 6)
    await people(ready, 1, proof="", begin=6)

    def unit(tx):
        now = ready.clock.now()
        ids = [contacts.find(tx, phone(n)) for n in range(6)]
        contacts.set_opt_out(tx, ids[0], now)
        pauses.begin(tx, ids[1], now, now + HOUR, "ana")

    await ready.runtime.store.write("x", unit)
    await ready.talks(phone(2), "oi")
    talking = await ready.conversation(phone(2))
    await ready.runtime.store.write("x", lambda tx: marks.flag(tx, talking.id, "asked_for_person"))
    await ready.pays(phone(3))
    await ready.works()
    assert await ready.state(phone(3)) == "PAGO"
    ready.provider.calls.clear()

    count = await campaigns.planned(ready.runtime, plan(ready, filter=Filter(tag="maio")))
    assert (count.reached, dict(count.left_out)) == (
        2, {"opted_out": 1, "paused": 1, "with_person": 1, "paid": 1, "no_proof": 1},
    )  # fmt: skip
    number = await started(ready, filter=Filter(tag="maio"))
    await runs(ready, 4)

    assert sorted(sends(ready)) == [phone(4), phone(5)]
    assert (await shown(ready, number)).progress.left_out == dict(count.left_out)


async def test_the_filter_is_by_tag_by_file_by_flow_and_by_state(ready):
    first = await people(ready, 2, tags="vip")
    await people(ready, 3, tags="vip antigo", begin=2)
    await ready.talks(phone(0), "oi")

    async def reached(**wanted):
        return (await campaigns.planned(ready.runtime, plan(ready, filter=Filter(**wanted)))).reached

    assert await reached() == 5
    assert await reached(tag="vip") == 2, "whole tags"
    assert await reached(tag="v%") == 0
    assert await reached(file_id=first.id) == 2
    assert await reached(flow="venda") == 1
    assert await reached(flow="venda", state=await ready.state(phone(0))) == 1
    assert await reached(flow="venda", state="PERDIDO") == 0


async def test_a_form_sent_twice_starts_one_campaign_and_nobody_gets_two(ready):
    await people(ready, 3)
    first = await started(ready, token="a")
    assert await started(ready, token="a") == first
    await runs(ready, 5)
    assert len(sends(ready)) == 3
    again = await started(ready, token="b")
    assert again != first
    await runs(ready, 5)
    assert len(sends(ready)) == 6, "another campaign is another letter"


async def test_two_sweeps_at_once_take_each_person_once(busy_shop, monkeypatch):
    """R30: whoever comes second finds that the people are taken."""
    ready = await by_day(busy_shop)
    await people(ready, 25)
    await started(ready, per_minute=600)
    both_first(monkeypatch, campaign_sweep, "trouble")
    now = ready.clock.now()
    await asyncio.gather(*(campaign_sweep.run(ready.runtime, now) for _ in range(2)))

    rows = await ready.rows("SELECT contact_id, COUNT(*) AS n FROM outbox GROUP BY contact_id")
    assert [row["n"] for row in rows] == [1] * 10, "one portion and not two"
    assert len(await ready.rows("SELECT id FROM conversation")) == 10


async def test_it_stands_still_when_paused_and_goes_on_where_it_stood(ready):
    await people(ready, 5)
    number = await started(ready, per_minute=600)
    # The letters are written and none has left when somebody pauses.
    await campaign_sweep.run(ready.runtime, ready.clock.now())
    await campaigns.pause(ready.runtime, number, ACTOR)
    await runs(ready, 5)
    assert sends(ready) == []
    assert (await shown(ready, number)).progress.held == 5

    await campaigns.resume(ready.runtime, number, ACTOR)
    await runs(ready, 8)

    assert len(sends(ready)) == 5
    assert (await shown(ready, number)).campaign.status == "done"


async def test_what_is_stopped_never_leaves_and_never_goes_on(ready):
    await people(ready, 5)
    number = await started(ready)
    await runs(ready, 1)
    gone = len(sends(ready))
    await campaigns.stop(ready.runtime, number, ACTOR)
    await runs(ready, 8)

    assert len(sends(ready)) == gone < 5
    for change in (campaigns.resume, campaigns.pause, campaigns.stop):
        with pytest.raises(Refused, match="campaign_over"):
            await change(ready.runtime, number, ACTOR)
    with pytest.raises(NotFound):
        await campaigns.pause(ready.runtime, 999, ACTOR)
    whats = [row["what"] for row in await ready.rows("SELECT what FROM audit WHERE what LIKE 'campaign%' ORDER BY id")]
    assert whats == ["campaign.started", "campaign.stopped"]


async def test_letters_already_written_are_suppressed_when_it_is_stopped(ready):
    await people(ready, 2)
    number = await started(ready, per_minute=600)
    await campaign_sweep.run(ready.runtime, ready.clock.now())
    await ready.runtime.store.write("x", lambda tx: stored.turn(tx, number, "stopped", "by_person", ready.clock.now()))
    await ready.works()
    assert [(row.status, row.reason) for row in await ready.letters()] == [("suppressed", "campaign_stopped")] * 2


async def waits_for(ready):
    return [row["reason"] for row in await ready.rows("SELECT reason FROM campaign ORDER BY id")]


async def test_nobody_is_written_to_at_night(database_url):
    """R37."""
    runtime = a_runtime(database_url, store=Store(database_url, inline=True), http=Provider())
    ready = await by_day(await opened(runtime, {"settings.quiet_hours": "21:00-08:00"}))
    await people(ready, 2)
    ready.clock.advance(11 * HOUR)
    await started(ready)
    await runs(ready, 3)
    assert sends(ready) == []
    assert await waits_for(ready) == ["quiet_hours"], "whoever wonders why nothing leaves is told"
    await ready.after(10 * HOUR)
    await runs(ready, 3)
    assert len(sends(ready)) == 2
    assert await waits_for(ready) == [""]
    await runtime.close()


async def test_no_more_people_in_a_day_than_the_cap_over_all_campaigns_of_a_number(ready):
    await people(ready, 5)
    await started(ready, per_day=2)
    await runs(ready, 10)
    assert len(sends(ready)) == 2
    assert await waits_for(ready) == ["day_full"]
    await started(ready, token="other", per_day=3)
    await runs(ready, 10)
    assert len(sends(ready)) == 3
    await ready.after(DAY)
    await runs(ready, 10)
    assert len(sends(ready)) >= 5


async def test_it_stops_itself_when_too_many_letters_fail(ready):
    await people(ready, 40)
    ready.provider.plan = [refusing(131026)] * 40
    number = await started(ready)

    await runs(ready, 50)

    made = await shown(ready, number)
    assert (made.campaign.status, made.campaign.reason) == ("paused", "too_many_failures")
    assert made.progress.failed == 20
    assert made.progress.waiting == 20


@pytest.mark.parametrize(("code", "reason"), [(131031, "account_held"), (132015, "template_held")])
async def test_it_stops_itself_when_the_account_or_the_template_is_restricted(ready, code, reason):
    await people(ready, 5)
    ready.provider.plan = [refusing(code)]
    number = await started(ready)

    await runs(ready, 4)

    made = await shown(ready, number)
    assert (made.campaign.status, made.campaign.reason) == ("paused", reason)
    assert made.progress.waiting >= 3
    with pytest.raises(Refused, match=reason):
        await campaigns.resume(ready.runtime, number, ACTOR)
    what = reason.removesuffix("_held")
    subject = "" if what == "account" else "volta_maio/pt_BR"
    await holding.let_go_by_hand(ready.runtime, ready.channel_id, what, subject, ACTOR)
    await campaigns.resume(ready.runtime, number, ACTOR)
    await runs(ready, 6)
    assert (await shown(ready, number)).progress.sent == 5


async def test_who_opts_out_or_pays_meanwhile_is_not_written_to(ready):
    await people(ready, 3)
    number = await started(ready, per_minute=1)
    await ready.works()
    await ready.talks(phone(1), "parar")
    await ready.pays(phone(2))
    await ready.works()
    ready.provider.calls.clear()

    await ready.after(MINUTE)
    await ready.after(MINUTE)
    await ready.after(MINUTE)

    assert sends(ready) == []
    assert (await shown(ready, number)).progress.left_out == {"opted_out": 1, "paid": 1}


async def test_an_opt_out_between_the_outbox_and_the_send_suppresses_the_letter(ready):
    """R27, R75: what a campaign starts does not leave inside an opt-out."""
    await people(ready, 1)
    await started(ready)
    await campaign_sweep.run(ready.runtime, ready.clock.now())

    def out(tx):
        contacts.set_opt_out(tx, contacts.find(tx, phone(0)), ready.clock.now())

    await ready.runtime.store.write("x", out)
    await ready.works()
    assert [(row.status, row.reason) for row in await ready.letters()] == [("suppressed", "opt_out")]


async def test_the_doctor_finds_nothing_wrong_after_a_campaign_and_its_answers(ready):
    await people(ready, 3)
    number = await started(ready, per_minute=600)
    await ready.works()
    await ready.writes(phone(1), "quero comprar")
    await ready.after(10 * SECOND)

    assert (await shown(ready, number)).progress.answered == 1
    found = await doctor.examine(ready.runtime.store, ready.clock.now())
    assert [verdict for verdict in found if verdict.broken] == []


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"name": " "}, "name_unusable"),
        ({"flow": "nada"}, "campaign_flow"),
        ({"template": "outro"}, "campaign_template"),
        ({"params": ()}, "campaign_values"),
        ({"params": ("{{senha}}",)}, "campaign_value_unknown"),
        ({"per_minute": 0}, "campaign_pace"),
        ({"per_minute": 100_000}, "campaign_pace"),
        ({"per_day": 0}, "campaign_pace"),
    ],
)
async def test_a_plan_that_cannot_be_is_refused(ready, change, code):
    await people(ready, 1)
    with pytest.raises(Refused, match=code):
        await campaigns.planned(ready.runtime, plan(ready, **change))


async def test_it_starts_for_the_number_of_people_that_was_confirmed_and_for_somebody(ready):
    with pytest.raises(Refused, match="campaign_nobody"):
        await campaigns.start(ready.runtime, plan(ready), "a", 0, ACTOR)
    await people(ready, 2)
    with pytest.raises(Refused, match="campaign_changed"):
        await campaigns.start(ready.runtime, plan(ready), "a", 1, ACTOR)
    assert await ready.rows("SELECT id FROM campaign") == []


async def test_a_person_without_a_value_is_left_out_and_not_written_to_with_a_gap(ready):
    await people(ready, 1)
    number = await started(ready, params=("{{contact.email}}",))
    await runs(ready, 2)
    assert sends(ready) == []
    assert (await shown(ready, number)).progress.left_out == {"value_missing": 1}
