"""The built-in phone: anybody with its address plays a customer, and only a customer of this phone."""

import pytest

from engine.core.permissions import Role
from engine.services import channels, publish
from tests.web.conftest import ACTOR, Person
from tests.web.leads import phone_for
from tests.web.pages_read import read
from tests.web.test_conversations import a_shop

HTMX = {"hx-request": "true"}
NUMBER = "5511900000142"


@pytest.fixture
def place(leads):
    return f"/phone/{leads.channel.token}"


async def _begun(person: Person, place: str, number: str = NUMBER, name: str = "Bruna") -> None:
    response = await person.post(f"{place}/begin", {"name": name, "number": number})
    assert response.status_code == 303


async def _say(person: Person, place: str, text: str, headers: dict[str, str] | None = None, **more: str):
    form = read((await person.get(place)).text).form(ident="say")
    return await person.post(form.action, form.data(text=text, **more), headers=headers or {})


async def test_a_stranger_with_the_address_talks_to_the_bot_without_scripts(stranger, leads, place):
    start = read((await stranger.get(place)).text)
    assert "Telefone de teste: nada daqui vai para o WhatsApp." in start.text
    form = start.form(f"{place}/begin")
    assert form.fields["number"][0].startswith("+55 11 90")
    await stranger.post(form.action, form.data(name="Bruna"))

    assert (await _say(stranger, place, "oi")).status_code == 303
    assert "oi" in (await stranger.get(place)).text
    assert "Oi!" not in (await stranger.get(place)).text
    await leads.work()

    page = read((await stranger.get(place)).text)
    assert page.text.index("oi") < page.text.index("Oi!")
    assert "Você é Bruna" in page.text
    assert await leads.value("SELECT name FROM contact") == "Bruna"


async def test_each_browser_begins_with_another_number(stranger, app, browser_of, place):
    other = Person(browser_of(app))
    numbers = {
        read((await person.get(place)).text).form(f"{place}/begin").fields["number"][0] for person in (stranger, other)
    }

    assert len(numbers) == 2


async def test_with_htmx_the_field_is_empty_and_the_words_are_there(stranger, place):
    await _begun(stranger, place)

    response = await _say(stranger, place, "oi", HTMX)

    assert response.status_code == 200
    assert "<html" not in response.text
    assert read(response.text).form(ident="say").fields["text"][0].strip() == ""
    assert 'class="bub me">oi<' in response.text


async def test_a_double_click_is_one_message(stranger, leads, place):
    await _begun(stranger, place)
    form = read((await stranger.get(place)).text).form(ident="say")

    for _ in range(2):
        await stranger.post(form.action, form.data(text="oi"))

    assert await leads.value("SELECT COUNT(*) FROM inbound") == 1


@pytest.mark.parametrize(("text", "said"), [("  ", "Escreva algo"), ("x" * 4_097, "no máximo 4096")])
@pytest.mark.parametrize("headers", [{}, HTMX])
async def test_what_cannot_be_sent_comes_back_with_its_text(stranger, leads, place, text, said, headers):
    await _begun(stranger, place)

    response = await _say(stranger, place, text, headers)

    assert response.status_code == 422
    assert said in response.text
    assert read(response.text).form(ident="say").fields["text"][0].strip("\n") == text
    assert await leads.value("SELECT COUNT(*) FROM inbound") == 0


async def test_the_page_asks_again_and_is_told_only_what_is_new(stranger, leads, place):
    await _begun(stranger, place)
    await _say(stranger, place, "oi")
    seen = (await stranger.get(place)).text.partition("chat?seen=")[2].partition('"')[0]
    assert (await stranger.get(f"{place}/chat?seen={seen}")).status_code == 204

    await leads.work()

    assert "Oi!" in (await stranger.get(f"{place}/chat?seen={seen}")).text


async def test_names_and_words_are_text_and_never_markup(stranger, leads, place):
    await _begun(stranger, place, name="<script>1</script>")
    await _say(stranger, place, "<b>oi</b>")

    page = (await stranger.get(place)).text

    assert "<script>1" not in page
    assert "<b>oi" not in page
    assert "&lt;b&gt;oi&lt;/b&gt;" in page


