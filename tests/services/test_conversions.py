"""The conversion of a week counts who began in it and came to a win, from the log alone."""

import pytest_asyncio

from engine.core.document import read
from engine.core.events import Snapshot
from engine.core.flow import DAY, HOUR
from engine.core.permissions import Actor
from engine.services import conversions, publish
from engine.store import conversations, journal
from engine.store.journal import About, Record
from tests.services.small_flow import small

ANA = Actor("ana@example.com")


def tree():
    made = small()
    made["states"]["PAGO"] = {"kind": "final", "look": "won"}
    made["events"]["pagamento"] = {"source": "payment"}
    made["globals"] = [{"id": "g1", "on": "pagamento", "to": "PAGO"}]
    made["ignore"].append({"state": "PAGO", "on": ["msg_recebida"]})
    return made


@pytest_asyncio.fixture
async def slug(runtime):
    await publish.publish_tree(runtime, tree(), "", ANA)
    return "pequeno"


async def began(runtime, ago, won_ago=None, to="PAGO"):
    """Somebody began so long ago, and came to a state so long ago."""
    now = runtime.clock.now()

    def unit(tx):
        snapshot = Snapshot(
            state="NOVO", previous=None, context={}, deadline_at=None, rung=0, entered_at=now - ago, last_inbound_at=0
        )
        made = conversations.open_cycle(tx, 1, None, "pequeno", 1, snapshot, now - ago)
        if won_ago is not None:
            entry = Record(outcome="transition", event_id=str(made.id), event="x", frm="NOVO", to=to)
            journal.record(tx, now - won_ago, About(conversation_id=made.id), entry)

    await runtime.store.write("k", unit)


async def told(runtime):
    now = runtime.clock.now()
    return await runtime.store.read(lambda tx: conversions.conversions(tx, runtime.flows, "pequeno", 1, now))


async def test_only_who_began_this_week_counts_each_on_their_day(runtime, slug):
    await began(runtime, 6 * DAY + HOUR, won_ago=HOUR)
    await began(runtime, HOUR, won_ago=HOUR)
    await began(runtime, 2 * HOUR)
    await began(runtime, HOUR, won_ago=HOUR, to="FIM")
    await began(runtime, 8 * DAY, won_ago=HOUR)

    found = await told(runtime)

    assert (found.began, found.won) == (4, 2)
    assert found.days[0] == (1, 1)
    assert found.days[-1] == (3, 1)


async def test_the_week_before_had_as_long_to_win_as_this_one(runtime, slug):
    await began(runtime, 13 * DAY, won_ago=8 * DAY)
    await began(runtime, 13 * DAY, won_ago=HOUR)
    await began(runtime, 15 * DAY, won_ago=8 * DAY)

    assert (await told(runtime)).before == (2, 1)


async def test_who_wins_twice_counts_once(runtime, slug):
    await began(runtime, HOUR, won_ago=HOUR)
    await runtime.store.write(
        "k",
        lambda tx: journal.record(
            tx, runtime.clock.now(), About(conversation_id=1), Record(outcome="transition", frm="PAGO", to="PAGO")
        ),
    )
    assert ((await told(runtime)).won, (await told(runtime)).began) == (1, 1)


async def test_a_flow_without_a_win_has_no_conversion(runtime):
    await publish.publish_tree(runtime, small(), "", ANA)
    await began(runtime, HOUR, won_ago=HOUR, to="FIM")

    found = await told(runtime)

    assert (found.possible, found.began, found.won) == (False, 1, 0)


def test_a_win_is_a_final_state_that_looks_like_one():
    going = small()
    going["states"]["CONVERSA"]["look"] = "won"
    assert conversions.wins([read(going)]) == frozenset()
    assert conversions.wins([read(going), read(tree())]) == frozenset({"PAGO"})
