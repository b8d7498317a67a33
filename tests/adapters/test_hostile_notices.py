"""Notices that mean harm: every one is refused or becomes items that any database takes, nothing is ever raised (R35)."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.adapters.bodies import decode
from engine.adapters.payments.registry import PLATFORMS
from engine.core.canonical import canonical
from engine.core.errors import BadSignature
from engine.core.inbound import Parsed, Payment
from tests.adapters.mutations import WRONG, places, replaced, without
from tests.adapters.sample_notices import GENERIC_BODY, notice_of, samples, source
from tests.payload_files import ARRIVAL, load, names, plain

LIMIT = 256 * 1024
FILES = [*(name for platform in PLATFORMS for name in samples(platform)), "json"]
ANSWERS = [name for name in names("mercadopago") if "/fetched_" in name]
CUSTOMER = {"id": "cus_000000000001", "name": "Lead Um", "mobilePhone": "41900000001", "email": "lead1@exemplo.test"}
ABOUT = {"payment": "77000001", "customer": "cus_000000000001", "notice": load("asaas/payment_received.json")}


def body_of(name: str) -> Any:
    return dict(GENERIC_BODY) if name == "json" else load(name)


def storable_items(parsed: Parsed) -> None:
    """Whatever it was, something is left to see, and all of it can be stored."""
    assert parsed.items, "something must stay visible (R29)"
    for value in (parsed.kept, *(plain(item) for item in parsed.items)):
        text = canonical(value)
        assert "\x00" not in text and "\\u0000" not in text
        text.encode()
    for item in parsed.items:
        assert not isinstance(item, Payment) or item.amount_cents is None or 0 <= item.amount_cents < 1 << 53


def swallow(platform: str, body: Any) -> None:
    """One body through the door of one platform."""
    raw = json.dumps(body).encode()
    if len(raw) > LIMIT or not isinstance(body, dict):
        return
    whole = decode(raw, LIMIT)
    if "query" in whole and not isinstance(whole["query"], dict):
        return  # a query is always a table of texts
    notice = notice_of(whole, raw)
    if not isinstance(notice.body, dict):
        return
    config = source(platform)
    if platform != "pix_bcb":
        with pytest.raises(BadSignature):
            PLATFORMS[platform].proof.verify(config, notice)
    storable_items(PLATFORMS[platform].parse(config, notice))


@pytest.mark.parametrize("name", FILES)
def test_any_value_may_stand_anywhere_in_a_notice(name: str) -> None:
    body, platform = body_of(name), name.partition("/")[0]
    for number, place in enumerate(places(body)):
        for value in WRONG[number % 3 :: 3]:
            swallow(platform, replaced(body, place, value))


@pytest.mark.parametrize("name", FILES)
def test_any_key_of_a_notice_may_be_missing(name: str) -> None:
    body, platform = body_of(name), name.partition("/")[0]
    for less in without(body):
        swallow(platform, less)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=12,
)


@settings(max_examples=400, deadline=None)
@given(st.data())
def test_no_notice_raises_however_it_is_changed(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(FILES))
    body = body_of(name)
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.sampled_from(places(body)))
        body = replaced(body, place, data.draw(JSON | st.sampled_from(WRONG)))
    swallow(name.partition("/")[0], body)


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(sorted(PLATFORMS)), st.dictionaries(st.text(max_size=8), JSON, max_size=4))
def test_no_object_raises(platform: str, body: dict[str, Any]) -> None:
    swallow(platform, body)


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_no_answer_of_a_platform_raises_however_it_is_changed(data: st.DataObject) -> None:
    platform = data.draw(st.sampled_from(["mercadopago", "asaas"]))
    body: Any = load(data.draw(st.sampled_from(ANSWERS))) if platform == "mercadopago" else dict(CUSTOMER)
    for _ in range(data.draw(st.integers(1, 3))):
        body = replaced(body, data.draw(st.sampled_from(places(body))), data.draw(JSON | st.sampled_from(WRONG)))
    raw = json.dumps(body).encode()
    fetch = PLATFORMS[platform].fetch
    if fetch is not None and isinstance(body, dict) and len(raw) < LIMIT:
        storable_items(fetch.answer(source(platform), ABOUT, decode(raw, LIMIT), ARRIVAL))


@settings(max_examples=100, deadline=None)
@given(
    st.sampled_from(["mercadopago", "asaas"]),
    st.dictionaries(st.sampled_from(sorted(ABOUT)), JSON | st.sampled_from(["..", "../x", "1?a=b", "1#", "é/", "77"])),
)
def test_no_question_leaves_the_platform_s_own_address(platform: str, about: dict[str, Any]) -> None:
    """SEC-S19: what a notice names is one part of a path, whatever it holds."""
    fetch = PLATFORMS[platform].fetch
    request = None if fetch is None else fetch.request(source(platform, base_url="http://127.0.0.1:9/api/"), about)
    start = "http://127.0.0.1:9/api" + {"mercadopago": "/v1/payments/", "asaas": "/v3/customers/"}[platform]
    if request is not None:
        assert request.url.startswith(start)
        asked = request.url.removeprefix(start)
        assert asked not in ("", ".", "..") and not set(asked) & set("/?#\\ \r\n")


def test_a_thousand_pix_in_one_post_are_a_thousand_payments() -> None:
    pix = load("pix_bcb/one_pix.json")["pix"][0]
    many = [{**pix, "endToEndId": f"E{n}", "txid": f"t{n}"} for n in range(1_000)]
    items = PLATFORMS["pix_bcb"].parse(source("pix_bcb"), notice_of({"pix": many})).items
    assert len({item.event_id for item in items if isinstance(item, Payment)}) == 1_000
