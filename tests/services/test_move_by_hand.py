"""A person moves a conversation: with a reason, once a form, out of the state that they saw, without a word by default."""

import asyncio
import json

import pytest

from engine.core.errors import NotFound, Refused
from engine.core.flow import HOUR, MINUTE
from engine.services import supervise
from engine.services.doctor_chains import verify
from engine.services.move_by_hand import Move, move
from tests.services.shop import ACTOR, ANA

FORM = "a" * 16


def asked(to="PERDIDO", seen="NEGOCIANDO", why="pediu por telefone", form=FORM, **more):
    return Move(to=to, why=why, seen=seen, form=form, **more)


async def negotiating(shop):
    await shop.talks(ANA, "oi", "quanto custa?")
    shop.provider.calls.clear()
    assert await shop.state() == "NEGOCIANDO"
    return (await shop.conversation()).id


async def test_a_move_says_nothing_arms_the_silence_anew_and_is_in_the_log_and_the_audit(shop):
    number = await negotiating(shop)
    before = await shop.conversation()
    assert await move(shop.runtime, number, asked(to="CHECKOUT_ENVIADO"), ACTOR)
    await shop.works()

    after = await shop.conversation()
    assert (after.snapshot.state, after.snapshot.previous) == ("CHECKOUT_ENVIADO", "NEGOCIANDO")
    assert after.snapshot.entered_at == shop.clock.now()
    assert after.snapshot.deadline_at is not None and after.snapshot.deadline_at > shop.clock.now()
    assert after.snapshot.context == before.snapshot.context
    assert shop.provider.texts == []
    (row,) = await shop.rows("SELECT * FROM log WHERE reason = 'moved_by_person'")
    facts = json.loads(row["facts"])
    assert (row["frm"], row["to"], facts["why"], facts["by"]) == (
        *("NEGOCIANDO", "CHECKOUT_ENVIADO", "pediu por telefone"),
        ACTOR.who,
    )
    (deed,) = await shop.rows("SELECT facts FROM audit WHERE what = 'conversation.move'")
    assert json.loads(deed["facts"])["why"] == "pediu por telefone"
    assert (await verify(shop.runtime.store)).broken is None, "R45"


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"why": "  "}, "reason_missing"),
        ({"why": "x" * 501}, "reason_too_long"),
        ({"to": "SUMIU"}, "state_gone"),
        ({"to": "NEGOCIANDO"}, "already_there"),
        ({"seen": "ENGAJADO"}, "state_changed"),
        ({"arrow": "nao_existe"}, "arrow_gone"),
    ],
)
async def test_what_cannot_be_done_changes_nothing(small_shop, wrong, code):
    number = await negotiating(small_shop)
    with pytest.raises(Refused) as refused:
        await move(small_shop.runtime, number, asked(**wrong), ACTOR)
    assert refused.value.code == code
    assert await small_shop.state() == "NEGOCIANDO"
    assert await small_shop.rows("SELECT id FROM event WHERE id LIKE 'ui:%'") == []


async def test_a_conversation_that_is_not_there_is_not_found(small_shop):
    with pytest.raises(NotFound):
        await move(small_shop.runtime, 99, asked(), ACTOR)


async def test_two_people_who_move_it_at_once_are_told_apart_and_a_double_click_moves_once(busy_shop):
    """R25, R26: the second person hears that it is elsewhere by now; the second click of the first does nothing."""
    number = await negotiating(busy_shop)
    answers = await asyncio.gather(
        *(move(busy_shop.runtime, number, asked(), ACTOR) for _ in range(3)),
        *(move(busy_shop.runtime, number, asked(to="PAGO", form="b" * 16), ACTOR) for _ in range(3)),
        return_exceptions=True,
    )
    assert answers.count(True) == 1
    assert sum(isinstance(one, Refused) and one.code == "state_changed" for one in answers) == 3
    assert len(await busy_shop.rows("SELECT id FROM log WHERE reason = 'moved_by_person'")) == 1


