"""A number that lost its telephone: letters wait and leave once, and the team is told (R27)."""

import pytest

from engine.core.errors import NotSent
from engine.core.flow import HOUR, MINUTE, SECOND
from engine.services import channel_health, connection, deliver
from tests.services.shop import ANA, BIA


async def state(gateway):
    return (await gateway.rows("SELECT state, told_at FROM channel"))[0]


async def told(gateway):
    return [reason for outcome, reason in await gateway.outcomes() if outcome == "channel_down"]


async def test_while_the_number_is_down_answers_wait_and_when_it_is_back_they_leave_in_order_and_once(gateway):
    await gateway.connection("close", 428)
    await gateway.talks("oi", "quanto custa?")
    assert gateway.fake.calls == [], "nobody tries in vain"
    assert await gateway.statuses() == ["pending", "pending"]
    await gateway.connection("open", 200)
    await gateway.works()
    assert [letter.action for letter in await gateway.letters()] == ["boas_vindas", "mandar_oferta"]
    assert await gateway.statuses() == ["sent", "sent"]
    await gateway.after(HOUR)
    assert len(gateway.texts) == 2
    assert (await state(gateway))["state"] == "ok"


async def test_a_gap_of_a_moment_tells_nobody(gateway):
    await gateway.connection("close", 428)
    await gateway.after(10 * SECOND)
    await gateway.connection("open", 200)
    await gateway.after(HOUR)
    assert await told(gateway) == []


async def test_a_longer_one_is_told_once(gateway):
    await gateway.connection("close", 428)
    await gateway.connection("connecting", 200)
    await gateway.after(channel_health.MOMENT)
    assert await told(gateway) == ["connecting"]
    for _ in range(5):
        await gateway.after(MINUTE)
    assert await told(gateway) == ["connecting"]
    await gateway.connection("open", 200)
    assert ("note", "channel_back") in await gateway.outcomes()


@pytest.mark.parametrize(
    ("code", "reason"), [(401, "logged_out"), (403, "blocked"), (402, "blocked"), (406, "blocked")]
)
async def test_what_only_a_person_can_mend_is_told_at_once_and_stays_until_the_number_is_open(gateway, code, reason):
    await gateway.connection("close", code)
    assert await told(gateway) == [reason]
    await gateway.hears("status.instance", {"status": "closed", "disconnectionReasonCode": code})
    await gateway.connection("connecting", 200)
    assert (await state(gateway))["state"] == reason
    await gateway.hears("qrcode.updated", {"qrcode": {"code": "2@X", "base64": "data:image/png;base64,AAAA"}})
    assert (await state(gateway))["state"] == "awaits_qr"
    await gateway.connection("refused", 428)
    assert (await state(gateway))["state"] == "qr_expired"
    assert await told(gateway) == [reason]
    await gateway.connection("open", 200)
    assert (await state(gateway)) == {"state": "ok", "told_at": None}


async def test_an_instance_that_was_logged_out_or_removed_at_the_gateway_says_so(gateway):
    await gateway.hears("logout.instance", {})
    assert (await state(gateway))["state"] == "logged_out"
    await gateway.hears("remove.instance", {})
    assert (await state(gateway))["state"] == "missing"


async def test_news_that_got_lost_is_asked_for(gateway):
    """R30: the gateway came back and its post did not arrive."""
    await gateway.connection("close", 428)
    await gateway.talks("oi")
    gateway.fake.state = "open"
    await gateway.after(channel_health.AGAIN)
    assert await gateway.statuses() == ["sent"]
    assert (await state(gateway))["state"] == "ok"


async def test_a_gateway_that_does_not_answer_tells_nothing_new(gateway, monkeypatch):
    await gateway.connection("close", 401)

    async def silent(_request):
        raise NotSent("away")

    monkeypatch.setattr(gateway.runtime.http, "request", silent)
    await connection.look(gateway.runtime, [gateway.channel_id])
    assert (await state(gateway))["state"] == "logged_out"


async def test_a_closed_connection_that_nobody_told_us_of_is_noticed_by_the_send_itself(gateway):
    """R27: the gateway refuses, the letter stays, and the next ones do not try."""
    gateway.fake.state = "close"
    await gateway.writes("oi")
    await gateway.writes("oi", BIA)
    await gateway.after(5 * SECOND)
    assert await gateway.statuses() == ["pending", "pending"]
    assert (await state(gateway))["state"] == "closed"
    assert ("postponed", "channel_down") in await gateway.outcomes()
    assert ("send_failed", "server") not in await gateway.outcomes()
    gateway.fake.state = "open"
    await gateway.after(channel_health.MOMENT)
    assert sorted(sent.jid[:13] for sent in gateway.fake.sent) == [ANA, BIA]


@pytest.mark.parametrize(
    ("part", "value", "reason"), [("api_key", "OUTRA", "unauthorized"), ("state", None, "missing")]
)
async def test_a_wrong_key_or_a_lost_instance_keeps_the_letters_until_it_is_mended(gateway, part, value, reason):
    """R27: nothing is wrong with what was to be said."""
    before = getattr(gateway.fake, part)
    setattr(gateway.fake, part, value)
    await gateway.writes("oi")
    await gateway.after(5 * SECOND)
    assert await told(gateway) == [reason]
    assert await gateway.statuses() == ["pending"]
    setattr(gateway.fake, part, before)
    await gateway.after(channel_health.AGAIN)
    assert await gateway.statuses() == ["sent"]


async def test_a_gateway_that_is_away_for_long_is_waited_for_and_nothing_is_lost(gateway, monkeypatch):
    """R27: after the tries, the letter waits for the channel instead of failing."""
    real = gateway.runtime.http.request
    away = [True]

    async def perhaps(request):
        if away[0]:
            raise NotSent("refused")
        return await real(request)

    monkeypatch.setattr(gateway.runtime.http, "request", perhaps)
    await gateway.writes("oi")
    for _ in range(30):
        await gateway.after(MINUTE)
    assert (await state(gateway))["state"] == "unreached"
    assert (await gateway.statuses())[0] == "pending"
    assert "send_failed" not in [outcome for outcome, _ in await gateway.outcomes()]
    away[0] = False
    await gateway.after(channel_health.AGAIN)
    await gateway.works()
    assert (await gateway.statuses())[0] == "sent"
    assert len(gateway.fake.sent) >= 1


async def test_a_letter_that_waits_for_its_channel_is_told_once(gateway):
    await gateway.connection("close", 401)
    await gateway.talks("oi")
    for _ in range(4):
        await gateway.after(11 * MINUTE)
    assert (await gateway.outcomes()).count(("postponed", "channel_down")) == 1


async def test_what_must_not_be_said_any_more_is_dropped_while_the_channel_is_down(gateway):
    """R27, R75: consent is asked first, whatever the channel does."""
    await gateway.talks("oi")
    await gateway.connection("close", 401)
    await gateway.queued("lembrete", cause="clock")
    await gateway.runtime.store.write("x", lambda tx: tx.run("UPDATE contact SET opt_out_at = 1"))
    await gateway.works()
    assert (await gateway.statuses())[-1] == "suppressed"


async def test_the_number_of_tries_does_not_run_out_while_the_channel_is_down(gateway):
    """R27: waiting is no attempt."""
    await gateway.connection("close", 428)
    await gateway.talks("oi")
    for _ in range(10):
        await gateway.after(15 * MINUTE)
    assert (await gateway.letters())[0].attempt == 0
    assert deliver.ATTEMPTS < 10
