"""Each class of refusal has one deed, whether the platform answers it or reports it later (R27, R28, R75)."""

import pytest
import pytest_asyncio

from engine.core.flow import DAY, HOUR, MINUTE, SECOND
from engine.services import setbacks
from tests.services.shop import ANA, enveloped
from tests.services.test_deliver import queued, statuses

TEMPLATE = {"name": "retomar_oferta", "language": "pt_BR", "params": []}


@pytest_asyncio.fixture
async def talking(shop):
    """A shop in which Ana has been welcomed, and where silence means nothing."""
    await shop.talks(ANA, "oi")
    shop.provider.calls.clear()
    await shop.runtime.store.write("x", lambda tx: tx.run("UPDATE conversation SET deadline_at = NULL"))
    return shop


def refusing(code, status=400):
    return status, {"error": {"code": code, "message": f"code {code}"}}


async def reports(shop, code, provider_id="wamid.OUT2"):
    """The platform says later that a letter failed."""
    await shop.hears(provider_id, "failed", errors=[{"code": code, "title": f"code {code}"}])
    await shop.works()


async def alerts(shop):
    rows = await shop.rows("SELECT reason, facts FROM log WHERE outcome = 'alert' ORDER BY id")
    return [(row["reason"], row["facts"]) for row in rows]


@pytest.mark.parametrize(
    ("code", "to"),
    [
        (131026, "supervisor"),
        (100, "supervisor"),
        (132000, "marketer"),
        (131053, "supervisor"),
        (999_999, "supervisor"),
    ],
)
async def test_what_no_wait_helps_fails_once_and_whoever_can_act_is_told(talking, code, to):
    for later in (False, True):
        talking.provider.calls.clear()
        talking.provider.plan = [] if later else [refusing(code)]
        await queued(talking, "um")
        await talking.works()
        if later:
            await reports(talking, code, "wamid.OUT3")
        assert (await statuses(talking))[-1] == "failed"
        await talking.after(2 * HOUR)
        assert len(talking.provider.calls) == 1, "never again by itself"
        reason, facts = (await alerts(talking))[-1]
        assert reason == "send_failed"
        assert f'"to":"{to}"' in facts


async def test_a_failed_template_never_turns_into_the_template_once_more(talking):
    """R28: once, never twice."""
    await queued(talking, "um", payload={"text": "um", "template": TEMPLATE})
    await talking.works()
    await reports(talking, 131047)
    assert talking.provider.texts == ["um", "[retomar_oferta]"]
    await reports(talking, 131047, "wamid.OUT3")
    await talking.after(DAY)
    assert talking.provider.texts == ["um", "[retomar_oferta]"]
    assert await statuses(talking) == ["failed", "failed"]


async def test_who_stopped_marketing_gets_none_any_more(talking):
    """R75."""
    await queued(talking, "um")
    await talking.works()
    await reports(talking, 131050)
    assert (await talking.person())["opt_out_at"] is not None
    await queued(talking, "dois", cause="clock")
    await talking.works()
    assert await statuses(talking) == ["failed", "suppressed"]
    assert (await talking.conversation()).attention is None, "nobody can do anything about it"


@pytest.mark.parametrize("code", [131049, 130472])
@pytest.mark.parametrize("later", [True, False])
async def test_a_person_whom_the_platform_spares_is_left_alone_for_a_day(talking, code, later):
    """No automatic repetition; what only the clock wants waits 24 h, an answer does not."""
    talking.provider.plan = [] if later else [refusing(code)]
    marketing = {"cause": "clock", "as_template": True, "payload": {"text": None, "template": TEMPLATE}}
    await queued(talking, "um", **marketing)
    await talking.works()
    if later:
        await reports(talking, code)
    assert (await talking.person())["opt_out_at"] is None
    await queued(talking, "dois", **marketing)
    await queued(talking, "três")
    await talking.works()
    assert await statuses(talking) == ["failed", "pending", "sent"]
    await talking.after(23 * HOUR)
    assert talking.provider.texts == ["[retomar_oferta]", "três"]
    await talking.after(2 * HOUR)
    assert talking.provider.texts == ["[retomar_oferta]", "três", "[retomar_oferta]"]


@pytest.mark.parametrize(("code", "waits"), [(131056, (4, 16, 64)), (130429, (1, 2, 4))])
async def test_what_was_too_fast_goes_again_ever_later_and_not_for_ever(talking, code, waits):
    await queued(talking, "um")
    await talking.works()
    for number, wait in enumerate(waits, start=2):
        await reports(talking, code, f"wamid.OUT{number}")
        await talking.after(wait * SECOND - SECOND)
        assert len(talking.provider.calls) == number - 1
        await talking.after(SECOND)
        assert len(talking.provider.calls) == number
    await reports(talking, code, f"wamid.OUT{len(waits) + 2}")
    await talking.after(HOUR)
    assert len(talking.provider.calls) == 1 + setbacks.RESENDS == 1 + len(waits)
    assert set(await statuses(talking)) == {"failed"}
    assert (await talking.conversation()).attention == "send_failed"


