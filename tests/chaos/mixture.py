"""Webhooks of every sort in one shuffled heap, with what has to be left behind when all of them were taken in."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.fakes.evolution import FakeEvolution
from tests.fakes.whatsapp import FakeWhatsApp
from tests.payload_files import load

HOTTOK = "token-da-prova"
TEXTS = ("oi", "quanto custa?", "tenho uma dúvida", "quero comprar", "👍")
TAKEN, UNREADABLE = 200, 400


@dataclass(frozen=True, slots=True)
class Post:
    """One request and the one answer that is right."""

    door: str
    raw: bytes
    headers: Mapping[str, str]
    status: int = TAKEN


@dataclass(slots=True)
class Mixture:
    """The posts in the order in which they come, and what they must leave: each thing once."""

    posts: list[Post] = field(default_factory=list)
    messages: set[tuple[str, str]] = field(default_factory=set)
    notices: set[str] = field(default_factory=set)
    paid: set[str] = field(default_factory=set)


def mixture(count: int, now_ms: int, cloud: FakeWhatsApp, gateway: FakeEvolution, seed: int = 1) -> Mixture:
    """About `count` posts; each is delivered a second time now and then, as every platform does."""
    dice, found = Random(seed), Mixture()
    while len(found.posts) < count:
        person = f"55419{dice.randrange(10_000_000, 10_000_000 + max(count // 8, 1))}"
        made = _one(dice, found, person, now_ms, cloud, gateway)
        found.posts += [made] * (2 if dice.random() < 0.15 else 1)
    dice.shuffle(found.posts)
    return found


def _one(dice: Random, found: Mixture, person: str, now_ms: int, cloud: FakeWhatsApp, gateway: FakeEvolution) -> Post:
    sort, number = dice.random(), len(found.posts)
    if sort < 0.45:
        found.messages.add(("cloud", f"wamid.M{number}"))
        return _signed(cloud, cloud.text_from(person, dice.choice(TEXTS), f"wamid.M{number}", now_ms))
    if sort < 0.65:
        found.messages.add(("gateway", f"3EB0M{number}"))
        return _plain(gateway.text_from(f"55519{person[5:]}", dice.choice(TEXTS), f"3EB0M{number}", now_ms))
    if sort < 0.75:
        news = {"id": f"wamid.OTHER{number}", "status": "delivered", "timestamp": str(now_ms // 1000)}
        return _signed(cloud, cloud.webhook(statuses=[{**news, "recipient_id": person}]))
    if sort < 0.85:
        return _notice(dice, found, person, number, now_ms)
    if sort < 0.90:
        return _plain(gateway.text_from("120363000000000000@g.us", "oi, grupo", f"3EB0G{number}", now_ms))
    if sort < 0.95:
        return _signed(
            cloud, {"object": "whatsapp_business_account", "entry": [{"id": "1", "changes": [{"field": "x"}]}]}
        )
    whole, _ = cloud.signed(cloud.text_from(person, "oi", f"wamid.CUT{number}", now_ms))
    cut = whole[: len(whole) // 2]
    return Post("cloud", cut, cloud.proof(cut), UNREADABLE)


def _notice(dice: Random, found: Mixture, person: str, number: int, now_ms: int) -> Post:
    """An approval; a third of them is old news of a purchase under another id."""
    body: dict[str, Any] = load("hotmart/purchase_approved_card.json")
    again = bool(found.paid) and dice.random() < 0.3
    buyer = dice.choice(sorted(found.paid)) if again else person
    body |= {"id": f"notice-{number}", "creation_date": now_ms}
    body["data"]["buyer"] |= {"checkout_phone": buyer}
    body["data"]["buyer"].pop("checkout_phone_code", None)
    body["data"]["purchase"]["transaction"] = f"HP{buyer}"
    for name in ("sckPaymentLink", "tracking"):
        body["data"]["purchase"].pop(name, None)
    found.notices.add(f"notice-{number}")
    found.paid.add(buyer)
    return Post("payment", json.dumps(body).encode(), {"x-hotmart-hottok": HOTTOK})


def _signed(cloud: FakeWhatsApp, body: Mapping[str, object]) -> Post:
    return Post("cloud", *cloud.signed(body))


def _plain(body: Mapping[str, object]) -> Post:
    return Post("gateway", json.dumps(body).encode(), {})
