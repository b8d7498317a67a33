"""The views and filters of the desk, each in the address: columns, list, drawing; channel, tag; own filters by name."""

import pytest

from engine.core.permissions import Role
from engine.services import tags
from tests.web.conftest import ACTOR
from tests.web.leads import phone_for
from tests.web.pages_read import read
from web.live_seat import query_of, seat


async def test_the_drawing_counts_and_its_boxes_lead_to_the_people(leads, supervisor):
    await leads.greet()

    page = (await supervisor.get("/live?view=diagram")).text

    assert '<svg xmlns="http://www.w3.org/2000/svg"' in page
    assert "Bruna" not in page
    assert "hx-get" not in page.partition('id="drawing"')[2].partition("</svg>")[0]
    links = read(page).links
    box = next(link for link in links if "state=CONVERSA" in link and "view=list" in link)
    assert "Bruna Azeredo" in (await supervisor.get(box)).text
    assert any(link.startswith("/flows/pequeno/draft?sel=t:") for link in links)


async def test_a_strip_counts_who_came_to_the_end_today_and_in_all(leads, supervisor):
    await leads.greet()
    await leads.greet(text="tchau")
    await leads.greet("5511900000009")
    await leads.greet("5511900000009", text="tchau")
    await leads.change("UPDATE conversation SET entered_at = entered_at - 172800000 WHERE id = 1")

    page = (await supervisor.get("/live")).text

    assert '<b class="num" id="n-FIM">1</b>' in page
    assert '<b class="num" id="t-FIM">2</b>' in page


async def test_a_channel_is_a_filter(runtime, leads, supervisor, flow):
    other = await phone_for(runtime, flow, "Segundo telefone")
    await leads.greet("5511900000001", name="Ana")
    other.said = 50
    await other.greet("5511900000002", name="Bia")

    page = (await supervisor.get("/live")).text
    link = next(link for link in read(page).links if f"channel={other.channel.id}" in link)
    narrowed = (await supervisor.get(link)).text

    assert "Bia" in narrowed
    assert ">Ana<" not in narrowed
    empty = (await supervisor.get(f"{link}&q=ninguém")).text
    assert "Canal “Segundo telefone”." in empty
    assert "Nenhuma conversa com estes filtros" in (await supervisor.get("/live?channel=999")).text


@pytest.mark.parametrize("odd", ["vip", "Vip", 'a"b', "50%", "x,y", "\\", "[é]"])
async def test_a_tag_is_a_filter_and_only_that_tag(runtime, leads, supervisor, odd):
    ana = await leads.greet("5511900000001", name="Ana")
    bia = await leads.greet("5511900000002", name="Bia")
    await tags.change(runtime, [ana], ACTOR, add=odd)
    for near in ("viP", 'z"b', "50x", "y", "\\\\", "é"):
        await tags.change(runtime, [bia], ACTOR, add=near)

    page = (await supervisor.get("/live", params={"tag": odd})).text

    assert ">Ana<" in page
    assert ">Bia<" not in page


async def test_own_filters_are_chips_of_one_person(leads, supervisor, signed_in):
    await leads.greet()
    page = read((await supervisor.get("/live?q=bruna&view=list&most=50")).text)
    form = page.form("/live/filters")

    answer = await supervisor.post("/live/filters", form.data(name=" Brunas "))
    assert answer.status_code == 303
    assert answer.headers["location"] == "/live?flow=pequeno&view=list&q=bruna"

    page = (await supervisor.get("/live")).text
    assert "/live?flow=pequeno&amp;view=list&amp;q=bruna" in page
    assert "Brunas" in page
    other = await signed_in(Role.READONLY)
    assert "Brunas" not in (await other.get("/live")).text

    await other.post("/live/filters/1/delete")
    assert "Brunas" in (await supervisor.get("/live")).text
    await supervisor.post("/live/filters/1/delete")
    assert "Brunas" not in (await supervisor.get("/live")).text
    assert (await supervisor.post("/live/filters/1/delete")).status_code == 303


async def test_the_same_name_again_is_the_same_filter(supervisor, flow):
    for words in ("um", "dois"):
        await supervisor.post("/live/filters", {"name": "meu", "query": f"flow=pequeno&q={words}"})

    page = (await supervisor.get("/live")).text

    assert "q=um" not in page
    assert page.count("meu</bdi>") == 1


@pytest.mark.parametrize("name", ["", "   ", "\u200b", "x" * 41])
async def test_a_filter_needs_a_name(supervisor, flow, name):
    answer = await supervisor.post("/live/filters", {"name": name, "query": "flow=pequeno&q=a"})

    assert answer.status_code == 422


async def test_a_person_has_so_many_filters(supervisor, flow):
    for number in range(21):
        answer = await supervisor.post("/live/filters", {"name": f"f{number}", "query": "flow=pequeno&q=a"})

    assert answer.status_code == 422
    assert (await supervisor.post("/live/filters", {"name": "f3", "query": "flow=pequeno&q=b"})).status_code == 303


@pytest.mark.parametrize(
    "query", ["https://x.example/", "flow=a&key=b&next=//x", "\0%00&flow=%ff", "view=wall&most=9" * 99]
)
def test_only_what_a_desk_understands_is_kept_of_a_query(query):  # fmt: skip
    kept = query_of(query)

    assert "://" not in kept
    assert "key=" not in kept
    assert query_of(kept) == kept


def test_what_is_not_understood_is_as_if_it_were_not_there():
    odd = {"view": "x", "need": "y", "channel": "-1", "most": "9" * 15, "phase": "a", "tag": "\0"}

    place = seat(odd, "f", "pt-BR", phones=True)

    assert (place.view, place.need, place.channel, place.phase, place.tag) == ("columns", "", None, 0, "")
    assert place.most == 1_000


async def test_a_column_shows_the_first_and_more_when_asked(runtime, leads, supervisor):
    first = await leads.greet()
    copied = ", ".join(
        name
        for row in await runtime.store.read(lambda tx: tx.rows("SELECT name FROM pragma_table_info('conversation')"))
        if (name := row["name"]) != "id"
    )
    for _ in range(30):
        await leads.change(f"INSERT INTO conversation ({copied}) SELECT {copied} FROM conversation WHERE id = :id", id=first)  # fmt: skip

    page = (await supervisor.get("/live")).text
    assert page.count('class="bc ') == 25
    assert "mais 6" in page
    more = next(link for link in read(page).links if "most=50" in link)
    assert (await supervisor.get(more)).text.count('class="bc ') == 31
    assert "mais 6" in (await supervisor.get("/live?q=bruna")).text
