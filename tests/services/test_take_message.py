"""Messages that wait together are taken in together, and nobody can tell that from what is stored (R20, R21, R22, R70)."""

from dataclasses import replace
from random import Random

import pytest

from engine.core.flow import SECOND
from engine.core.inbound import Message, Person
from engine.services.intake import Arrival
from engine.services.take_message import Letter, messages
from tests.services.shop import ANA, BIA

WITHOUT_NINTH = ANA[:4] + ANA[5:]
NAMES = [
    Person(phone=ANA),
    Person(phone=ANA, name="Ana"),
    Person(phone=WITHOUT_NINTH),
    Person(phone=ANA, lid="1@lid"),
    Person(lid="1@lid"),
    Person(phone=BIA),
    Person(phone=BIA, lid="2@lid", name="Bia"),
    Person(lid="1@lid", bsuid="BR.9"),
    Person(phone=BIA, lid="1@lid"),
]


class Undone(Exception):
    """Carries what a transaction had come to out of it; nothing of it stays."""


def letters(shop, dice):
    arrival = Arrival(0, shop.runtime.flows, "w", shop.flow, channel_id=shop.channel_id)
    now, made = shop.clock.now(), []
    for n in range(dice.randint(1, 8)):
        now += dice.choice([0, SECOND])
        person = dice.choice(NAMES)
        item = Message(
            provider_id=f"wamid.{NAMES.index(person)}.{dice.randint(1, 2)}",
            person=person,
            at=now - dice.choice([0, 2 * SECOND, 90_000 * SECOND]),
            kind="text",
            text=dice.choice(["oi", "quanto custa?", ""]),
        )
        made.append(Letter(replace(arrival, now=now, webhook_id=f"w{n}"), item))
    return made


def stored(tx):
    """Everything that was written, without the numbers of rows, which may have gaps."""
    of = "(SELECT MIN(i.value) FROM identity i WHERE i.contact_id = %s.contact_id)"
    return (
        sorted(map(str, tx.rows(f"""SELECT x.provider_id, x.text, x.at, x.received_at, x.outcome, x.reason,
            x.webhook_id, {of % "x"} AS person FROM inbound x"""))),
        sorted(map(str, tx.rows(f"""SELECT x.state, x.due_at, x.oldest_pending_at, x.last_inbound_at,
            {of % "x"} AS person FROM conversation x"""))),
        sorted(map(str, tx.rows("SELECT kind, value, seen_as FROM identity"))),
        sorted((row["at"], row["outcome"], row["reason"]) for row in tx.rows(
            "SELECT at, outcome, COALESCE(reason, '') AS reason FROM log")),
    )  # fmt: skip


async def come_to(shop, *groups):
    def unit(tx):
        for group in groups:
            assert messages(tx, group) == [None] * len(group)
        raise Undone(stored(tx))

    with pytest.raises(Undone) as seen:
        await shop.runtime.store.write("x", unit)
    return seen.value.args[0]


async def test_messages_taken_together_leave_what_they_leave_one_by_one(shop):
    """R20, R21, R22, R70: whatever is in the group, new people, second deliveries, several of one person."""
    for person in (ANA, BIA):
        await shop.talks(person, "bom dia")
    for seed in range(60):
        group = letters(shop, Random(seed))
        one_by_one = await come_to(shop, *([letter] for letter in group))
        assert await come_to(shop, group) == one_by_one, seed


async def test_a_burst_in_one_group_is_due_after_its_newest_message_and_no_later_than_the_ceiling(shop):
    """R22: quiet counts from the newest, the ceiling from the oldest."""
    await shop.talks(ANA, "bom dia")
    begun, arrival = shop.clock.now(), Arrival(0, shop.runtime.flows, "w", shop.flow, channel_id=shop.channel_id)
    debounce = shop.runtime.flows.known(shop.flow, 1).debounce_in((await shop.conversation()).snapshot.state)

    def burst(count):
        return [
            Letter(
                replace(arrival, now=begun + n * SECOND),
                Message(provider_id=f"b{n}", person=Person(phone=ANA), at=begun, kind="text", text="oi"),
            )
            for n in range(count)
        ]

    for count in (3, 4, 30):
        await shop.runtime.store.write("x", lambda tx, count=count: messages(tx, burst(count)))
        found = await shop.conversation()
        newest = begun + (count - 1) * SECOND
        assert found.oldest_pending_at == begun
        assert found.due_at == min(newest + debounce.quiet, begun + debounce.ceiling)
