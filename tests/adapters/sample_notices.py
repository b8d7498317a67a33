"""Every sample body of every payment platform as the notice that it came in, and a source for each platform."""

from collections.abc import Mapping
from typing import Any

from engine.adapters.payments.protocol import Notice, SourceConfig
from engine.adapters.payments.registry import PLATFORMS
from tests.payload_files import ARRIVAL, load, names, raw

NOT_POSTED = ("/auth_headers.json", "/signature_sample.json")
GENERIC: Mapping[str, str] = {
    "event_path": "type", "id_path": "id", "phone_path": "buyer.phones.0", "email_path": "buyer.email",
    "name_path": "buyer.name", "transaction_path": "sale.code", "product_path": "sale.product.title",
    "product_id_path": "sale.product.id", "amount_path": "sale.total", "reference_path": "sale.tracking",
    "at_path": "when", "outcome.paid": "approved", "outcome.money.back": "refunded", "outcome.noise": "ignore",
}  # fmt: skip
GENERIC_BODY: Mapping[str, Any] = {
    "type": "paid", "id": "n-1", "when": "2026-08-01 10:06", "token": "segredo-json",
    "buyer": {"name": "Lead Um", "email": "lead1@exemplo.test", "phones": ["(41) 90000-0001"]},
    "sale": {"code": "S-1", "total": "197,00".replace(",", "."), "product": {"id": 7, "title": "Curso Exemplo"},
             "tracking": "conv-0001"},
}  # fmt: skip


def source(platform: str, **settings: str) -> SourceConfig:
    """A source of a platform with a secret for each of its keys."""
    secrets = {key: f"segredo-{key}" for key in PLATFORMS[platform].secrets}
    return SourceConfig(1, platform, "fonte", {**(GENERIC if platform == "json" else {}), **settings}, secrets)


def samples(platform: str) -> list[str]:
    """The files that hold posted bodies; answers to our questions are none."""
    return [name for name in names(platform) if not name.endswith(NOT_POSTED) and "/fetched_" not in name]


def notice_of(body: Any, data: bytes = b"") -> Notice:
    """The notice of a sample, which is a body or a whole request."""
    whole = isinstance(body, dict) and {"query", "body"} <= set(body)
    return Notice(
        raw=data,
        body=body["body"] if whole else body,
        query={str(key): str(value) for key, value in body["query"].items()} if whole else {},
        received_at=ARRIVAL,
    )


def sample(name: str) -> Notice:
    """The notice of one file."""
    return notice_of(load(name), raw(name))


def some(platform: str) -> Notice:
    """Any notice of a platform."""
    return notice_of(dict(GENERIC_BODY)) if platform == "json" else sample(samples(platform)[0])
