"""A person decides: once, whoever else does so too, and what leaves is what was approved (R7, R27, R28, R42, R44, R75)."""

import asyncio
import json

import pytest
import pytest_asyncio

from engine.core.approval import Approver
from engine.core.errors import NotFound, Refused
from engine.core.events import Event
from engine.core.flow import DAY, HOUR, MINUTE, SECOND, Source
from engine.core.interpreter import step
from engine.core.permissions import Actor
from engine.services import deliver, publish, supervise
from engine.services.approval_decisions import Decider, approve, extend, reject
from engine.services.perform import plans
from engine.store import approvals, audit, contacts, conversations
from engine.store.lanes import Store
from tests.runtimes import a_runtime
from tests.services.discount import ANA, BIA, OFFER, TEMPLATE, asked, discount, fate, waiting
from tests.services.shop import ACTOR, Provider, both_first, opened

CUSTOMER = "5541900000001"


async def a_shop(url, **changes):
    runtime = a_runtime(url, store=Store(url, inline=True), http=Provider())
    return await opened(runtime, flow={"document": discount(**changes)})


@pytest_asyncio.fixture
async def discounts(database_url):
    shop = await a_shop(database_url)
    yield shop
    await shop.runtime.close()


@pytest_asyncio.fixture
async def busy_discounts(database_url):
    runtime = a_runtime(database_url, store=Store(database_url, lanes=2), http=Provider())
    yield await opened(runtime, flow={"document": discount()})
    await runtime.close()


async def refusal(deed):
    with pytest.raises(Refused) as refused:
        await deed
    return refused.value


async def test_what_is_sent_is_what_was_approved(discounts):
    """R42: the decision is an event of source human, with its actor and the hash, and it is in the audit log (R44)."""
    request = await asked(discounts)
    await approve(discounts.runtime, request.id, request.sha256, ANA)
    await discounts.works()
    assert (await discounts.state(), discounts.provider.texts) == ("OFERTA", [OFFER])
    (event,) = await discounts.rows("SELECT * FROM event WHERE type = 'approved'")
    facts = json.loads(event["facts"])
    assert (event["source"], event["outcome"], facts["by"], facts["sha256"]) == (
        "human", "moved", "ana@loja.example", request.sha256,
    )  # fmt: skip
    (entry, *_) = await discounts.runtime.store.read(lambda tx: audit.listed(tx, what="approval."))
    assert (entry.who, entry.what, json.loads(entry.facts)["sha256"]) == (
        "ana@loja.example", "approval.approved", request.sha256,
    )  # fmt: skip


async def test_what_changed_since_it_was_shown_leaves_as_it_was_shown(discounts):
    """The customer's name is another by now: the rendered words stay."""
    request = await asked(discounts)
    await discounts.runtime.store.write("x", lambda tx: tx.run("UPDATE contact SET name = 'Zoe'"))
    await approve(discounts.runtime, request.id, request.sha256, ANA)
    await discounts.works()
    assert discounts.provider.texts == [OFFER]


async def test_a_rejection_sends_what_the_flow_says_for_it_and_keeps_the_reason(discounts):
    request = await asked(discounts)
    await reject(discounts.runtime, request.id, "  caro demais ", ANA)
    await discounts.works()
    assert (await discounts.state(), discounts.provider.texts) == ("NOVO", ["Desta vez não consigo."])
    (event,) = await discounts.rows("SELECT data FROM event WHERE type = 'rejected'")
    assert json.loads(event["data"]) == {"reason": "caro demais"}


@pytest.mark.parametrize(("reason", "code"), [(" \n", "approval_reason_missing"), ("x" * 501, "approval_reason_long")])
async def test_a_rejection_without_words_or_with_too_many_is_refused(small_discounts, reason, code):
    request = await asked(small_discounts)
    assert (await refusal(reject(small_discounts.runtime, request.id, reason, ANA))).code == code
    assert await fate(small_discounts, request.id) == "pending"


@pytest_asyncio.fixture
async def small_discounts(sqlite_url):
    """On SQLite alone, for what the database has no part in."""
    shop = await a_shop(sqlite_url)
    yield shop
    await shop.runtime.close()


async def test_a_double_click_sends_once(busy_discounts):
    request = await asked(busy_discounts)
    deeds = [approve(busy_discounts.runtime, request.id, request.sha256, ANA) for _ in range(5)]
    came = await asyncio.gather(*deeds, return_exceptions=True)
    await busy_discounts.works()
    assert sum(one is None for one in came) == 1
    assert {one.code for one in came if one is not None} == {"approval_decided"}
    assert busy_discounts.provider.texts == [OFFER]


