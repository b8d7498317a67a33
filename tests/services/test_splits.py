"""Splits in earnest: one contact, one branch, whatever comes in between; and what became of each branch."""

from typing import Any

import pytest

from engine import samples
from engine.core import edits
from engine.core.document import read
from engine.core.interpreter import opening
from engine.core.permissions import Actor
from engine.core.splits import point
from engine.services import publish
from engine.services.decide import SPLIT
from engine.services.doctor import examine
from engine.services.doctor_chains import verify
from engine.services.merge import merge
from engine.services.replay import replayed
from engine.services.splits import results
from engine.store import conversations, cycles
from engine.store.lanes import Store
from tests.runtimes import a_runtime
from tests.services.shop import ANA, BIA, Provider, opened

DORA = Actor("dora@loja.example")
FIELD = "variant(ENGAJADO, pediu_preco)"
OFFER, LINK = "NEGOCIANDO", "CHECKOUT_ENVIADO"


def tried(**shares: int) -> dict[str, Any]:
    """The sample, in which who asks the price gets the offer (t8) or the link at once (t8_b)."""
    tree = edits.split_transition(samples.tree("venda"), "t8")
    tree = edits.set_transition(tree, "t8_b", "to", LINK)
    tree = edits.set_transition(tree, "t8_b", "do", ["mandar_link"])
    return edits.set_shares(tree, "t8", shares) if shares else tree


@pytest.fixture
async def testing(database_url):
    runtime = a_runtime(database_url, store=Store(database_url, inline=True), http=Provider())
    yield await opened(runtime, flow={"document": tried()})
    await runtime.close()


def lead(number: int) -> str:
    return f"55419000010{number:02}"


def wanted(contact_id: int, share: int = 50) -> str:
    return OFFER if point(contact_id, "venda", FIELD) < share else LINK


async def asks(shop, phone: str, words: str = "quanto custa?") -> str:
    await shop.talks(phone, "oi", words)
    return await shop.state(phone)


async def sound(shop) -> None:
    verdicts = await examine(shop.runtime.store, shop.clock.now())
    assert {verdict.invariant: verdict.rows for verdict in verdicts if not verdict.holds} == {}
    assert (await verify(shop.runtime.store)).broken is None


async def draws(shop) -> list[dict[str, Any]]:
    return await shop.rows(
        "SELECT contact_id, outcome, reason, facts FROM log WHERE reason = :why ORDER BY id", why=SPLIT
    )


async def test_each_lead_takes_the_branch_of_their_point_and_the_log_says_why(testing):
    went = {}
    for number in range(12):
        went[number] = await asks(testing, lead(number))
        assert went[number] == wanted((await testing.person(lead(number)))["id"])

    assert set(went.values()) == {OFFER, LINK}
    rows = await draws(testing)
    assert len(rows) == 12
    for row in rows:
        at = point(row["contact_id"], "venda", FIELD)
        letter = "A" if at < 50 else "B"
        assert f'"split":{{"point":{at},"share":50,"variant":"{letter}"}}' in row["facts"]
        assert row["outcome"] == "transition"
    assert [t for t in testing.provider.texts if "oferta" in t.lower() or "http" in t]
    await sound(testing)


async def test_decided_again_each_takes_their_branch_and_other_shares_differ_for_who_crosses_the_border(testing):
    """R62."""
    went = [await asks(testing, lead(number)) for number in range(8)]

    same = await replayed(testing.runtime, "venda", read(tried()), 0)
    assert (same.differing, same.unclear) == (0, 0) and same.decisions >= 8

    other = await replayed(testing.runtime, "venda", read(tried(t8=100, t8_b=0)), 0)
    assert (other.differing, other.unclear) == (went.count(LINK), 0)


async def test_a_second_cycle_takes_the_same_branch_and_the_event_is_no_reason_for_anything(testing):
    first = {phone: await asks(testing, phone) for phone in (lead(1), lead(2), lead(3), lead(4))}

    for phone, took in first.items():
        old = await testing.conversation(phone)

        def again(tx, old=old):
            now, flow = testing.clock.now(), testing.runtime.flows.within(tx, "venda", 1)
            made = conversations.open_cycle(
                tx, old.contact_id, testing.channel_id, "venda", 1, opening(flow, now, f"again:{old.id}"), now
            )
            cycles.succeed(tx, old.id, made.id)

        await testing.runtime.store.write("x", again)
        assert await testing.state(phone) == "NOVO"
        assert await asks(testing, phone, "qual o valor?") == took

    assert len(await draws(testing)) == 8


