"""Handling a conversation with plain forms: back at a moment, another state, a colleague, letters one by one, who is here."""

import pytest

from engine.core.permissions import Role
from engine.services import channels
from tests.web.conftest import ACTOR
from tests.web.pages_read import read

HTMX = {"hx-request": "true"}
HAND = "?tab=hand"


async def form_of(person, talk, action, query=HAND):
    return read((await person.get(f"/conversations/{talk}{query}")).text).form(f"/conversations/{talk}/{action}")


async def state(leads):
    return await leads.value("SELECT state FROM conversation")


async def test_a_move_by_hand_says_nothing_by_default_and_is_told_with_its_reason(supervisor, leads, talk):
    form = await form_of(supervisor, talk, "move")

    response = await supervisor.post(form.action, form.data(to="FIM", why="comprou na loja"))
    await leads.work(1_000)

    assert response.status_code == 303
    assert response.headers["location"].endswith("tab=hand")
    assert await state(leads) == "FIM"
    assert await leads.value("SELECT COUNT(*) FROM outbox") == 1, "only the greeting"
    page = (await supervisor.get(f"/conversations/{talk}")).text
    assert "supervisor moveu à mão: comprou na loja" in page
    audit = (await supervisor.get(f"/conversations/{talk}?tab=timeline&depth=audit")).text
    assert "supervisor moveu uma conversa à mão" in audit
    assert "comprou na loja" in audit


@pytest.mark.parametrize("headers", [{}, HTMX])
async def test_a_conversation_that_moved_meanwhile_is_409_with_both_states_and_what_was_typed(
    supervisor, leads, talk, headers
):
    form = await form_of(supervisor, talk, "move")
    await leads.change("UPDATE conversation SET state = 'NOVO', version = version + 1")

    response = await supervisor.post(form.action, form.data(to="FIM", why="comprou na loja"), headers=headers)

    assert response.status_code == 409
    assert "foi de CONVERSA para NOVO" in read(response.text).text
    again = read(response.text).form(form.action)
    assert again.fields["why"] == ["comprou na loja"]
    assert again.fields["seen"] == ["NOVO"]
    assert await state(leads) == "NOVO"


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"to": "FIM", "why": " "}, "Diga o motivo"),
        ({"to": "SUMIU", "why": "x"}, "não tem mais o estado SUMIU"),
        ({"to": "", "why": "x"}, "não tem mais o estado"),
        ({"to": "FIM|t9", "why": "x"}, "Esta seta não sai mais daqui"),
    ],
)
async def test_what_cannot_be_moved_says_why(supervisor, leads, talk, typed, said):
    form = await form_of(supervisor, talk, "move")

    response = await supervisor.post(form.action, form.data(**typed))

    assert response.status_code == 422
    assert said in response.text
    assert await state(leads) == "CONVERSA"


async def test_with_the_action_of_the_arrow_its_message_goes_out(supervisor, leads, talk):
    await leads.change("UPDATE conversation SET state = 'NOVO'")
    form = await form_of(supervisor, talk, "move")

    for _ in range(2):
        await supervisor.post(form.action, form.data(to="CONVERSA|t1", why="não viu"))
    await leads.work(1_000)

    assert await leads.value("SELECT COUNT(*) FROM outbox WHERE status = 'sent'") == 2


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"when": "soon"}, "supervisor devolve ao robô em 08:23"),
        ({"when": "tomorrow"}, "09:00"),
        ({"when": "at", "day": "2025-12-01", "hour": "18:30"}, "18:30"),
    ],
)
async def test_the_bot_gets_it_back_at_the_moment_that_was_chosen(supervisor, leads, talk, fields, said):
    form = await form_of(supervisor, talk, "give-back")

    response = await supervisor.post(form.action, form.data(**fields))

    assert response.status_code == 303
    page = (await supervisor.get(f"/conversations/{talk}")).text
    assert said in page
    assert "responde até" in page
    assert "faltam" in page