async def test_of_two_supervisors_at_once_one_decides_and_the_other_is_told_who(busy_discounts, monkeypatch):
    """Both have read the request as waiting before either decides."""
    request = await asked(busy_discounts)
    both_first(monkeypatch, approvals, "get", after=True)
    runtime = busy_discounts.runtime
    came = await asyncio.gather(
        approve(runtime, request.id, request.sha256, ANA),
        reject(runtime, request.id, "não", BIA),
        return_exceptions=True,
    )
    await busy_discounts.works()
    (lost,) = [one for one in came if one is not None]
    winner, status = ("bia@loja.example", "rejected") if came[0] else ("ana@loja.example", "approved")
    assert (lost.code, lost.facts["by"], lost.facts["status"]) == ("approval_decided", winner, status)
    assert len(busy_discounts.provider.texts) == 1


async def test_a_payment_that_came_first_leaves_nothing_to_approve(discounts):
    """It is in the queue and not applied yet when somebody approves."""
    request = await asked(discounts)
    await discounts.pays(CUSTOMER)
    refused = await refusal(approve(discounts.runtime, request.id, request.sha256, ANA))
    await discounts.works()
    assert (refused.code, refused.facts["status"], await discounts.state()) == (
        "approval_decided", "withdrawn", "PAGO",
    )  # fmt: skip
    assert discounts.provider.texts == []


async def test_a_payment_between_decision_and_send_takes_the_letter_back(discounts):
    """R36."""
    request = await asked(discounts)
    await approve(discounts.runtime, request.id, request.sha256, ANA)
    await discounts.pays(CUSTOMER)
    await discounts.decides()
    await discounts.works()
    assert discounts.provider.texts == []
    assert [(letter.status, letter.reason) for letter in await discounts.letters()] == [("suppressed", "state_changed")]


async def test_an_approval_waits_for_what_the_customer_has_just_written(discounts):
    """R75: the word of goodbye is not read yet; what was approved before it does not leave."""
    request = await asked(discounts)
    await discounts.writes(CUSTOMER, "parar")
    await approve(discounts.runtime, request.id, request.sha256, ANA)
    await discounts.works()
    assert discounts.provider.texts == []
    await discounts.after(5 * SECOND)
    assert discounts.provider.texts == ["Certo, não escrevo mais."]


async def test_nothing_can_be_approved_for_whoever_wants_no_messages(discounts):
    """R75: they said so somewhere else."""
    request = await asked(discounts)
    await discounts.runtime.store.write("x", lambda tx: contacts.set_opt_out(tx, contacts.find(tx, CUSTOMER), 1))
    assert (await refusal(approve(discounts.runtime, request.id, request.sha256, ANA))).code == "approval_opted_out"
    assert await fate(discounts, request.id) == "pending"


async def test_an_opt_out_elsewhere_after_the_decision_suppresses_the_letter(discounts):
    """R75: at the moment of sending."""
    request = await asked(discounts)
    await approve(discounts.runtime, request.id, request.sha256, ANA)
    await discounts.runtime.store.write("x", lambda tx: contacts.set_opt_out(tx, contacts.find(tx, CUSTOMER), 1))
    await discounts.works()
    assert [(letter.status, letter.reason) for letter in await discounts.letters()] == [("suppressed", "opt_out")]


async def test_a_pause_holds_what_was_approved(discounts):
    """R36: whoever gives the chat back says whether it goes."""
    request = await asked(discounts)
    await approve(discounts.runtime, request.id, request.sha256, ANA)
    await supervise.pause(discounts.runtime, request.conversation_id, HOUR, ACTOR)
    await discounts.works()
    assert [letter.status for letter in await discounts.letters()] == ["held"]
    await supervise.give_back(discounts.runtime, request.conversation_id, ACTOR, send_held=True)
    await discounts.works()
    assert discounts.provider.texts == [OFFER]


async def test_after_its_end_nobody_approves_even_if_no_sweep_looked_yet(discounts):
    request = await asked(discounts)
    discounts.clock.advance(HOUR)
    texts = {0: "Outra coisa"}
    assert (
        await refusal(approve(discounts.runtime, request.id, request.sha256, ANA, texts))
    ).code == "approval_expired"
    await discounts.works()
    assert (await fate(discounts, request.id), discounts.provider.texts) == ("expired", [])


