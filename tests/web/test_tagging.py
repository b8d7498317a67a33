"""Tags of people: given and taken away from cards and in a conversation, told to open desks, by those who may."""

import pytest

from engine.core.permissions import Role
from tests.web.pages_read import read


async def test_a_tag_of_a_card_is_on_the_card_the_list_and_in_the_panel(leads, supervisor):
    number = await leads.greet()
    page = read((await supervisor.get("/live")).text)
    forms = read((await supervisor.get(next(link for link in page.links if link.startswith("/live/tags")))).text)

    answer = await supervisor.post("/live/tags", forms.form("/live/tags").data(add=" vip ", colour="2"))

    assert answer.headers["location"] == "/live?flow=pequeno"
    for path in ("/live", "/live?view=list", f"/conversations/{number}?tab=data", "/conversations?q=bruna"):
        assert '<span class="tagp t2"><bdi>vip</bdi></span>' in (await supervisor.get(path)).text, path
    await supervisor.post("/live/tags", {"c": number, "remove": "vip"})
    assert "vip" not in (await supervisor.get("/live")).text


async def test_several_people_get_a_tag_at_once(leads, supervisor):
    one = await leads.greet("5511900000001", name="Ana")
    two = await leads.greet("5511900000002", name="Bia")

    shown = (await supervisor.get(f"/live/tags?c={two}&c={one}&c={one}")).text
    assert "Etiquetas de 2 pessoas" in shown
    await supervisor.post("/live/tags", {"c": [two, one], "add": "turma"})
    await supervisor.post("/live/tags", {"c": [two, one], "add": "turma"})

    assert [row["tags"] for row in await leads.rows("SELECT tags FROM contact ORDER BY id")] == ['["turma"]'] * 2
    assert len(await leads.rows("SELECT id FROM log WHERE reason = 'tagged'")) == 2


async def test_in_a_conversation_the_same_forms_lead_back_to_it(leads, supervisor):
    number = await leads.greet()

    answer = await supervisor.post(f"/conversations/{number}/tags", {"add": "vip"})

    assert answer.headers["location"] == f"/conversations/{number}?tab=data"
    told, timeline = "supervisor mexeu nas etiquetas", f"/conversations/{number}?tab=timeline"
    assert told in (await supervisor.get(f"{timeline}&depth=trace")).text
    assert told not in (await supervisor.get(timeline)).text, "no decision of the flow (R44)"


async def test_which_tag_it_was_is_not_kept_where_nothing_is_erased(leads, supervisor):
    number = await leads.greet()
    await supervisor.post(f"/conversations/{number}/tags", {"add": "caloteira"})

    for table in ("log", "audit"):
        assert all("caloteira" not in str(dict(row)) for row in await leads.rows(f"SELECT * FROM {table}"))


@pytest.mark.parametrize("tag", ["x" * 31, "\u200b", "😀" * 31])
async def test_what_is_no_tag_comes_back_with_its_text(leads, supervisor, tag):
    number = await leads.greet()

    answer = await supervisor.post("/live/tags", {"c": number, "add": tag})

    assert answer.status_code == 422
    assert "no máximo 30" in answer.text
    assert read(answer.text).form("/live/tags", ident="").fields["c"] == [str(number)]


async def test_a_person_has_so_many_tags(leads, supervisor):
    number = await leads.greet()
    for n in range(20):
        await supervisor.post("/live/tags", {"c": number, "add": f"t{n}"})

    assert (await supervisor.post("/live/tags", {"c": number, "add": "uma"})).status_code == 422
    assert (await supervisor.post("/live/tags", {"c": number, "add": "t3"})).status_code == 303


@pytest.mark.parametrize(
    "ids", ["", "c=x", "c=999", "c=-1", "c=9999999999999999999", "&".join("c=1" for _ in range(101))]
)
async def test_people_who_are_not_there_are_not_found(leads, supervisor, ids):
    await leads.greet()

    assert (await supervisor.get(f"/live/tags?{ids}")).status_code == 404


async def test_who_only_looks_may_not_tag(leads, signed_in):
    number = await leads.greet()
    watcher = await signed_in(Role.READONLY)

    assert (await watcher.post(f"/conversations/{number}/tags", {"add": "vip"})).status_code == 403
    assert (await watcher.post("/live/tags", {"c": number, "add": "vip"})).status_code == 403
    assert "Pôr uma etiqueta" not in (await watcher.get(f"/conversations/{number}?tab=data")).text