@pytest.mark.parametrize(
    "fields",
    [
        {"when": "at"},
        {"when": "at", "day": "2025-11-29", "hour": "10:00"},
        {"when": "at", "day": "99", "hour": "x"},
        {"when": "at", "day": "2027-01-01", "hour": "10:00"},
    ],
)
async def test_a_moment_that_is_none_is_refused_and_stays_in_its_field(supervisor, leads, talk, fields):
    form = await form_of(supervisor, talk, "give-back")

    response = await supervisor.post(form.action, form.data(**fields))

    assert response.status_code == 422
    assert "Diga um dia e uma hora" in response.text
    assert await leads.value("SELECT paused_until FROM contact") is None


async def test_a_second_person_who_takes_over_is_told_who_was_first(supervisor, signed_in, leads, talk):
    other = await signed_in(Role.ADMIN)
    first, second = await form_of(supervisor, talk, "take", ""), await form_of(other, talk, "take", "")
    await supervisor.post(first.action, first.data())

    response = await other.post(second.action, second.data())

    assert response.status_code == 409
    assert "supervisor assumiu há pouco" in response.text
    assert await leads.value("SELECT paused_by FROM contact") == "supervisor@trilho.test"
    assert "com " in (await other.get(f"/conversations/{talk}")).text


async def test_whose_it_is_is_chosen_from_those_who_answer_and_a_second_choice_is_told(
    supervisor, signed_in, leads, talk
):
    other = await signed_in(Role.ADMIN)
    await signed_in(Role.READONLY)
    mine, theirs = await form_of(supervisor, talk, "assign"), await form_of(other, talk, "assign")
    admin = await leads.value("SELECT id FROM account WHERE role = 'admin'")
    boss = await leads.value("SELECT id FROM account WHERE role = 'supervisor'")
    reader = await leads.value("SELECT id FROM account WHERE role = 'readonly'")

    assert (await supervisor.post(mine.action, mine.data(to=str(admin)))).status_code == 303
    late = await other.post(theirs.action, theirs.data(to=str(boss)))

    assert late.status_code == 409
    assert "foi atribuída a" in late.text
    assert await leads.value("SELECT user_id FROM assignments") == admin
    assert (await other.post(theirs.action, theirs.data(to=str(reader)))).status_code == 404


async def test_letters_that_were_held_are_decided_one_by_one(supervisor, leads, talk):
    await leads.change("UPDATE conversation SET state = 'NOVO'")
    await supervisor.post(f"/conversations/{talk}/take")
    await leads.greet(text="e agora?")
    letter = await leads.value("SELECT id FROM outbox WHERE status = 'held'")
    form = await form_of(supervisor, talk, f"sends/{letter}")

    response = await supervisor.post(form.action, form.data(held="send"))
    await leads.work(1_000)

    assert response.status_code == 303
    assert await leads.value("SELECT status FROM outbox WHERE id = :id", id=letter) == "sent"
    assert await leads.value("SELECT paused_until FROM contact") is not None
    assert (await supervisor.post(form.action, form.data(held="drop"))).status_code == 409


async def test_a_message_that_waits_is_cancelled_from_the_list_of_sends(supervisor, leads, talk):
    await leads.change("UPDATE outbox SET status = 'pending', due_at = :at", at=leads.clock.now() + 3_600_000)
    letter = await leads.value("SELECT id FROM outbox")
    form = await form_of(supervisor, talk, f"sends/{letter}", "?tab=sends")

    await supervisor.post(form.action, form.data(stop="yes"))

    assert await leads.value("SELECT status FROM outbox") == "cancelled"
    assert "uma pessoa cancelou" in (await supervisor.get(f"/conversations/{talk}?tab=sends")).text


async def test_two_people_on_one_conversation_see_each_other_and_who_writes(supervisor, signed_in, talk):
    other = await signed_in(Role.ADMIN)
    assert "está nesta conversa" not in (await other.post(f"/conversations/{talk}/here")).text

    seen = await supervisor.post(f"/conversations/{talk}/here", {"writing": "yes"})
    assert "está nesta conversa" in seen.text

    assert "está escrevendo aqui" in (await other.post(f"/conversations/{talk}/here")).text
    assert "está escrevendo aqui" in (await other.get(f"/conversations/{talk}")).text
    assert (await other.post(f"/conversations/{talk + 7}/here")).status_code == 404
    assert (await supervisor.post(f"/conversations/{talk}/here/leave")).status_code == 204
    assert "escrevendo aqui" not in (await other.get(f"/conversations/{talk}")).text