async def test_more_time_is_given_once(discounts):
    """The deadline moves, and the log says so: the chain can still be added up."""
    request = await asked(discounts)
    await extend(discounts.runtime, request.id, ANA)
    assert (await refusal(extend(discounts.runtime, request.id, BIA))).code == "approval_extended"
    await discounts.after(45 * MINUTE)
    assert await fate(discounts, request.id) == "pending"
    await discounts.after(16 * MINUTE)
    assert await fate(discounts, request.id) == "expired"


async def test_edited_words_are_what_leaves_and_the_original_is_kept(discounts):
    request = await asked(discounts)
    await approve(discounts.runtime, request.id, request.sha256, ANA, {0: "Fecho por R$ 260 😀\r\nhoje"})
    await discounts.works()
    assert discounts.provider.texts == ["Fecho por R$ 260 😀\nhoje"]
    kept = await discounts.runtime.store.read(lambda tx: approvals.get(tx, request.id))
    assert kept.original == request.content
    assert kept.sha256 != request.sha256


@pytest.mark.parametrize(("text", "code"), [("  ", "empty_message"), ("😀" * 2_049, "message_too_long")])
async def test_words_that_no_message_may_have_are_refused(small_discounts, text, code):
    request = await asked(small_discounts)
    deed = approve(small_discounts.runtime, request.id, request.sha256, ANA, {0: text})
    assert (await refusal(deed)).code == code
    assert await fate(small_discounts, request.id) == "pending"


async def test_a_page_that_shows_something_else_approves_nothing(small_discounts):
    request = await asked(small_discounts)
    assert (await refusal(approve(small_discounts.runtime, request.id, "0" * 64, ANA))).code == "approval_changed"
    with pytest.raises(NotFound):
        await approve(small_discounts.runtime, 99, "", ANA)


async def test_outside_the_window_the_template_beside_it_leaves(database_url):
    """R28: it is part of what was approved."""
    shop = await a_shop(
        database_url, actions__oferecer={"kind": "send", "text": "Consigo por R$ 267.", "template": TEMPLATE},
        states__DESCONTO__deadline="3d",
    )  # fmt: skip
    request = await asked(shop)
    shop.clock.advance(DAY)
    await approve(shop.runtime, request.id, request.sha256, ANA)
    await shop.works()
    assert shop.provider.texts == ["[desconto_pix]"]
    assert request.content[0].payload["template"]["params"] == ["Ana"]
    await shop.runtime.close()


async def test_outside_the_window_words_without_a_template_cannot_be_approved(database_url):
    """R28."""
    shop = await a_shop(database_url, states__DESCONTO__deadline="3d")
    request = await asked(shop)
    shop.clock.advance(DAY)
    assert (await refusal(approve(shop.runtime, request.id, request.sha256, ANA))).code == "approval_window"
    assert (await fate(shop, request.id), await shop.state()) == ("pending", "DESCONTO")
    await shop.runtime.close()


@pytest.mark.parametrize(
    "forged",
    [
        """UPDATE outbox SET payload = '{"text":"Outra"}'""",
        "UPDATE approval SET sha256 = 'x'",
        "UPDATE approval SET status = 'rejected'",
        "UPDATE approval SET conversation_id = 99",
    ],
)
async def test_a_letter_that_is_not_what_was_approved_never_leaves(small_discounts, forged):
    """R27: looked at once more at the moment of sending."""
    request = await asked(small_discounts)
    await approve(small_discounts.runtime, request.id, request.sha256, ANA)
    await small_discounts.runtime.store.write("x", lambda tx: tx.run(forged))
    await small_discounts.works()
    (letter,) = await small_discounts.letters()
    assert (letter.status, letter.reason) == ("suppressed", "not_what_was_approved")
    assert (await small_discounts.conversation()).attention == "not_what_was_approved"
    assert small_discounts.provider.texts == []


async def test_a_process_that_dies_between_decision_and_send_sends_once(database_url):
    shop = await a_shop(database_url)
    request = await asked(shop)
    await approve(shop.runtime, request.id, request.sha256, ANA)
    await shop.runtime.close()
    again = a_runtime(database_url, store=Store(database_url, inline=True), http=shop.provider, clock=shop.clock)
    await deliver.run(again, [request.conversation_id])
    await deliver.run(again, [request.conversation_id])
    assert shop.provider.texts == [OFFER]
    await again.close()


