"""Messages that wait together are taken in together, and nobody can tell that from what is stored (R20, R21, R22, R70)."""

from dataclasses import replace
from random import Random

import pytest

from engine.core.flow import SECOND
from engine.core.inbound import Message, Person
from engine.services import channels
from engine.services.intake import Arrival
from engine.services.take_message import Letter, messages
from tests.services.shop import ACTOR, ANA, BIA, published_beside
from tests.services.small_flow import small

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


MENTORIA = small(
    slug="mentoria",
    entry={"words": ["mentoria"], "ads": ["777"]},
    actions={"oi": {"kind": "send", "text": "Oi!", "buttons": [{"id": "vaga", "title": "Quero a vaga"}]}},
)
AULA = small(slug="aula", entry={"words": ["aula gratis"]})
TEXTS = ["oi", "quanto custa?", "", "mentoria", "tem aula grátis?", "sim", "sim"]


class Undone(Exception):
    """Carries what a transaction had come to out of it; nothing of it stays."""


def letters(shop, dice, *, channels=(), quoted=(), names=NAMES):
    arrival = Arrival(0, shop.runtime.flows, "w", shop.flow, channel_id=shop.channel_id)
    arrivals = [arrival, *(replace(arrival, channel_id=number, flow=flow) for number, flow in channels)]
    texts = TEXTS if channels else TEXTS[:3]
    now, made = shop.clock.now(), []
    for n in range(dice.randint(1, 8)):
        now += dice.choice([0, SECOND])
        person = dice.choice(names)
        item = Message(
            provider_id=f"wamid.{NAMES.index(person)}.{dice.randint(1, 2)}",
            person=person,
            at=now - dice.choice([0, 2 * SECOND, 90_000 * SECOND]),
            kind="text",
            text=dice.choice(texts),
            reply_to=dice.choice([*[None] * 20, *quoted]) if quoted else None,
            button_id=dice.choice([None] * 5 + ["vaga"]) if channels else None,
            marks=dice.choice([{}] * 5 + [{"referral": {"source_id": "777"}}]) if channels else {},
        )
        made.append(Letter(replace(dice.choice(arrivals), now=now, webhook_id=f"w{n}"), item))
    return made


def stored(tx):
    """Everything that was written, without the numbers of rows, which may have gaps."""
    of = "(SELECT MIN(i.value) FROM identity i WHERE i.contact_id = %s.contact_id)"
    return (
        sorted(map(str, tx.rows(f"""SELECT x.provider_id, x.text, x.at, x.received_at, x.outcome, x.reason,
            x.webhook_id, x.route, c.flow, c.opened_at, {of % "x"} AS person FROM inbound x
            JOIN conversation c ON c.id = x.conversation_id"""))),
        sorted(map(str, tx.rows(f"""SELECT x.flow, x.state, x.due_at, x.oldest_pending_at, x.last_inbound_at, x.active_at,
            x.opened_at, x.channel_id, x.followed_by IS NULL AS current, {of % "x"} AS person FROM conversation x"""))),
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


async def test_so_do_those_of_people_with_cycles_in_several_flows(shop):
    """R71: whatever leads a message to a cycle, and whatever the message before it changed about that."""
    for tree in (MENTORIA, AULA):
        await published_beside(shop.runtime, tree)
    values = {"phone_number_id": "2", "app_secret": "s", "access_token": "t", "verify_token": "v"}
    second = await channels.add(shop.runtime, "whatsapp_cloud", "dois", ACTOR, token="canal-dois-de-teste", flow="mentoria", values=values)  # fmt: skip
    await shop.talks(ANA, "bom dia", "mentoria")
    await shop.talks(BIA, "mentoria")
    quoted = [letter.provider_id for letter in await shop.letters()]
    assert len({row["flow"] for row in await shop.rows("SELECT flow FROM conversation")}) == 2
    for seed in range(150):
        dice = Random(seed)
        names = [NAMES, [Person(phone=ANA), Person(phone=BIA)]][seed % 2]
        group = letters(shop, dice, channels=[(second.id, "mentoria")], quoted=[*quoted, "wamid.unknown"], names=names)
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
