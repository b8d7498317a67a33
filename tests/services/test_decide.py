"""One event, one decision, one recorded outcome, and what it makes wrong is taken back (R1, R2, R29, R33, R36, R75)."""

import asyncio
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.core.chain import Row, verify
from engine.core.flow import HOUR, MINUTE, SECOND
from engine.core.history import rebuild, without
from engine.services import supervise
from engine.store import conversations, journal
from engine.store.lanes import Store
from engine.store.scratch import scratch
from tests.runtimes import a_runtime
from tests.services.shop import ACTOR, ANA, BIA, VENDA, Provider, enveloped, opened
from tests.services.small_flow import small

CHAINED = "SELECT {} FROM log WHERE conversation_id = :id AND n IS NOT NULL ORDER BY n"


async def facts_of(shop, phone=ANA):
    conversation = await shop.conversation(phone)
    rows = await shop.rows(CHAINED.format("facts"), id=conversation.id)
    return [json.loads(row["facts"]) for row in rows]


async def shop_of(url, **sections):
    """A shop with the small flow of the tests."""
    runtime = a_runtime(url, store=Store(url, inline=True), http=Provider())
    return await opened(runtime, flow={"document": small(**sections)})


async def test_what_the_table_does_not_know_is_recorded_with_its_event(shop):
    """R2, R29."""
    await shop.talks(ANA, "oi", "quero comprar")
    await shop.pays(ANA, event="PURCHASE_REFUNDED")
    await shop.works()
    assert (await shop.outcomes())[-1] == ("no_transition", None)
    (event,) = await shop.rows("SELECT outcome FROM event WHERE source = 'payment'")
    assert event["outcome"] == "no_transition"


async def test_what_the_flow_ignores_on_purpose_says_so(shop):
    """R2, R29."""
    await shop.talks(ANA, "oi", "pare", "oi?")
    assert (await shop.outcomes())[-1] == ("ignored", "by_flow")


async def test_two_arrows_at_once_move_nothing_send_nothing_and_call_a_person(sqlite_url):
    """R1: checked again at run time."""
    shop = await shop_of(
        sqlite_url,
        transitions=[
            {"id": "t1", "from": "NOVO", "on": "msg_recebida", "to": "CONVERSA", "do": ["oi"]},
            {"id": "t2", "from": "NOVO", "on": "timeout", "to": "FIM"},
            {"id": "t3", "from": "CONVERSA", "on": "msg_recebida", "when": "toques >= 0", "to": "FIM", "do": ["oi"]},
            {"id": "t5", "from": "CONVERSA", "on": "msg_recebida", "when": "toques <= 0", "to": "NOVO"},
            {"id": "t4", "from": "CONVERSA", "on": "timeout", "to": "FIM"},
        ],
    )
    await shop.talks(ANA, "oi", "e agora?")
    conversation = await shop.conversation()
    assert (conversation.snapshot.state, conversation.attention) == ("CONVERSA", "two_transitions")
    assert (await shop.outcomes())[-1] == ("alert", "two_transitions")
    assert (await facts_of(shop))[-1]["candidates"] == ["t3", "t5"]
    assert len(shop.provider.calls) == 1
    await shop.runtime.close()


async def test_a_medium_without_words_is_the_general_event_with_its_mark(small_shop):
    """R33."""
    await small_shop.talks(ANA, "oi")
    audio = {"text": None, "type": "audio", "audio": {"id": "m1", "mime_type": "audio/ogg"}}
    await small_shop.writes(ANA, "", **audio)
    await small_shop.after(5 * SECOND)
    assert (await small_shop.letters())[-1].action == "pedir_texto"
    assert (await facts_of(small_shop))[-1]["media"] == "audio"


async def waiting(shop, *, cause):
    """A pitch that has been decided and has not left."""
    await shop.talks(ANA, "oi")
    if cause == "clock":
        shop.clock.move_to((await shop.conversation()).snapshot.deadline_at)
    else:
        await shop.writes(ANA, "quanto custa?")
        shop.clock.advance(4 * SECOND)
    assert await shop.decides() == 1
    assert (await shop.letters())[-1].status == "pending"


@pytest.mark.parametrize("cause", ["clock", "message"])
async def test_a_payment_takes_back_what_was_about_to_leave(shop, cause):
    """R36: one transaction with the payment."""
    await waiting(shop, cause=cause)
    await shop.pays(ANA)
    await shop.decides()
    assert [letter.status for letter in await shop.letters()] == ["sent", "suppressed", "pending"]
    assert ("suppressed", "state_changed") in await shop.outcomes()
    await shop.works()
    assert "Pagamento" in shop.provider.texts[-1]
    assert len(shop.provider.calls) == 2


async def test_an_opt_out_takes_back_what_was_about_to_leave(shop):
    """R36, R75: the last word is the confirmation."""
    await waiting(shop, cause="message")
    await shop.writes(ANA, "quero sair da lista")
    shop.clock.advance(4 * SECOND)
    await shop.decides()
    assert [letter.status for letter in await shop.letters()] == ["sent", "suppressed", "pending"]
    assert ("suppressed", "opt_out") in await shop.outcomes()
    assert ("opt_out", None) in await shop.outcomes()


