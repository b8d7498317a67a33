"""Connecting a number at the gateway: the instance, the code, the webhook and its secret."""

import pytest

from engine.core.errors import NotFound, Refused
from engine.services import channels, pairing
from tests.fakes.evolution_instance import PNG
from tests.services.gateway_shop import TOKEN
from tests.services.shop import ACTOR

BASE = "https://trilho.exemplo.test"


async def begin(gateway, **more):
    return await pairing.begin(gateway.runtime, gateway.channel_id, ACTOR, BASE, **more)


async def secret_of(gateway):
    record = await channels.by_name(gateway.runtime, "zap")
    return record.config.secrets.get("webhook_secret")


async def test_an_instance_that_is_not_there_is_made_pointed_at_us_and_shows_its_code(gateway):
    gateway.fake.state = None
    seen = await begin(gateway)
    assert [made["instanceName"] for made in gateway.fake.created] == [gateway.fake.instance]
    setting = gateway.fake.webhook_setting
    assert setting["url"] == f"{BASE}/hooks/wa/{TOKEN}"
    assert {"MESSAGES_UPSERT", "SEND_MESSAGE", "CONNECTION_UPDATE"} <= set(setting["events"])
    assert (seen.link.state, seen.link.qr, seen.link.count) == ("connecting", PNG, 1)
    assert await pairing.picture(gateway.runtime, gateway.channel_id) == PNG


async def test_an_instance_that_is_closed_is_connected_and_one_that_is_open_stays_so(gateway):
    gateway.fake.state = "close"
    assert (await begin(gateway)).link.state == "connecting"
    gateway.fake.scan()
    assert (await begin(gateway)).link.state == "open"
    assert gateway.fake.created == []
    with pytest.raises(NotFound):
        await pairing.picture(gateway.runtime, gateway.channel_id)


async def test_looking_changes_nothing_at_the_gateway_nor_with_us(gateway):
    gateway.fake.state = "close"
    before = await gateway.rows("SELECT * FROM channel")
    assert (await pairing.seen(gateway.runtime, gateway.channel_id)).link.state == "close"
    assert (gateway.fake.state, gateway.fake.codes) == ("close", 0)
    assert await gateway.rows("SELECT * FROM channel") == before


async def test_with_a_number_there_is_a_code_to_type(gateway):
    gateway.fake.state = "close"
    assert (await begin(gateway, number="+55 (41) 90000-0009")).link.pairing_code == "ABCD1234"
    assert gateway.fake.pairing_number == "5541900000009"
    with pytest.raises(Refused, match="phone_unreadable"):
        await begin(gateway, number="abc")


async def test_from_then_on_every_post_has_to_prove_the_secret(gateway):
    """SEC-S2: a known address alone opens nothing."""
    await begin(gateway)
    secret = await secret_of(gateway)
    assert gateway.fake.webhook_setting["headers"] == {"X-Trilho-Secret": secret}
    body = gateway.fake.text_from("5541900000001", "oi", "3A1", gateway.clock.now())
    assert await gateway.posts(body) == 401
    assert await gateway.posts(body, {"x-trilho-secret": "outro"}) == 401
    assert await gateway.posts(body, {"x-trilho-secret": secret}) == 200
    await begin(gateway)
    assert await secret_of(gateway) == secret, "a second time it stays the same"


async def test_a_gateway_that_keeps_the_header_only_the_second_time_is_told_twice(gateway):
    gateway.fake.forgets_headers = True
    await begin(gateway)
    assert gateway.fake.webhook_setting["headers"] == {"X-Trilho-Secret": await secret_of(gateway)}


async def test_without_the_gateways_promise_no_secret_is_asked_of_its_posts(gateway, monkeypatch):
    """SEC-S2: they would all be refused, and the gateway does not repeat what is refused."""

    async def forgetful(request):
        gateway.fake.forgets_headers = True
        return await real(request)

    real = gateway.runtime.http.request
    monkeypatch.setattr(gateway.runtime.http, "request", forgetful)
    seen = await begin(gateway)
    assert await secret_of(gateway) is None
    assert not seen.unproved
    body = gateway.fake.text_from("5541900000001", "oi", "3A1", gateway.clock.now())
    assert await gateway.posts(body) == 200
    await channels.change(gateway.runtime, gateway.channel_id, ACTOR, values={"webhook_secret": "meu-segredo"})
    assert (await begin(gateway)).unproved


@pytest.mark.parametrize(
    ("part", "value", "state"), [("api_key", "OUTRA", "unauthorized"), ("base_url", "", "unreached")]
)
async def test_what_keeps_it_from_connecting_is_told(gateway, part, value, state):
    if part == "base_url":
        values = {"base_url": "http://127.0.0.1:1"}
        await channels.change(gateway.runtime, gateway.channel_id, ACTOR, values=values)
    else:
        setattr(gateway.fake, part, value)
    assert (await begin(gateway)).link.state == state


async def test_only_a_channel_with_a_session_and_its_keys_can_be_connected(gateway):
    phone = await channels.add(gateway.runtime, "phone", "teste", ACTOR)
    with pytest.raises(Refused, match="cannot_pair"):
        await pairing.seen(gateway.runtime, phone.id)
    await channels.change(gateway.runtime, gateway.channel_id, ACTOR, values={"api_key": ""})
    with pytest.raises(Refused, match="gateway_unset"):
        await begin(gateway)
    with pytest.raises(NotFound):
        await pairing.seen(gateway.runtime, 999)


async def test_neither_key_nor_secret_nor_code_is_in_a_repr_or_in_the_audit_log(gateway):
    gateway.fake.state = "close"
    seen = await begin(gateway, number="5541900000009")
    record = await channels.by_name(gateway.runtime, "zap")
    shown = repr(seen) + repr(record) + str(await gateway.rows("SELECT facts FROM audit"))
    for hidden in (gateway.fake.api_key, await secret_of(gateway), "ABCD1234", "IHDR"):
        assert hidden not in shown


async def test_a_number_that_is_connected_sends_what_waited(gateway):
    await gateway.connection("close", 401)
    await gateway.talks("oi")
    await begin(gateway)
    gateway.fake.scan()
    await channels.change(gateway.runtime, gateway.channel_id, ACTOR, values={"webhook_secret": ""})
    await gateway.connection("open", 200)
    await gateway.works()
    assert await gateway.statuses() == ["sent"]
