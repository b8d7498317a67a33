"""Who may post to the Cloud API's webhook: signatures over raw bytes and the handshake (S1, S2) (SEC-S1)."""

import hashlib
import hmac

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.adapters.channels.cloud_api import CloudApi
from engine.adapters.channels.protocol import ChannelConfig
from engine.core.errors import BadSignature
from tests.payload_files import load, raw

HTTP = "whatsapp_cloud/http"
SAMPLES = load(f"{HTTP}/signature_samples.json")
CLOUD = CloudApi()


def config(**secrets: str) -> ChannelConfig:
    return ChannelConfig(1, "whatsapp_cloud", "canal", {}, secrets)


def signature(secret: str, body: bytes) -> str:
    return "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()


def refused(given: ChannelConfig, headers: dict[str, str], body: bytes) -> bool:
    try:
        CLOUD.verify(given, headers, body)
    except BadSignature as error:
        return error.reason == "signature"
    return False


@pytest.mark.parametrize("sample", SAMPLES["samples"], ids=lambda sample: sample["body_file"])
def test_a_recorded_signature_holds_over_the_bytes_as_received(sample: dict[str, str]) -> None:
    body = raw(f"{HTTP}/{sample['body_file']}")
    CLOUD.verify(config(app_secret=SAMPLES["secret"]), {SAMPLES["header"]: sample["value"]}, body)


def test_the_signature_of_the_other_spelling_does_not_hold() -> None:
    """Both spellings of one message parse alike; only the bytes tell them apart."""
    sample = SAMPLES["must_fail"]
    body = raw(f"{HTTP}/{sample['body_file']}")
    assert refused(config(app_secret=SAMPLES["secret"]), {SAMPLES["header"]: sample["value"]}, body)


@given(st.binary(max_size=200), st.integers(min_value=0))
def test_one_flipped_bit_in_body_or_signature_is_refused(body: bytes, position: int) -> None:
    good = signature("s", body)
    if body:
        flipped = bytearray(body)
        flipped[position % len(body)] ^= 1 << position % 8
        assert refused(config(app_secret="s"), {"X-Hub-Signature-256": good}, bytes(flipped))
    place = 7 + position % 64
    other = "0" if good[place] != "0" else "1"
    assert refused(config(app_secret="s"), {"X-Hub-Signature-256": good[:place] + other + good[place + 1 :]}, body)


@pytest.mark.parametrize(
    "given_signature",
    ["", "sha256=", "sha1=abc", "abc", "ção", "\x00", "sha256=" + "0" * 64, "SHA256=" + signature("s", b"{}")[7:],
     signature("s", b"{}").upper(), signature("s", b"{}") + " ", signature("s", b"{}")[7:], "\ud83d"],
)  # fmt: skip
def test_anything_but_the_exact_signature_is_refused(given_signature: str) -> None:
    assert refused(config(app_secret="s"), {"X-Hub-Signature-256": given_signature}, b"{}")


def test_without_header_or_without_secret_nothing_enters() -> None:
    """Fail closed: a channel without an app secret takes nothing, not everything."""
    assert refused(config(app_secret="s"), {}, b"{}")
    for empty in (config(), config(app_secret=""), config(app_secret=" , ")):
        assert refused(empty, {"X-Hub-Signature-256": signature("", b"{}")}, b"{}")


def test_the_name_of_the_header_has_no_case() -> None:
    CLOUD.verify(config(app_secret="s"), {"x-hub-signature-256": signature("s", b"{}")}, b"{}")


def test_two_secrets_count_while_one_is_replaced_and_the_old_one_not_after() -> None:
    old = {"X-Hub-Signature-256": signature("velho", b"{}")}
    CLOUD.verify(config(app_secret="novo, velho"), old, b"{}")
    CLOUD.verify(config(app_secret="novo,velho"), {"X-Hub-Signature-256": signature("novo", b"{}")}, b"{}")
    assert refused(config(app_secret="novo"), old, b"{}")


def test_the_handshake_answers_the_challenge_to_the_right_token_only() -> None:
    query = load(f"{HTTP}/verify_get.json")["request"]["query"]
    good = config(verify_token=query["hub.verify_token"])
    assert CLOUD.handshake(good, query) == "1158201444"
    assert CLOUD.handshake(config(verify_token="outro"), query) is None
    assert CLOUD.handshake(config(), {**query, "hub.verify_token": ""}) is None
    assert CLOUD.handshake(good, {**query, "hub.mode": "unsubscribe"}) is None
    assert CLOUD.handshake(good, {}) is None


def test_a_configuration_shows_no_secret() -> None:
    """S22: what is printed by mistake holds nothing worth stealing."""
    assert "segredo" not in repr(config(app_secret="segredo"))