async def test_late_news_of_a_letter_that_went_again_says_nothing_about_its_successor(talking):
    await queued(talking, "um")
    await talking.works()
    (letter,) = [letter.id for letter in (await talking.letters())[1:]]
    await reports(talking, 131056)
    await talking.hears("wamid.OUT2", "sent", biz_opaque_callback_data=f"outbox:{letter}")
    assert await statuses(talking) == ["failed", "pending"]


async def test_trouble_with_the_account_holds_every_letter_and_one_that_gets_through_lets_them_go(talking):
    """The circuit: one alert, nothing lost, one attempt every ten minutes."""
    talking.provider.plan = [refusing(190, 401)] * 2
    await queued(talking, "um", "dois", "três")
    await talking.works()
    assert await statuses(talking) == ["held", "held", "held"]
    assert len(talking.provider.calls) == 1
    assert [reason for reason, _ in await alerts(talking)] == ["account_held"]
    assert await talking.rows("SELECT state FROM channel") == [{"state": "account"}]
    await talking.after(9 * MINUTE)
    assert len(talking.provider.calls) == 1
    await talking.after(MINUTE)
    assert (len(talking.provider.calls), await statuses(talking)) == (2, ["held", "held", "held"])
    await talking.after(10 * MINUTE)
    await talking.after(SECOND)
    assert talking.provider.texts == ["um", "um", "um", "dois", "três"]
    assert await statuses(talking) == ["sent", "sent", "sent"]
    assert await talking.rows("SELECT state FROM channel") == [{"state": "ok"}]
    assert [reason for reason, _ in await alerts(talking)] == ["account_held"]


async def test_a_letter_that_failed_later_for_the_account_waits_with_the_others(talking):
    await queued(talking, "um")
    await talking.works()
    await reports(talking, 131042)
    await queued(talking, "dois")
    await talking.works()
    assert await statuses(talking) == ["failed", "held", "held"]
    await talking.after(10 * MINUTE)
    await talking.after(SECOND)
    assert talking.provider.texts == ["um", "um", "dois"]


async def test_after_a_quiet_time_the_next_letter_tries_the_account(talking):
    """Nothing waits, so nothing is tried; whoever comes next is not held."""
    talking.provider.plan = [refusing(190, 401)]
    await queued(talking, "um", cause="clock")
    await talking.works()
    (row,) = await talking.rows("SELECT id FROM outbox WHERE status = 'held'")
    await talking.runtime.store.write("x", lambda tx: tx.run("DELETE FROM outbox WHERE id = :id", id=row["id"]))
    await talking.after(10 * MINUTE)
    await queued(talking, "dois")
    await talking.works()
    assert await statuses(talking) == ["sent"]
    assert await talking.rows("SELECT * FROM hold") == []


async def test_a_paused_template_holds_its_own_letters_and_no_others(talking):
    other = {"name": "outro", "language": "pt_BR", "params": []}
    talking.provider.plan = [refusing(132015)]
    await queued(talking, "um", as_template=True, payload={"text": None, "template": TEMPLATE})
    await talking.works()
    await queued(talking, "dois", as_template=True, payload={"text": None, "template": TEMPLATE})
    await queued(talking, "três", as_template=True, payload={"text": None, "template": other})
    await queued(talking, "quatro")
    await talking.works()
    assert await statuses(talking) == ["held", "held", "sent", "sent"]
    assert [reason for reason, _ in await alerts(talking)] == ["template_held"]
    await talking.posts(news_of_template("APPROVED"))
    await talking.works()
    assert await statuses(talking) == ["sent"] * 4


async def test_a_template_that_the_platform_switches_off_is_held_before_it_fails(talking):
    await talking.posts(news_of_template("PAUSED"))
    await queued(talking, "um", as_template=True, payload={"text": None, "template": TEMPLATE})
    await talking.works()
    assert (await statuses(talking), talking.provider.calls) == (["held"], [])
    await talking.after(3 * HOUR)
    assert await statuses(talking) == ["sent"], "after its rest it is tried"


async def test_what_a_newer_event_makes_wrong_is_not_held_any_longer(talking):
    """R36: a held letter certainly did not leave."""
    talking.provider.plan = [refusing(190, 401)]
    await queued(talking, "um", cause="clock")
    await talking.works()
    await talking.talks(ANA, "quero parar")
    (held, *_) = (await talking.letters())[1:]
    assert (held.status, held.reason) == ("suppressed", "opt_out")


def news_of_template(event):
    named = {"message_template_name": TEMPLATE["name"], "message_template_language": TEMPLATE["language"]}
    body = enveloped({})
    body["entry"][0]["changes"] = [{"field": "message_template_status_update", "value": {"event": event, **named}}]
    return body