async def test_with_the_action_of_the_arrow_its_message_leaves_once_although_the_chat_is_held(shop):
    number = await negotiating(shop)
    await supervise.pause(shop.runtime, number, HOUR, ACTOR)
    arrow = next(
        one
        for one in (await shop.runtime.flow(shop.flow, 1)).arrows.values()
        if one.frm == "NEGOCIANDO" and one.to == "CHECKOUT_ENVIADO" and one.do
    )
    for _ in range(2):
        await move(shop.runtime, number, asked(to="CHECKOUT_ENVIADO", arrow=arrow.id), ACTOR)
    await shop.works()
    assert len(shop.provider.texts) == 1
    assert await shop.state() == "CHECKOUT_ENVIADO"
    assert (await shop.person())["paused_until"] is not None, "the person still holds the chat"


async def test_whoever_wants_no_messages_is_moved_without_a_word_only(shop):
    """R73: an opt-out holds whatever a person clicks; a move does not end it either."""
    number = await negotiating(shop)
    await shop.runtime.store.write("x", lambda tx: tx.run("UPDATE contact SET opt_out_at = 1"))
    arrow = next(
        one
        for one in (await shop.runtime.flow(shop.flow, 1)).arrows.values()
        if one.frm == "NEGOCIANDO" and one.to == "CHECKOUT_ENVIADO" and one.do
    )
    with pytest.raises(Refused) as refused:
        await move(shop.runtime, number, asked(to="CHECKOUT_ENVIADO", arrow=arrow.id), ACTOR)
    assert refused.value.code == "opted_out"
    assert await move(shop.runtime, number, asked(to="CHECKOUT_ENVIADO"), ACTOR)
    assert (await shop.person())["opt_out_at"] == 1


async def test_a_move_into_the_state_of_those_who_want_no_messages_is_an_opt_out(shop):
    """R75."""
    number = await negotiating(shop)
    flow = await shop.runtime.flow(shop.flow, 1)
    end = next(name for name, state in flow.states.items() if state.kind.value == "optout")
    await move(shop.runtime, number, asked(to=end), ACTOR)
    assert (await shop.person())["opt_out_at"] == shop.clock.now()
    await shop.after(48 * HOUR)
    assert shop.provider.texts == []


async def test_what_the_robot_still_wanted_to_say_about_the_old_state_is_not_said(shop):
    """R36."""
    number = await negotiating(shop)
    shop.provider.plan = [(500, {}), (500, {})]
    await shop.writes(ANA, "é caro")
    await shop.after(5_000)
    await move(shop.runtime, number, asked(to="PERDIDO"), ACTOR)
    shop.provider.plan = []
    shop.provider.calls.clear()
    await shop.after(10 * MINUTE)
    assert [one.status for one in await shop.letters()][-1] in ("review", "suppressed")
    assert shop.provider.texts == []


@pytest.mark.parametrize(("send", "texts"), [(True, 1), (False, 0)])
async def test_given_back_into_a_state_the_robot_speaks_again_and_what_was_held_is_decided(shop, send, texts):
    """R36, R74."""
    number = await negotiating(shop)
    await supervise.pause(shop.runtime, number, HOUR, ACTOR)
    await shop.writes(ANA, "é caro")
    await shop.after(5_000)
    (held,) = [one for one in await shop.letters() if one.status == "held"]
    with pytest.raises(Refused) as refused:
        await move(shop.runtime, number, asked(to="CHECKOUT_ENVIADO", give_back=True), ACTOR)
    assert refused.value.code == "held_undecided"
    assert (await shop.person())["paused_until"] is not None, "nothing of it was done"
    await move(shop.runtime, number, asked(to="CHECKOUT_ENVIADO", give_back=True, decisions={held.id: send}), ACTOR)
    await shop.works()
    assert len(shop.provider.texts) == texts
    assert (await shop.person())["paused_until"] is None
    assert await shop.state() == "CHECKOUT_ENVIADO"
    await shop.after(48 * HOUR)
    assert await shop.state() != "CHECKOUT_ENVIADO", "its silence runs"
    assert (await verify(shop.runtime.store)).broken is None
