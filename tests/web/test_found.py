"""The search over conversations: names, numbers in any spelling, what was said; what it may tell whom; what it forgets."""

import pytest

from engine.core.permissions import Role
from engine.store import findable, inbox


async def _found(person, words):
    return (await person.get("/conversations", params={"q": words})).text


@pytest.mark.parametrize(
    "words",
    ["enio", "ÊNIO", "torquato ênio", "boleto", "BOLÉTO vista", "11 98888-0142", "1188880142", "+55 (11) 98888-0142", "8888-0142", "Oi!"],
)  # fmt: skip
async def test_a_person_is_found_by_name_number_and_what_either_side_wrote(leads, supervisor, words):
    number = await leads.greet("5511988880142", name="Ênio Torquato", text="e no boleto à vista?")

    page = await _found(supervisor, words)

    assert f'href="/conversations/{number}' in page
    assert "<mark" in page


@pytest.mark.parametrize(
    "words", ["maria", "boleto carnê", "%", "_", "#", "90000-0143", "\0", "ênio boleto", "' OR 1=1 --"]
)
async def test_what_nobody_said_finds_nobody(leads, supervisor, words):
    await leads.greet(name="Ênio Torquato", text="e no boleto à vista?")

    answer = await supervisor.get("/conversations", params={"q": words})

    assert answer.status_code == 200
    assert "Ênio" not in answer.text


async def test_the_words_are_marked_where_they_were_found_and_lead_there(leads, supervisor):
    number = await leads.greet(text="quero PAGAR <b>já</b>")

    page = await _found(supervisor, "pagar já")

    assert "O cliente escreveu" in page
    assert "quero <mark>PAGAR</mark> &lt;b&gt;<mark>já</mark>&lt;/b&gt;" in page
    assert f"/conversations/{number}?msg=in-" in page


async def test_who_may_not_see_phones_finds_by_the_whole_number_and_sees_it_masked(leads, signed_in):
    number = await leads.greet("5511988880142", name="")
    watcher = await signed_in(Role.READONLY)

    for part in ("0142", "98888-0142", "1198888"):
        assert f"/conversations/{number}" not in await _found(watcher, part)
    for whole in ("11 98888-0142", "1188880142", "+5511988880142"):
        page = await _found(watcher, whole)
        assert f"/conversations/{number}" in page
        assert "8888" not in page.partition("<ol")[2].partition("</ol>")[0]


async def test_what_was_edited_is_found_by_its_new_words_and_what_was_deleted_not_at_all(leads, supervisor, runtime):
    await leads.greet(text="quero o azul")
    ident = await leads.value("SELECT MAX(id) FROM inbound")
    await runtime.store.write("x", lambda tx: inbox.edit(tx, ident, "quero o verde", 10**13))
    assert "Bruna" not in await _found(supervisor, "azul")
    assert "Bruna" in await _found(supervisor, "verde")

    await runtime.store.write("x", lambda tx: inbox.delete(tx, ident, 10**13, 10**13))
    assert "Bruna" not in await _found(supervisor, "verde")


async def test_a_letter_that_never_left_is_not_found(leads, supervisor):
    await leads.greet()
    assert "Bruna" in await _found(supervisor, "Oi!")

    await leads.change("UPDATE outbox SET status = 'suppressed'")

    assert "Bruna" not in await _found(supervisor, "Oi!")


async def test_all_that_is_found_of_a_person_is_forgotten_by_their_id(leads, supervisor, runtime):
    await leads.greet(name="Bruna", text="segredo")
    await leads.greet("5511900000009", name="Ana", text="segredo")
    contact = await leads.value("SELECT id FROM contact WHERE name = 'Bruna'")

    await runtime.store.write("x", lambda tx: findable.forget(tx, contact))

    page = await _found(supervisor, "segredo")
    assert "Ana" in page
    assert "Bruna" not in page
    assert await leads.value("SELECT COUNT(*) FROM findable WHERE contact_id = :id", id=contact) == 0


async def test_the_desk_searches_the_same_texts(leads, supervisor):
    await leads.greet(name="Ênio Torquato", text="e no boleto à vista?")

    for words in ("ENIO", "a VISTA", "oi!", "00000142"):
        assert "Ênio Torquato" in (await supervisor.get("/live", params={"q": words})).text, words


async def test_without_words_it_says_what_can_be_looked_for(supervisor):
    page = (await supervisor.get("/conversations")).text

    assert "Encontre uma conversa" in page
    assert "Nada foi encontrado para “zebra”" in await _found(supervisor, "zebra")