async def test_whoever_only_looks_is_offered_nothing_to_do(signed_in, talk):
    reader = await signed_in(Role.READONLY)

    page = read((await reader.get(f"/conversations/{talk}{HAND}")).text)

    assert "Seu papel só acompanha" in page.text
    assert not [form for form in page.forms if form.action.startswith(f"/conversations/{talk}/")]


async def test_whoever_has_waited_longest_is_first_in_the_list(supervisor, leads, talk):
    later = await leads.greet("5511900000777", name="Otto Lemos")
    for number, at in ((talk, 2_000), (later, 1_000)):
        await leads.change("UPDATE conversation SET attention = 'asked_for_person' WHERE id = :id", id=number)
        await leads.change(
            "INSERT INTO log (at, conversation_id, outcome, reason, facts) VALUES (:at, :id, 'alert', 'notify', '{}')",
            at=leads.clock.now() - at,
            id=number,
        )

    first = (await supervisor.get(f"/live/needing?current={talk}")).text
    await leads.change("UPDATE conversation SET attention = NULL WHERE id = :id", id=talk)
    second = (await supervisor.get("/live/needing")).text

    assert first.index("Bruna Azeredo") < first.index("Otto Lemos")
    assert "Bruna Azeredo" not in second
    assert 'data-first="Otto"' in first
    assert "5511900000777" not in first.replace(" ", "")


async def test_why_the_bot_is_quiet_is_told_for_a_pause_an_opt_out_and_an_end(supervisor, leads, talk):
    """R29."""
    ask = f"/conversations/{talk}?tab=why&msg=now"
    assert "Fala por conta própria em" in (await supervisor.get(ask)).text
    await supervisor.post(f"/conversations/{talk}/take")
    await leads.change("UPDATE contact SET opt_out_at = 1")
    page = (await supervisor.get(ask)).text
    assert "supervisor está com a conversa" in page
    assert "O cliente pediu para não receber mais mensagens" in page
    await leads.change("UPDATE conversation SET state = 'FIM', deadline_at = NULL")
    assert "FIM é um fim" in (await supervisor.get(ask)).text


async def test_every_row_of_the_timeline_has_its_why_and_the_depths_do_not_mix(supervisor, leads, talk):
    """R29, R44."""
    await supervisor.post(f"/conversations/{talk}/pause")
    texts = {
        depth: (await supervisor.get(f"/conversations/{talk}?tab=timeline&depth={depth}")).text
        for depth in ("state", "trace", "audit")
    }
    panel = {depth: text[text.index('class="log-l"') :] for depth, text in texts.items()}
    assert "supervisor assumiu: robô pausado" in panel["trace"]
    assert "supervisor assumiu: robô pausado" not in panel["state"]
    assert "supervisor pausou o robô ou assumiu uma conversa" in panel["audit"]
    assert "Enviada" in panel["trace"]
    assert "Enviada" not in panel["state"] + panel["audit"]
    rows = await leads.runtime.store.read(lambda tx: tx.rows("SELECT id FROM log WHERE conversation_id = :id", id=talk))
    for row in rows:
        asked = await supervisor.get(f"/conversations/{talk}?tab=why&msg=log-{row['id']}")
        assert "Por que isto aconteceu?" in asked.text
    other = await leads.greet("5511900000777", name="Ana")
    assert (
        "Por que isto aconteceu?" not in (await supervisor.get(f"/conversations/{other}?msg=log-{rows[0]['id']}")).text
    )


async def test_where_two_may_be_one_the_way_to_that_pair_is_there(supervisor, leads, talk):
    await channels.add(leads.runtime, "phone", "Outro", ACTOR, flow="pequeno")
    other = await leads.greet("5511900000777", name="Ana")
    one, two = [
        await leads.value("SELECT contact_id FROM conversation WHERE id = :id", id=number) for number in (talk, other)
    ]
    await leads.change(
        "INSERT INTO collision (one, other, via, wanted, at) VALUES (:one, :two, 'payment', '', 1)", one=one, two=two
    )
    page = (await supervisor.get(f"/conversations/{talk}")).text
    asked = await leads.value("SELECT id FROM collision")
    assert f'href="/matching#pair-{asked}"' in page
    assert f'id="pair-{asked}"' in (await supervisor.get("/matching")).text