async def test_the_lead_s_own_word_takes_back_what_only_the_clock_wanted_to_say(shop):
    """R36."""
    await waiting(shop, cause="clock")
    await shop.writes(ANA, "oi, voltei")
    shop.clock.advance(4 * SECOND)
    await shop.decides()
    assert [letter.status for letter in await shop.letters()] == ["sent", "suppressed", "pending"]


async def test_what_was_tried_already_may_have_arrived_and_is_a_person_s_to_judge(shop):
    """R36, F7."""
    await waiting(shop, cause="message")
    shop.provider.plan = [(429, {"error": {"code": 130429, "message": "x"}})]
    await shop.works()
    assert (await shop.letters())[-1].attempt == 1
    await shop.pays(ANA)
    await shop.decides()
    assert [letter.status for letter in await shop.letters()] == ["sent", "review", "pending"]
    assert ("alert", "state_changed") in await shop.outcomes()


async def test_what_a_pause_holds_back_is_taken_back_by_a_payment_too(shop):
    """R36: giving the chat back later must not pitch to a customer."""
    await shop.talks(ANA, "oi")
    conversation = await shop.conversation()
    await supervise.pause(shop.runtime, conversation.id, HOUR, ACTOR)
    await shop.writes(ANA, "quanto custa?")
    await shop.after(4 * SECOND)
    assert [letter.status for letter in await shop.letters()] == ["sent", "held"]
    await shop.pays(ANA)
    await shop.works()
    assert [letter.status for letter in await shop.letters()] == ["sent", "suppressed", "sent"]
    assert await supervise.give_back(shop.runtime, conversation.id, ACTOR, send_held=True) == 0


async def test_a_pause_stops_no_change_of_state_and_no_action_of_a_global_arrow(shop):
    """R4."""
    await shop.talks(ANA, "oi")
    await supervise.pause(shop.runtime, (await shop.conversation()).id, HOUR, ACTOR)
    await shop.writes(ANA, "quanto custa?")
    await shop.after(4 * SECOND)
    assert await shop.state() == "NEGOCIANDO"
    await shop.writes(ANA, "pare")
    await shop.after(4 * SECOND)
    assert await shop.state() == "OPT_OUT"
    assert "não recebe mais" in shop.provider.texts[-1]


async def test_the_access_is_delivered_once_for_each_purchase(shop):
    """R40."""
    await shop.talks(ANA, "oi")
    for number, tx in enumerate(["HP1", "HP1", "HP2"]):
        await shop.pays(ANA, tx=tx, named=f"evt-{number}")
        await shop.works()
        shop.clock.advance(MINUTE)
    assert [letter.key for letter in await shop.letters() if letter.action == "entregar_acesso"] == ["HP1", "HP2"]


async def test_sensitive_fields_never_enter_the_log(sqlite_url):
    """R45: not even as they were at the beginning."""
    shop = await shop_of(
        sqlite_url,
        context={
            "toques": {"type": "int", "default": 0, "min": 0, "max": 9},
            "cpf": {"type": "text", "default": "000.000.000-00", "sensitive": True},
        },
        transitions=[
            {"id": "t1", "from": "NOVO", "on": "msg_recebida", "to": "CONVERSA", "set": {"cpf": "'111.222.333-44'"}},
            {"id": "t2", "from": "NOVO", "on": "timeout", "to": "FIM"},
            {"id": "t3", "from": "CONVERSA", "on": "msg_recebida", "to": "FIM", "set": {"toques": "toques + 1"}},
            {"id": "t4", "from": "CONVERSA", "on": "timeout", "to": "FIM"},
        ],
    )
    await shop.talks(ANA, "oi", "oi")
    assert (await shop.conversation()).snapshot.context["cpf"] == "111.222.333-44"
    logged = json.dumps(await shop.rows("SELECT * FROM log"))
    assert "toques" in logged
    for secret in ("cpf", "111.222", "000.000"):
        assert secret not in logged
    assert rebuild(await facts_of(shop)) == without((await shop.conversation()).snapshot, frozenset({"cpf"}))
    await shop.runtime.close()


STEPS = st.sampled_from(
    ["oi", "price", "buy", "stop", "pay", "pay again", "refund", "cart", "pause", "give back", "back with held", "opt in",
     "echo", "read", "lost", "edit", "wait", "wait a day"]
)  # fmt: skip
TEXTS = {"oi": "oi", "price": "quanto custa?", "buy": "quero comprar", "stop": "pare de mandar mensagem"}
NOTICES = {"pay": "PURCHASE_APPROVED", "pay again": "PURCHASE_APPROVED", "refund": "PURCHASE_REFUNDED",
           "cart": "PURCHASE_OUT_OF_SHOPPING_CART"}  # fmt: skip