async def test_after_a_merge_the_branch_is_that_of_the_contact_who_stays(testing):
    """The two who are merged would have taken different branches."""
    pairs = [(lead(n), lead(n + 1)) for n in range(11)]
    for phone in [lead(n) for n in range(12)]:
        await testing.talks(phone, "oi")

    async def id_of(phone: str) -> int:
        return (await testing.person(phone))["id"]

    ids = {phone: await id_of(phone) for pair in pairs for phone in pair}
    one, other = next(pair for pair in pairs if wanted(ids[pair[0]]) != wanted(ids[pair[1]]))

    def unit(tx):
        return merge(tx, testing.runtime.flows, testing.clock.now(), ids[one], ids[other], DORA, "message", {})

    await testing.runtime.store.write("x", unit)
    stays = (await testing.person(one))["id"]
    await testing.talks(one, "quanto custa?")

    assert await testing.state(one) == wanted(stays)
    assert {row["contact_id"] for row in await draws(testing)} == {stays}
    await sound(testing)


async def test_what_became_of_each_branch_is_counted_by_contact(testing):
    people = [lead(number) for number in range(10)]
    state = {phone: await asks(testing, phone) for phone in people}
    buyers = people[:4]
    for number, phone in enumerate(buyers):
        await testing.pays(phone, tx=f"HP{number}", named=f"evt-{number}")
        await testing.works()
        assert await testing.state(phone) == "PAGO"
    await testing.talks(buyers[0], "quanto custa?")

    found = await results(testing.runtime, "venda", "t8_b")

    assert found is not None
    assert [(r.branch.letter, r.rate.people, r.rate.won) for r in found.branches] == [
        (letter, sum(s == goal for s in state.values()), sum(state[phone] == goal for phone in buyers))
        for letter, goal in (("A", OFFER), ("B", LINK))
    ]
    assert (found.since, found.winner) == (1, None)
    assert await results(testing.runtime, "venda", "t9") is None
    assert await results(testing.runtime, "nada", "t8") is None


async def test_a_purchase_before_the_branch_or_in_another_flow_is_none_of_its_sales(testing):
    await testing.talks(ANA, "oi")
    await testing.pays(ANA)
    await testing.works()
    assert await testing.state(ANA) == "PAGO"
    await asks(testing, BIA)

    found = await results(testing.runtime, "venda", "t8")

    assert found is not None
    assert sorted((r.rate.people, r.rate.won) for r in found.branches) == [(0, 0), (1, 0)]


async def test_a_version_that_leaves_the_test_alone_goes_on_counting_and_another_begins_anew(testing):
    await asks(testing, ANA)
    other = edits.set_state(tried(), "NOVO", "waiting_for", "um oi")
    assert await publish.publish_tree(testing.runtime, other, "", DORA) == 2
    await asks(testing, BIA)

    async def people() -> tuple[int, int]:
        found = await results(testing.runtime, "venda", "t8")
        assert found is not None
        return found.since, sum(r.rate.people for r in found.branches)

    assert await people() == (1, 2)
    await publish.publish_tree(testing.runtime, tried(t8=60, t8_b=40), "", DORA)
    assert await people() == (3, 0)
    words = edits.set_action(tried(t8=60, t8_b=40), "mandar_link", "text", "Outro texto: https://loja.example")
    await publish.publish_tree(testing.runtime, words, "", DORA)
    assert await people() == (4, 0)


async def test_a_split_from_any_state_is_drawn_and_counted_too(database_url):
    tree = samples.tree("venda")
    payment = next(row["id"] for row in tree["globals"] if row["on"] == "pagamento_aprovado")
    tree = edits.split_transition(tree, payment)
    runtime = a_runtime(database_url, store=Store(database_url, inline=True), http=Provider())
    shop = await opened(runtime, flow={"document": tree})
    for number in range(6):
        await shop.talks(lead(number), "oi")
        await shop.pays(lead(number), tx=f"HP{number}", named=f"evt-{number}")
        await shop.works()

    found = await results(runtime, "venda", payment)

    assert found is not None
    assert [r.rate.won for r in found.branches] == [r.rate.people for r in found.branches]
    assert sum(r.rate.people for r in found.branches) == 6
    await runtime.close()
