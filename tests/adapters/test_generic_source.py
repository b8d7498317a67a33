"""Any other sender of JSON: found by the paths and read by the mapping of the source's settings."""

from typing import Any

import pytest

from engine.adapters.payments.generic import GENERIC, found
from engine.adapters.payments.protocol import Notice, SourceConfig
from engine.core.errors import BadSignature
from engine.core.inbound import Ignored, Item, Payment, Person, Unknown
from tests.adapters.sample_notices import GENERIC_BODY, notice_of, source
from tests.payload_files import ARRIVAL


def read(changes: dict[str, Any] | None = None, **settings: str) -> Item:
    (item,) = GENERIC.parse(source("json", **settings), notice_of({**GENERIC_BODY, **(changes or {})})).items
    return item


def test_everything_is_found_where_the_settings_say() -> None:
    item = read()
    assert item == Payment(
        event_id="1:n-1",
        platform="json",
        outcome="approved",
        at=1_785_589_560_000,
        person=Person(phone="5541900000001", name="Lead Um", email="lead1@exemplo.test", reference="conv-0001"),
        transaction="1:S-1",
        product="Curso Exemplo",
        amount_cents=19_700,
        data={"event": "paid", "product_id": 7},
    )


def test_two_sources_that_count_alike_are_told_apart() -> None:
    other = SourceConfig(2, "json", "outra", source("json").settings)
    (item,) = GENERIC.parse(other, notice_of(dict(GENERIC_BODY))).items
    mine = read()
    assert isinstance(item, Payment) and isinstance(mine, Payment)
    assert (item.event_id, item.business_key) == ("2:n-1", "json:2:S-1:approved")
    assert mine.business_key == "json:1:S-1:approved"


@pytest.mark.parametrize(
    ("changes", "settings", "expected"),
    [
        ({"type": "money.back"}, {}, "refunded"),
        ({"type": "noise"}, {}, Ignored(reason="by_setting", provider_id="n-1", at=1_785_589_560_000)),
        ({"type": "news"}, {}, Unknown(reason="unknown_event", name="news")),
        ({"type": "news"}, {"outcome.news": "charged_back"}, "charged_back"),
        ({"type": 7}, {"outcome.7": "pix"}, "pix"),
        ({"type": None}, {}, Unknown(reason="unknown_event")),
        ({"id": None}, {}, Unknown(reason="unreadable_shape", name="paid")),
        ({}, {"id_path": ""}, Unknown(reason="unreadable_shape", name="paid")),
    ],
)
def test_an_event_means_what_the_mapping_says(
    changes: dict[str, Any], settings: dict[str, str], expected: object
) -> None:
    item = read(changes, **settings)
    assert (item.outcome if isinstance(item, Payment) else item) == expected


def test_without_a_transaction_only_the_id_tells_doubles() -> None:
    item = read(transaction_path="")
    assert isinstance(item, Payment) and item.business_key is None


def test_an_amount_may_be_in_cents() -> None:
    item = read({"sale": {"total": 19700}}, amount_in="cents")
    assert isinstance(item, Payment) and item.amount_cents == 19_700


def test_a_time_that_is_not_there_is_the_arrival() -> None:
    item = read(at_path="nowhere.at.all")
    assert isinstance(item, Payment) and item.at == ARRIVAL


@pytest.mark.parametrize(
    ("path", "expected"),
    [("a", {"b": [1, {"c": 2}]}), ("a.b.1.c", 2), ("a.b.0", 1), ("a.b.2", None), ("a.b.-1", None), ("a.b.x", None),
     ("a.b.0.c", None), ("", None), (".", None), ("a..b", None), ("a." * 1_000, None), ("a.b.²", None)],
)  # fmt: skip
def test_a_path_leads_to_a_place_or_nowhere(path: str, expected: object) -> None:
    assert found({"a": {"b": [1, {"c": 2}]}}, path) == expected


def test_the_secret_may_come_in_a_header_of_any_name_or_in_the_body_and_is_not_kept() -> None:
    body = dict(GENERIC_BODY)
    for settings, headers, welcome in (
        ({}, {"X-Webhook-Token": "segredo-token"}, True),
        ({"token_header": "X-Loja"}, {"x-loja": "segredo-token"}, True),
        ({"token_header": "X-Loja"}, {"X-Webhook-Token": "segredo-token"}, False),
        ({"token_field": "token"}, {"X-Webhook-Token": "segredo-token"}, False),
    ):
        notice = Notice(raw=b"", body=body, received_at=ARRIVAL, headers=headers)
        if welcome:
            GENERIC.proof.verify(source("json", **settings), notice)
        else:
            with pytest.raises(BadSignature):
                GENERIC.proof.verify(source("json", **settings), notice)
    told = notice_of({**body, "token": "segredo-token"})
    GENERIC.proof.verify(source("json", token_field="token"), told)
    assert "segredo-token" not in str(GENERIC.parse(source("json", token_field="token"), told).kept)
