"""Every sample body against the items that it must become; the expectations are data in expected_items.json.

SEC-S2.
"""

import json
from pathlib import Path

import pytest

from engine.adapters.bodies import decode
from engine.adapters.channels.protocol import ChannelConfig
from engine.adapters.channels.registry import channel
from engine.adapters.payments.protocol import Notice, SourceConfig
from engine.adapters.payments.registry import PLATFORMS, platform
from engine.core.inbound import Parsed
from tests.payload_files import ARRIVAL, names, plain, raw

EXPECTED = json.loads((Path(__file__).parent / "expected_items.json").read_text(encoding="utf-8"))
SETTINGS = {
    "whatsapp_cloud": {"phone_number_id": "100000000000001"},
    "evolution": {"instance": "loja-teste"},
}
INBOUND = [
    *names("whatsapp_cloud/in"),
    *names("evolution/in"),
    *(
        name
        for kind in PLATFORMS
        for name in names(kind)
        if not name.endswith(("/auth_headers.json", "/signature_sample.json"))
    ),
]
ABOUT = {"payment": "77000001"}
KEYS = {"access_token": "ficha", "api_key": "chave"}
SECRETS = (
    "CHAVE-INVENTADA", "CHAVE-GLOBAL-INVENTADA", "HOTTOK-INVENTADO", "SEGREDO-CAKTO-INVENTADO", "TOKEN-PP-INVENTADO",
    "TOKEN-TICTO-INVENTADO",
)  # fmt: skip


def parsed(name: str) -> Parsed:
    kind, _, file = name.partition("/")
    body = decode(raw(name), 4 * 1024 * 1024)
    if kind in SETTINGS:
        return channel(kind).parse(ChannelConfig(1, kind, "canal", SETTINGS[kind]), body, ARRIVAL)
    source = SourceConfig(1, kind, "fonte", secrets=KEYS)
    if file.startswith("fetched_"):
        fetch = platform(kind).fetch
        assert fetch is not None
        return fetch.answer(source, ABOUT, body, ARRIVAL)
    whole = {"query", "body"} <= set(body)
    notice = Notice(
        raw=raw(name),
        body=body["body"] if whole else body,
        query=body["query"] if whole else {},
        received_at=ARRIVAL,
    )
    return platform(kind).parse(source, notice)


def test_no_sample_body_is_without_an_expectation() -> None:
    assert sorted(EXPECTED) == sorted(INBOUND)


@pytest.mark.parametrize("name", INBOUND)
def test_a_recorded_body_becomes_exactly_its_items(name: str) -> None:
    assert [plain(item) for item in parsed(name).items] == EXPECTED[name]


@pytest.mark.parametrize("name", INBOUND)
def test_no_known_body_ends_as_unreadable(name: str) -> None:
    """R20: what a source is known to send is understood."""
    reasons = {item["reason"] for item in EXPECTED[name] if item["is"] == "Unknown"}
    assert reasons <= {"other_number"}


@pytest.mark.parametrize("name", INBOUND)
def test_no_secret_of_a_sender_is_kept(name: str) -> None:
    """Case 115: the gateway's key and the platform's token stand in bodies and are taken out before storing."""
    result = parsed(name)
    kept, items = json.dumps(result.kept), json.dumps([plain(item) for item in result.items])
    assert [secret for secret in SECRETS if secret in kept or secret in items] == []
    assert "CHAVE" not in items
