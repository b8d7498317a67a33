"""Every body that the gateway is known to post, through the real door: what is stored of it and what is answered."""

from pathlib import Path

import pytest

from engine.core.flow import HOUR, MINUTE, SECOND
from engine.services import receive
from tests.payload_files import load, names
from tests.services.gateway_shop import TOKEN

SECRETS = ("CHAVE-INVENTADA", "CHAVE-GLOBAL-INVENTADA", "2@CODIGO-INVENTADO", "PAREAMENTO", "SU1BR0VNLVFS")
QR = {
    "qrcode": {
        "instance": "loja-teste",
        "pairingCode": "PAREAMENTO",
        "code": "2@CODIGO-INVENTADO",
        "base64": "data:image/png;base64,SU1BR0VNLVFS",
    }
}


@pytest.fixture(params=["sqlite"])
def database_url(request):
    """One database: what is looked at are the bytes of its file."""
    return request.getfixturevalue("sqlite_url")


async def test_no_key_and_no_code_is_anywhere_in_the_database(gateway, sqlite_url):
    """S2: the gateway's key stands in every body, under two names, and a QR code links a telephone for a minute."""
    for name in names("evolution/in"):
        assert await gateway.posts(load(name)) == 200
    body = gateway.fake.webhook("qrcode.updated", QR)
    assert (
        await gateway.posts({**body, "api_key": "CHAVE-GLOBAL-INVENTADA", "data": {**QR, "APIKEY": "CHAVE-INVENTADA"}})
        == 200
    )
    await gateway.works()
    path = Path(sqlite_url.removeprefix("sqlite:///"))
    stored = b"".join(part.read_bytes() for part in path.parent.glob(f"{path.name}*"))
    assert b"oi, vi o an" in stored, "the bodies are there"
    for secret in SECRETS:
        assert secret.encode() not in stored, secret


@pytest.mark.parametrize("end", ['"', "", '", "x": 1', '\\"'])
async def test_the_beginning_of_a_body_that_nobody_could_read_holds_no_key_either(gateway, end):
    """R20, S2: its first 2 kB are kept, wherever it was cut."""
    cut = ('{"event": "messages.upsert", "data": {"a": "oi"}, "ApiKey" : "CHAVE-INVENTADA' + end).encode()
    assert (await receive.webhook(gateway.runtime, TOKEN, {}, cut)).status == 400
    (row,) = await gateway.rows("SELECT body FROM webhook")
    assert "messages.upsert" in row["body"]
    assert "CHAVE" not in row["body"]


async def test_what_a_reconnected_gateway_brings_late_is_answered_only_if_it_is_young(gateway):
    """R31: `append` and `notify` look alike, the time of the message says which is which."""
    at = gateway.clock.now()
    for age, jid in ((6 * HOUR + MINUTE, "5541900000011"), (6 * HOUR - MINUTE, "5541900000012")):
        await gateway.posts(gateway.fake.text_from(jid, "oi", f"3A{jid}", at - age))
    await gateway.after(5 * SECOND)
    assert [sent.jid[:13] for sent in gateway.fake.sent] == ["5541900000012"]
    assert ("ignored", "too_old") in await gateway.outcomes()


async def test_the_same_body_twice_or_under_the_name_of_its_event_is_one_message(gateway):
    """R20: with two webhooks on, and with one path for each event."""
    body = gateway.fake.text_from("5541900000001", "oi", "3AX", gateway.clock.now())
    for _ in range(3):
        assert await gateway.posts(body) == 200
    await gateway.after(5 * SECOND)
    assert len(gateway.fake.sent) == 1