async def test_buttons_can_be_tapped_once(stranger, runtime):
    await publish.publish_tree(runtime, a_shop(), "primeira", ACTOR)
    leads = await phone_for(runtime, "loja")
    place = f"/phone/{leads.channel.token}"
    await _begun(stranger, place)
    for words in ("oi", "quanto fica?"):
        await _say(stranger, place, words)
        await leads.work()

    page = (await stranger.get(place)).text
    assert 'value="pediu_preco|Ver de novo">Ver de novo' in page
    leads.clock.advance(1_000)
    form = next(form for form in read(page).forms if form.id != "say" and form.action.endswith("/messages"))
    await stranger.post(form.action, form.data(tap="pediu_preco|Ver de novo"))
    await leads.work()

    assert await leads.value("SELECT button_id FROM inbound ORDER BY id DESC LIMIT 1") == "pediu_preco"
    after = (await stranger.get(place)).text
    assert after.count("Sai por R$ 297,00.") == 2
    assert after.count("disabled>Ver de novo") == 1


async def test_another_number_is_another_customer(stranger, leads, place):
    await _begun(stranger, place)
    await _say(stranger, place, "oi")
    await stranger.post(f"{place}/begin", {"again": "yes"})

    page = read((await stranger.get(place)).text)
    await stranger.post(f"{place}/begin", page.form(f"{place}/begin").data())

    assert "oi" not in read((await stranger.get(place)).text).text.split("Diga oi")[0].split()
    await _say(stranger, place, "olá")
    assert await leads.value("SELECT COUNT(*) FROM contact") == 2


@pytest.mark.parametrize("number", ["", "abc", "1234567", "1" * 16])
async def test_a_number_that_is_none_is_asked_for_again(stranger, place, number):
    response = await stranger.post(f"{place}/begin", {"name": "Bruna", "number": number})

    assert response.status_code == 422
    assert "Um número tem de 8 a 15 dígitos." in response.text
    assert 'value="Bruna"' in response.text


@pytest.mark.parametrize("table", ["inbound", "outbox", "conversation"])
async def test_whoever_is_known_from_a_real_channel_can_neither_be_read_nor_spoken_for(
    stranger, runtime, leads, place, table
):
    await leads.greet(NUMBER, text="segredo")
    real = await channels.add(runtime, "evolution", "Loja", ACTOR, flow="pequeno")
    await leads.change(f"UPDATE {table} SET channel_id = :c", c=real.id)
    await _begun(stranger, place)

    assert "segredo" not in (await stranger.get(place)).text
    response = await _say(stranger, place, "sou eu")
    assert response.status_code == 422
    assert "Este número é de um cliente de verdade" in response.text
    assert await leads.value("SELECT COUNT(*) FROM inbound") == 1


@pytest.mark.parametrize("cookie", ["x", "5511|", "²²²²²²²²²|a", "5511900000142 OR 1=1|a", "|"])
async def test_a_cookie_that_is_not_ours_begins_again(stranger, place, cookie):
    page = await stranger.get(place, headers={"cookie": f"trilho_phone={cookie}".encode()})

    assert page.status_code == 200
    assert read(page.text).form(f"{place}/begin")


async def test_an_address_that_is_no_phone_is_not_found(stranger, runtime, flow):
    real = await channels.add(runtime, "evolution", "Loja", ACTOR, flow="pequeno")

    for token in ("nenhum", real.token):
        for path in (f"/phone/{token}", f"/phone/{token}/chat"):
            assert (await stranger.get(path)).status_code == 404
        for path in ("messages", "begin"):
            assert (await stranger.post(f"/phone/{token}/{path}", {"number": NUMBER})).status_code == 404


async def test_the_way_to_the_desk_is_shown_to_those_who_may_go(stranger, signed_in, place):
    assert "/live?flow=pequeno" not in read((await stranger.get(place)).text).links

    watcher = await signed_in(Role.READONLY)
    assert "/live?flow=pequeno" in read((await watcher.get(place)).text).links