async def test_only_whom_the_state_names_may_decide(sqlite_url):
    """By role or by address; and whoever may approve nothing is nobody's approver."""
    shop = await a_shop(sqlite_url, states__DESCONTO__approvers=["publisher", "Caio@Loja.example"])
    request = await asked(shop)
    caio = Decider(Actor("caio@loja.example"), Approver("supervisor", "caio@loja.example"))
    looker = Decider(Actor("caio@loja.example"), Approver("readonly", "caio@loja.example"))
    for who in (ANA, looker):
        refused = await refusal(approve(shop.runtime, request.id, request.sha256, who))
        assert (refused.code, refused.facts["approvers"]) == ("approval_not_yours", ["publisher", "Caio@Loja.example"])
    assert (await refusal(extend(shop.runtime, request.id, ANA))).code == "approval_not_yours"
    assert (await refusal(reject(shop.runtime, request.id, "não", ANA))).code == "approval_not_yours"
    await approve(shop.runtime, request.id, request.sha256, caio)
    assert await fate(shop, request.id) == "approved"
    await shop.runtime.close()


async def test_what_a_new_version_would_send_has_to_be_approved_anew(discounts):
    """Somebody has the old card open when a version is published."""
    first = await asked(discounts)
    await publish.publish_tree(discounts.runtime, discount(actions__oferecer__text="Fecho por R$ 250."), "", ACTOR)
    refused = await refusal(approve(discounts.runtime, first.id, first.sha256, ANA))
    assert (refused.code, refused.facts["status"]) == ("approval_decided", "replaced")
    second = await waiting(discounts)
    await approve(discounts.runtime, second.id, second.sha256, ANA)
    await discounts.works()
    assert discounts.provider.texts == ["Fecho por R$ 250."]


async def test_another_arrow_by_now_is_another_request(sqlite_url):
    """The condition of the arrow reads the clock: what was shown is not what would be sent any more."""
    tree = discount(transitions__t3__when="state_age < 10m")
    tree["transitions"].append(
        {"id": "t10", "from": "DESCONTO", "on": "approved", "when": "otherwise", "to": "OFERTA", "do": ["oi"]}
    )
    runtime = a_runtime(sqlite_url, store=Store(sqlite_url, inline=True), http=Provider())
    shop = await opened(runtime, flow={"document": tree})
    request = await asked(shop)
    shop.clock.advance(15 * MINUTE)
    assert (await refusal(approve(runtime, request.id, request.sha256, ANA))).code == "approval_changed"
    second = await waiting(shop)
    assert (await fate(shop, request.id), second.transition) == ("replaced", "t10")
    await approve(runtime, second.id, second.sha256, ANA)
    await shop.works()
    assert shop.provider.texts == ["Oi!"]
    await runtime.close()


async def test_where_the_flow_has_no_arrow_nothing_can_be_decided(sqlite_url):
    tree = discount()
    tree["transitions"] = [row for row in tree["transitions"] if row["id"] not in ("t3", "t4")]
    runtime = a_runtime(sqlite_url, store=Store(sqlite_url, inline=True), http=Provider())
    shop = await opened(runtime, flow={"document": tree})
    request = await asked(shop)
    assert (await refusal(approve(runtime, request.id, request.sha256, ANA))).code == "approval_no_arrow"
    assert (await refusal(reject(runtime, request.id, "não", ANA))).code == "approval_no_arrow"
    assert await fate(shop, request.id) == "pending"
    await runtime.close()


async def test_an_arrow_of_approval_that_is_taken_by_another_way_says_nothing(small_discounts):
    """Whatever moves a conversation along it: the words were allowed by nobody."""
    request = await asked(small_discounts)
    runtime = small_discounts.runtime

    def unit(tx):
        conversation = conversations.load(tx, request.conversation_id)
        flow = runtime.flows.within(tx, conversation.flow, conversation.flow_version)
        event = Event(id="ui:1", type="approved", source=Source.HUMAN, at=runtime.clock.now())
        taken, person = (
            step(flow, conversation.snapshot, event, event.at, {}),
            contacts.row(tx, conversation.contact_id),
        )
        return plans(tx, flow, conversation, taken, event, person, {}, event.at, confirms=False)

    (plan,) = await runtime.store.write("x", unit)
    assert [(letter.status, letter.reason) for letter in plan.letters] == [("suppressed", "not_what_was_approved")]
