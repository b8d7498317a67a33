"""What holds for every payment platform: what it declares, and that nobody enters without the proof that it asks for."""

import json
from collections.abc import Mapping
from dataclasses import replace

import pytest

from engine.adapters.payments.protocol import Notice, SourceConfig
from engine.adapters.payments.registry import PLATFORMS, platform
from engine.core.errors import BadSignature, NotFound
from engine.core.inbound import OUTCOMES, Inquiry, Payment
from tests.adapters.sample_notices import notice_of, sample, samples, some, source
from tests.payload_files import load, raw

NAMES = sorted(PLATFORMS)
GUARDED = [name for name in NAMES if name != "pix_bcb"]
SIGNED = ["kiwify", "eduzz", "stripe", "mercadopago"]
IN_BODY = {"cakto": "secret", "perfectpay": "token", "ticto": "token"}


def refused(name: str, notice: Notice, config: SourceConfig | None = None) -> bool:
    try:
        PLATFORMS[name].proof.verify(config or source(name), notice)
    except BadSignature:
        return True
    return False


def sent(name: str, config: SourceConfig | None = None) -> Notice:
    """A notice as the platform posts it."""
    bare = some(name)
    body = {key: value for key, value in bare.content.items() if key != IN_BODY.get(name)}
    bare = replace(bare, body=body, raw=json.dumps(body).encode())
    return PLATFORMS[name].proof.prove(config or source(name), bare)


def test_every_platform_stands_under_its_own_name_and_an_unknown_one_is_not_found() -> None:
    assert all(PLATFORMS[name].name == name for name in NAMES)
    with pytest.raises(NotFound):
        platform("banco-do-tio")


@pytest.mark.parametrize("name", NAMES)
def test_a_platform_declares_everything_that_the_documentation_and_the_settings_need(name: str) -> None:
    declared = PLATFORMS[name]
    keys = [key.name for key in declared.keys]
    assert declared.title and declared.secrets and declared.proof.about
    assert len(set(keys)) == len(keys) and all(key.about for key in declared.keys)
    assert not {"name", "flow", "platform"} & set(keys)
    assert declared.outcomes <= set(OUTCOMES)
    assert 200 <= declared.answer < 300
    assert declared.fetch is None or "base_url" in keys


def test_asaas_is_answered_exactly_200() -> None:
    """Anything else counts as a failure there, and after fifteen of them its queue stops."""
    assert PLATFORMS["asaas"].answer == 200


@pytest.mark.parametrize("name", NAMES)
def test_the_outcomes_of_a_platform_are_those_that_it_declares(name: str) -> None:
    items = [item for file in samples(name) for item in PLATFORMS[name].parse(source(name), sample(file)).items]
    assert {item.outcome for item in items if isinstance(item, Payment)} <= PLATFORMS[name].outcomes
    assert all(item.platform == name for item in items if isinstance(item, Payment))


@pytest.mark.parametrize("name", NAMES)
def test_only_platforms_that_can_be_asked_leave_something_to_ask(name: str) -> None:
    items = [item for file in samples(name) for item in PLATFORMS[name].parse(source(name), sample(file)).items]
    asks = any(isinstance(item, Inquiry) or (isinstance(item, Payment) and item.ask) for item in items)
    assert asks == (PLATFORMS[name].fetch is not None)


@pytest.mark.parametrize("name", NAMES)
def test_what_the_platform_posts_is_let_in(name: str) -> None:
    assert not refused(name, sent(name))


@pytest.mark.parametrize("name", GUARDED)
def test_whoever_has_another_secret_or_none_stays_outside(name: str) -> None:
    """SEC-S1: whoever knows the address could otherwise post an approval."""
    other = replace(source(name), secrets=dict.fromkeys(PLATFORMS[name].secrets, "errado"))
    assert refused(name, sent(name, other))
    assert refused(name, replace(some(name), headers={}, query={}, body={}))
    assert refused(name, replace(some(name), headers={}, query={}, body=None))


@pytest.mark.parametrize("name", GUARDED)
def test_a_source_without_its_secret_lets_nobody_in(name: str) -> None:
    """SEC-S1: no secret means no entry, also for two empty texts."""
    for value in ("", " , "):
        empty = replace(source(name), secrets=dict.fromkeys(PLATFORMS[name].secrets, value))
        assert refused(name, sent(name, empty), empty)
        assert refused(name, sent(name), empty)


@pytest.mark.parametrize("name", GUARDED)
def test_two_secrets_count_while_one_is_replaced(name: str) -> None:
    key = PLATFORMS[name].secrets[-1] if name == "pagarme" else PLATFORMS[name].secrets[0]
    config = source(name)
    old, both = sent(name), replace(config, secrets={**config.secrets, key: f"novo, segredo-{key}"})
    new = sent(name, replace(config, secrets={**config.secrets, key: "novo"}))
    assert not refused(name, old, both) and not refused(name, new, both)
    assert refused(name, new)


@pytest.mark.parametrize("name", ["kiwify", "eduzz", "stripe"])
def test_a_signature_is_over_every_byte_of_the_body(name: str) -> None:
    notice = sent(name)
    for n in range(0, len(notice.raw), 97):
        flipped = bytes(byte ^ (1 if i == n else 0) for i, byte in enumerate(notice.raw))
        assert refused(name, replace(notice, raw=flipped))
    assert refused(name, replace(notice, raw=notice.raw + b" "))


