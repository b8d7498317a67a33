"""Asking the gateway's own store what became of a send: whether it left, and how far it came."""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from engine.adapters.channels.evolution import Evolution
from engine.adapters.channels.protocol import (
    ChannelConfig,
    Outgoing,
    OutgoingButton,
    OutgoingMedia,
    Recipient,
)
from engine.adapters.http import HttpRequest
from engine.adapters.http_client import Http
from tests.fakes.evolution import FakeEvolution, Sent
from tests.fakes.impatient import Impatient

GATEWAY = Evolution()
T0 = 1_785_589_200_000
LEAD, LID = "5541900000001", "900000000000001@lid"
TEXT = Outgoing(outbox_id=7, to=Recipient(phone=LEAD, lid=LID), text="Olá!")


@pytest.fixture
async def fake() -> AsyncIterator[FakeEvolution]:
    async with FakeEvolution(clock=lambda: T0) as server:
        yield server


@pytest.fixture
async def http(fake: FakeEvolution) -> AsyncIterator[Impatient]:
    async with Http() as client:
        yield Impatient(client, fake)


def config(fake: FakeEvolution, **settings: str) -> ChannelConfig:
    places = {"base_url": fake.base_url, "instance": fake.instance, **settings}
    return ChannelConfig(1, "evolution", "canal", places, {"api_key": fake.api_key})


@pytest.mark.parametrize("kind", ["hang_after", "reset_after", "cut_after", "empty_after"])
async def test_a_message_that_left_without_an_answer_is_found(fake: FakeEvolution, http: Impatient, kind: Any) -> None:
    fake.fail_next(kind)
    await GATEWAY.send(http, config(fake), TEXT)
    assert await GATEWAY.lookup(http, config(fake), TEXT, T0) == ("3EB0FAKE0001",)


@pytest.mark.parametrize("kind", ["hang_before", "reset_before", "html"])
async def test_a_message_that_never_left_is_not_found(fake: FakeEvolution, http: Impatient, kind: Any) -> None:
    fake.fail_next(kind)
    await GATEWAY.send(http, config(fake), TEXT)
    assert await GATEWAY.lookup(http, config(fake), TEXT, T0) == ()


async def test_only_the_same_words_to_the_same_person_since_then_are_alike(
    fake: FakeEvolution, http: Impatient
) -> None:
    await GATEWAY.send(http, config(fake), TEXT)

    async def found(outgoing: Outgoing = TEXT, since: int = T0, **settings: str) -> bool:
        return bool(await GATEWAY.lookup(http, config(fake, **settings), outgoing, since))

    assert await found()
    assert not await found(replace(TEXT, text="outra"))
    assert not await found(replace(TEXT, to=Recipient(phone="5541900000002")))
    assert await found(since=T0 + 4_900), "its clock may be a little behind"
    assert not await found(since=T0 + 6_000)
    assert not await found(base_url="http://127.0.0.1:1")
    assert not await found(instance="outra")


@pytest.mark.parametrize(
    ("kept", "asked", "found"),
    [
        ("5541988880001@s.whatsapp.net", Recipient(phone="554188880001"), True),
        ("554188880001@s.whatsapp.net", Recipient(phone="5541988880001"), True),
        (LID, Recipient(phone=LEAD, lid=LID), True),
        (LID, Recipient(phone=LEAD), False),
        ("900000000000002@lid", Recipient(phone=LEAD, lid=LID), False),
    ],
)
async def test_the_gateway_may_know_the_person_by_another_name_than_we_wrote_to(
    fake: FakeEvolution, http: Impatient, kept: str, asked: Recipient, found: bool
) -> None:
    """R70: with or without the ninth digit, or by a LID."""
    fake.sent.append(Sent("3EB0X", kept, {"text": "Olá!"}, T0))
    assert bool(await GATEWAY.lookup(http, config(fake), replace(TEXT, to=asked), T0)) is found


async def test_all_that_are_alike_are_told_the_newest_first(fake: FakeEvolution, http: Impatient) -> None:
    """Which of them is another send of ours, only we know."""
    for _ in range(2):
        await GATEWAY.send(http, config(fake), TEXT)
    assert await GATEWAY.lookup(http, config(fake), TEXT, T0) == ("3EB0FAKE0002", "3EB0FAKE0001")


@pytest.mark.parametrize(
    "outgoing",
    [
        replace(TEXT, buttons=(OutgoingButton("a", "Pix"), OutgoingButton("b", "Cartão"))),
        replace(TEXT, media=OutgoingMedia("image", "https://img.exemplo.test/a.jpg")),
        replace(TEXT, text=None, media=OutgoingMedia("image", "https://img.exemplo.test/a.jpg", "veja")),
        replace(TEXT, text=None, media=OutgoingMedia("document", "https://img.exemplo.test/a.pdf")),
        replace(TEXT, text=None, media=OutgoingMedia("audio", "https://img.exemplo.test/a.ogg")),
        replace(TEXT, text="  com espaços  "),
    ],
)
async def test_every_form_of_message_is_recognised_and_no_other(
    fake: FakeEvolution, http: Impatient, outgoing: Outgoing
) -> None:
    fake.sent.append(Sent("3EB0OTHER", f"{LEAD}@s.whatsapp.net", {"text": "outra coisa"}, T0))
    await GATEWAY.send(http, config(fake), outgoing)
    assert await GATEWAY.lookup(http, config(fake), outgoing, T0) == ("3EB0FAKE0001",)


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ([], None), (["PENDING"], None), (["SERVER_ACK"], "sent"), (["SERVER_ACK", "READ", "DELIVERY_ACK"], "read"),
        (["ERROR"], "failed"), (["ERROR", "SERVER_ACK"], "sent"), (["DELETED", "NEW"], None), (["PLAYED"], "played"),
    ],
)  # fmt: skip
async def test_the_furthest_that_a_message_came_is_told(
    fake: FakeEvolution, http: Impatient, told: list[str], expected: str | None
) -> None:
    await GATEWAY.send(http, config(fake), TEXT)
    fake.progress["3EB0FAKE0001"] = told
    assert await GATEWAY.progress(http, config(fake), "3EB0FAKE0001") == expected
    assert await GATEWAY.progress(http, config(fake), "3EB0OTHER") is None


@pytest.mark.parametrize("kind", ["hang_before", "reset_before", "html", "cut_after", "empty_after", "error"])
async def test_a_store_that_cannot_be_asked_knows_nothing(fake: FakeEvolution, http: Impatient, kind: Any) -> None:
    await GATEWAY.send(http, config(fake), TEXT)
    fake.progress["3EB0FAKE0001"] = ["READ"]
    fake.fail_next(kind, times=2)
    assert await GATEWAY.lookup(http, config(fake), TEXT, T0) == ()
    assert await GATEWAY.progress(http, config(fake), "3EB0FAKE0001") is None


async def test_a_name_of_an_instance_stays_one_step_of_the_address(fake: FakeEvolution, http: Impatient) -> None:
    """SEC-S19: whoever names an instance does not choose another call of the gateway."""
    request = GATEWAY.request(config(fake, instance="a/../../chat?x=1"), TEXT)
    assert isinstance(request, HttpRequest)
    assert request.url.endswith("/message/sendText/a%2F..%2F..%2Fchat%3Fx%3D1")