async def lived(shop, steps):
    """Two people's lives, step by step; whatever one does happens to the other as well, a moment later."""
    for number, step in enumerate(steps):
        for phone in (ANA, BIA) if number % 3 else (ANA,):
            await _step(shop, step, phone, number)
        shop.clock.advance(SECOND)
        await shop.works()
    await shop.after(10 * MINUTE)
    await shop.after(HOUR)


async def _step(shop, step, phone, number):
    if step in TEXTS:
        await shop.writes(phone, TEXTS[step])
    elif step in NOTICES:
        await shop.pays(
            phone, event=NOTICES[step], tx=f"HP{'' if step == 'pay' else number}", named=f"{phone}-{number}"
        )
    elif step == "echo":
        message = {"id": f"wamid.E{phone}{number}", "from": "554130000000", "to": phone, "type": "text",
                   "timestamp": str(shop.clock.now() // 1000), "text": {"body": "eu mesma"}}  # fmt: skip
        body = enveloped({"message_echoes": [message]})
        body["entry"][0]["changes"][0]["field"] = "smb_message_echoes"
        await shop.posts(body)
    elif step == "read":
        await shop.hears(f"wamid.OUT{number}", "read")
    elif step == "lost":
        shop.provider.plan = [(500, {})]
    elif step == "edit":
        body = shop.body(phone, "", f"wamid.X{number}", text=None, type="edit")
        await shop.posts(body)
    elif step == "wait":
        await shop.after(30 * SECOND)
    elif step == "wait a day":
        await shop.after(25 * HOUR)
    else:
        conversation = await shop.conversation(phone)
        if step == "pause":
            await supervise.pause(shop.runtime, conversation.id, HOUR, ACTOR)
        elif step == "opt in":
            await supervise.opt_in(shop.runtime, conversation.id, ACTOR)
        else:
            held = step == "back with held"
            await supervise.give_back(shop.runtime, conversation.id, ACTOR, send_held=held)


async def _after_a_life(steps):
    with scratch() as url:
        runtime = a_runtime(url, store=Store(url, inline=True), http=Provider(), flows=VENDA)
        shop = await opened(runtime)
        await shop.talks(ANA, "oi")
        await shop.talks(BIA, "oi")
        await lived(shop, steps)
        without_outcome = await shop.rows(
            "SELECT id FROM inbound WHERE processed_at IS NULL OR outcome IS NULL UNION ALL "
            "SELECT 0 FROM event WHERE processed_at IS NULL OR outcome IS NULL OR outcome = 'taken'"
        )
        assert without_outcome == [], "R29"
        twice = await shop.rows(
            "SELECT event_id FROM log WHERE outcome = 'transition' GROUP BY event_id HAVING COUNT(*) > 1"
        )
        assert twice == [], "R25"
        assert await shop.rows("SELECT id FROM outbox WHERE status IN ('pending', 'sending')") == [], "R27"
        for phone in (ANA, BIA):
            conversation = await shop.conversation(phone)
            assert rebuild(await facts_of(shop, phone)) == conversation.snapshot, "R46"
            await _holds(shop, conversation)
        await runtime.close()


async def _holds(shop, conversation):
    columns = 'at, conversation_id, contact_id, channel_id, outcome, reason, event_id, event, frm, "to", facts, n'
    rows = await shop.rows(CHAINED.format(f"{columns}, prev_hash, hash"), id=conversation.id)
    salt = conversation.salt
    bodies = [Row(r.pop("prev_hash"), r.pop("hash"), journal.body(r, r["n"], salt)) for r in rows]
    assert verify(bodies, conversation.log_hash) is None, "R45"


@settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(st.lists(STEPS, min_size=3, max_size=12))
def test_after_any_life_everything_has_its_outcome_and_every_past_moment_can_be_rebuilt(steps):
    """R25, R27, R29, R45, R46."""
    asyncio.run(_after_a_life(steps))


async def test_every_past_moment_equals_the_snapshot_that_was(small_shop):
    """R46: row by row, not only at the end."""
    moments = []
    for text in ("oi", "quanto custa?", "quero comprar", "está difícil", "pare", "oi"):
        await small_shop.talks(ANA, text)
        conversation = await small_shop.conversation()
        moments.append((conversation.log_n, conversation.snapshot))
    facts = await facts_of(small_shop)
    for n, snapshot in moments:
        assert rebuild(facts[:n]) == snapshot


async def test_the_log_says_what_an_arrival_changed_even_when_nothing_moved(small_shop):
    """R46."""
    await small_shop.talks(ANA, "oi", "pare", "oi?")
    assert rebuild(await facts_of(small_shop)) == (await small_shop.conversation()).snapshot


async def test_a_cycle_that_is_open_can_be_rebuilt_from_its_first_row(small_shop):
    """R46."""
    await small_shop.writes(ANA, "oi")

    def opening(tx):
        return conversations.values(tx.value("SELECT context FROM conversation"))

    assert rebuild(await facts_of(small_shop)).context == await small_shop.runtime.store.read(opening)
