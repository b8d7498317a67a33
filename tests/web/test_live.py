"""The live desk as a page: who stands where, who needs somebody, filters, empty desks, roles."""

import pytest

from engine.core.permissions import Role
from engine.services import publish
from tests.services.small_flow import small
from tests.web.conftest import ACTOR
from tests.web.pages_read import read


def _between(text, start, end):
    return text.partition(start)[2].partition(end)[0]


async def test_a_customer_is_a_card_in_the_column_of_their_state(leads, supervisor):
    await leads.greet(text="quanto fica?")

    page = (await supervisor.get("/live")).text

    column = _between(page, 'data-col="CONVERSA"', "</section>")
    assert "Bruna Azeredo" in column
    assert "quanto fica?" in column
    assert "Bruna Azeredo" not in _between(page, 'data-col="NOVO"', "</section>")
    assert page.index('data-col="NOVO"') < page.index('data-col="CONVERSA"')
    assert 'id="n-FIM"' in page
    assert "1 conversa andando" in page


async def test_a_state_that_is_the_end_is_a_strip_and_its_people_a_list(leads, supervisor):
    await leads.greet()
    await leads.greet(text="tchau")

    page = (await supervisor.get("/live")).text
    assert 'data-col="FIM"' not in page
    assert "Bruna Azeredo" not in page

    strip = next(link for link in read(page).links if "state=FIM" in link)
    assert "Bruna Azeredo" in (await supervisor.get(strip)).text


async def test_names_and_messages_are_text_and_never_markup(leads, supervisor):
    number = await leads.greet(name='<script>alert("x")</script>', text="<img src=x onerror=alert(1)>")

    for path in ("/live", "/live?view=list", f"/conversations/{number}", f"/conversations/{number}?tab=timeline"):
        page = (await supervisor.get(path)).text
        assert "<script>alert" not in page
        assert "<img" not in page
        assert "&lt;script&gt;" in page or "&lt;img" in page


async def test_phones_are_whole_for_those_who_may_see_them_alone(leads, signed_in, supervisor):
    await leads.greet(name="")
    watcher = await signed_in(Role.READONLY)

    assert "+55 11 90000-0142" in (await supervisor.get("/live")).text
    seen = (await watcher.get("/live")).text
    assert "90000-0142" not in seen
    assert "-0142" in seen


async def test_who_may_not_see_phones_cannot_find_them_out_by_searching(leads, signed_in, supervisor):
    await leads.greet(name="Bruna Azeredo")
    watcher = await signed_in(Role.READONLY)

    assert "Bruna Azeredo" in (await supervisor.get("/live?q=90000014")).text
    assert "Bruna Azeredo" not in (await watcher.get("/live?q=90000014")).text


@pytest.mark.parametrize(
    ("words", "found"),
    [("ênio", True), ("Ênio", True), ("TORQ", True), ("boleto", True), ("100%", False), ("_", False)],
)
async def test_a_search_looks_into_names_and_words_and_takes_them_as_they_are(leads, supervisor, words, found):
    await leads.greet(name="Ênio Torquato", text="e no boleto?")

    page = (await supervisor.get("/live", params={"q": words})).text

    assert ("Ênio Torquato" in page) is found


async def test_a_deadline_that_is_over_without_anything_happening_is_late(leads, supervisor):
    await leads.greet()
    await leads.change("UPDATE conversation SET deadline_at = :at", at=leads.clock.now() - 4 * 60_000)

    page = (await supervisor.get("/live")).text

    assert "atrasada 4 min" in page
    assert 'class="att-c n-late"' in page
    assert "Bruna Azeredo" in (await supervisor.get("/live?need=late")).text


async def test_while_a_person_holds_the_chat_nothing_is_late(leads, supervisor):
    number = await leads.greet()
    await supervisor.post(f"/conversations/{number}/take")
    await leads.change("UPDATE conversation SET deadline_at = :at", at=leads.clock.now() - 4 * 60_000)

    page = (await supervisor.get("/live")).text

    assert "Bruna Azeredo" in page
    assert "supervisor" in page
    assert "atrasada" not in page
    assert "n-late" not in page


@pytest.mark.parametrize(
    ("attention", "need", "chip"),
    [
        ("send_failed", "failed", "falhou"),
        ("send_unknown", "review", "chegou?"),
        ("not_confirmed", "review", "sem confirmação"),
        ("window_closed_no_template", "failed", "fora das 24 h"),
        ("asked_for_person", "person", "quer pessoa"),
        ("two_transitions", "ambiguous", "duas setas"),
        ("loop", "robot", "um robô?"),
    ],
)
async def test_each_reason_to_need_a_person_is_a_chip_and_a_filter(leads, supervisor, attention, need, chip):
    await leads.greet("5511900000001", name="Ana")
    number = await leads.greet("5511900000002", name="Bia")
    await leads.change("UPDATE conversation SET attention = :a WHERE id = :id", a=attention, id=number)

    page = (await supervisor.get("/live")).text
    assert chip in page
    link = next(link for link in read(page).links if f"need={need}" in link)

    narrowed = (await supervisor.get(link)).text
    assert "Bia" in narrowed
    assert ">Ana<" not in narrowed
    assert "Bia" not in (await supervisor.get("/live?need=late")).text


async def test_a_held_message_is_a_chip_and_a_filter(leads, supervisor):
    number = await leads.greet()
    await leads.change("UPDATE outbox SET status = 'held' WHERE conversation_id = :id", id=number)

    page = (await supervisor.get("/live?need=held")).text

    assert "1 retida" in page
    assert "Bruna Azeredo" in page


async def test_an_empty_desk_says_what_it_is_for_and_offers_the_phone(leads, signed_in, supervisor):
    page = (await supervisor.get("/live")).text
    assert "Nenhuma conversa ainda" in page
    assert f'href="/phone/{leads.channel.token}"' in page

    watcher = await signed_in(Role.READONLY)
    assert leads.channel.token not in (await watcher.get("/live")).text


async def test_a_filter_that_leaves_nothing_names_itself_and_can_be_cleared(leads, supervisor):
    await leads.greet()

    page = (await supervisor.get("/live?q=ninguém&need=late")).text
    assert "Nenhuma conversa com estes filtros" in page
    assert "“ninguém”" in page
    assert "Limpar filtros" in page

    calm = (await supervisor.get("/live?need=late")).text
    assert "Ninguém precisa de você para isto agora" in calm
    assert "Ninguém precisa de você agora" in (await supervisor.get("/live")).text


async def test_without_a_live_flow_the_desk_leads_to_the_flows(supervisor):
    page = (await supervisor.get("/live")).text

    assert "Nenhum fluxo no ar" in page
    assert "/flows" in read(page).links


async def test_several_flows_are_chosen_by_links(runtime, leads, supervisor):
    await publish.publish_tree(runtime, small(slug="outro", title="Outro fluxo"), "primeira", ACTOR)
    await leads.greet()

    page = (await supervisor.get("/live?flow=pequeno")).text
    other = next(link for link in read(page).links if link == "/live?flow=outro")

    assert "Bruna Azeredo" not in (await supervisor.get(other)).text
    assert (await supervisor.get("/live?flow=nenhum")).status_code == 404


async def test_the_desk_speaks_english_too(leads, supervisor):
    await leads.greet()
    supervisor.client.cookies.set("trilho_language", "en", domain="trilho.test")

    page = (await supervisor.get("/live")).text

    assert "1 conversation under way" in page
    assert "Nobody needs you now" in page