@pytest.mark.parametrize("name", SIGNED)
def test_a_signature_of_another_shape_is_refused_and_never_raises(name: str) -> None:
    notice = sent(name)
    place = notice.query if name == "kiwify" else notice.headers
    (key,) = [key for key in place if "signature" in key.lower()]
    right = place[key]
    for wrong in (
        "",
        "é",
        "t=,v1=",
        "t=x,v1=y",
        "ts=1",
        "=,=",
        right.upper() + "0",
        right[:-1],
        right + "0",
        "v1=" * 99,
    ):
        given = {**place, key: wrong}
        changed = replace(notice, query=given) if name == "kiwify" else replace(notice, headers=given)
        assert refused(name, changed)


@pytest.mark.parametrize("name", ["kiwify", "eduzz", "stripe", "mercadopago"])
def test_the_signature_of_a_recorded_request_holds(name: str) -> None:
    """SEC-S2: values that were computed elsewhere."""
    given = load(f"{name}/signature_sample.json")
    secret = {"token" if name == "kiwify" else "secret": given.get("token") or given["secret"]}
    config = SourceConfig(1, name, "fonte", secrets=secret)
    if name == "mercadopago":
        notice = replace(sample("mercadopago/webhook_payment_updated.json"), headers=given["headers"])
    else:
        body = raw(f"{name}/{given['body_file']}")
        headers = {given["header"]: given["value"]} if "header" in given else {}
        query = {} if headers else {"signature": given["value"]}
        when = 1_785_589_801_000
        notice = Notice(raw=body, body=json.loads(body), headers=headers, query=query, received_at=when)
    assert not refused(name, notice, config)


def test_a_stripe_notice_is_at_most_five_minutes_old() -> None:
    """SEC-S3."""
    notice = sent("stripe")
    for late, expected in ((300_000, False), (300_999, True), (-300_000, False), (-302_000, True)):
        assert refused("stripe", replace(notice, received_at=notice.received_at + late)) is expected


def test_any_of_several_stripe_signatures_will_do() -> None:
    notice = sent("stripe")
    moment, signature = notice.headers["Stripe-Signature"].split(",")
    several = f"{moment},v0=abc,v1=errado,{signature}"
    assert not refused("stripe", replace(notice, headers={"stripe-signature": several}))


def test_mercado_pago_signs_the_id_in_the_query_in_lower_case_and_not_the_body() -> None:
    """Case 053: who reads the id in the body never finds the signature right."""
    config = source("mercadopago")
    notice = notice_of({"query": {"data.id": "ABC9", "type": "payment"}, "body": {"data": {"id": "1"}}})
    proved = PLATFORMS["mercadopago"].proof.prove(config, notice)
    assert not refused("mercadopago", replace(proved, body={"data": {"id": "2"}}, raw=b"x"))
    assert not refused("mercadopago", replace(proved, query={"data.id": "abc9"}))
    assert refused("mercadopago", replace(proved, query={"data.id": "abc8"}))
    assert refused("mercadopago", replace(proved, headers={**proved.headers, "x-request-id": "other"}))


def test_what_is_absent_is_left_out_of_mercado_pago_s_line() -> None:
    bare = notice_of({"query": {}, "body": {}})
    config = source("mercadopago")
    headers: Mapping[str, str] = PLATFORMS["mercadopago"].proof.prove(config, bare).headers
    assert not refused("mercadopago", replace(bare, headers=headers))


def test_a_wrapped_kiwify_order_may_be_signed_inside_its_wrapper() -> None:
    order = raw("kiwify/order_approved.json").strip()
    inner = Notice(raw=order, body=json.loads(order), received_at=0)
    query = PLATFORMS["kiwify"].proof.prove(source("kiwify"), inner).query
    wrapped = b'{"url":"x", "order":' + order + b"}"
    assert not refused("kiwify", Notice(raw=wrapped, body=json.loads(wrapped), query=query, received_at=0))
    other = wrapped.replace(b'"paid"', b'"paid "')
    assert refused("kiwify", Notice(raw=other, body=json.loads(other), query=query, received_at=0))


def test_a_bank_needs_the_header_only_where_the_source_has_a_token() -> None:
    """Its certificate is looked at by the server in front; the secret address stays."""
    notice = sample("pix_bcb/one_pix.json")
    assert not refused("pix_bcb", notice, SourceConfig(1, "pix_bcb", "banco"))
    assert refused("pix_bcb", notice)
    assert not refused("pix_bcb", replace(notice, headers={"X-Pix-Token": "segredo-token"}))
    named = source("pix_bcb", header="X-Client-Verify")
    assert refused("pix_bcb", replace(notice, headers={"X-Pix-Token": "segredo-token"}), named)
    assert not refused("pix_bcb", replace(notice, headers={"x-client-verify": "segredo-token"}), named)


@pytest.mark.parametrize("name", IN_BODY)
def test_a_secret_in_the_body_is_not_kept(name: str) -> None:
    """SEC-S2."""
    kept = PLATFORMS[name].parse(source(name), sent(name)).kept
    assert "segredo" not in json.dumps(kept)
