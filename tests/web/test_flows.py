"""The list of flows: searched, parted, with what waits and what to do next."""

import pytest

from engine.core.permissions import Role
from engine.services import archive, channels, checked, edit, publish
from engine.services.conversions import Conversion
from tests.services.small_flow import small
from tests.web.conftest import ACTOR
from tests.web.leads import phone_for
from tests.web.pages_read import read
from web.flow_cards import sold


async def _change(runtime, value="4h"):
    change = {"op": "set_state", "id": "NOVO", "field": "deadline", "value": value}
    await edit.edit(runtime, "pequeno", change, actor=ACTOR)


async def _next(person, words=""):
    page = (await person.get("/flows")).text
    return page.split('class="sm mt2 next"')[1].split("</p>")[0]


async def test_the_list_shows_what_is_live_what_waits_and_what_blocks(runtime, editor, flow):
    await _change(runtime, value=None)

    page = read((await editor.get("/flows")).text).text

    assert "No ar · v1" in page
    assert "Rascunho com 1 mudança" in page
    assert "1 problema impede publicar" in page


async def test_a_draft_that_was_never_published_is_under_the_drafts(runtime, editor, flow):
    await publish.add_draft(runtime, small(slug="outro", title="Outro"), ACTOR)

    active, drafts = (await editor.get("/flows")).text, (await editor.get("/flows?tab=drafts")).text

    assert 'id="flow-outro"' not in active
    assert 'id="flow-pequeno"' not in drafts
    assert "Nunca publicado" in drafts
    assert "Publique a primeira versão" in drafts


async def test_where_nothing_is_live_the_drafts_are_met_first(runtime, signed_in):
    await publish.add_draft(runtime, small(), ACTOR)
    person = await signed_in(Role.MARKETER)

    assert 'id="flow-pequeno"' in (await person.get("/flows")).text
    assert "Nenhum fluxo no ar" in (await person.get("/flows?tab=active")).text


async def test_the_filter_finds_names_without_their_accents_and_says_what_it_did_not_find(runtime, editor, flow):
    await publish.publish_tree(runtime, small(slug="aco", title="Lançamento AÇÃO"), "", ACTOR)

    found = (await editor.get("/flows?q=acao lanc")).text
    nothing = (await editor.get("/flows?q=<b>zzz")).text

    assert 'id="flow-aco"' in found
    assert 'id="flow-pequeno"' not in found
    assert "“&lt;b&gt;zzz”, entre estes." in nothing
    assert "Limpar o filtro" in nothing


async def test_the_flow_with_most_people_comes_first_unless_the_names_are_asked_for(runtime, editor, flow):
    await publish.publish_tree(runtime, small(slug="a", title="Abacate"), "", ACTOR)
    await (await phone_for(runtime, flow)).greet()

    crowd, names = (await editor.get("/flows")).text, (await editor.get("/flows?sort=name")).text

    assert crowd.index('id="flow-pequeno"') < crowd.index('id="flow-a"')
    assert names.index('id="flow-a"') < names.index('id="flow-pequeno"')


async def test_archived_flows_are_behind_the_filter_alone(runtime, editor, flow):
    await archive.archive(runtime, flow, ACTOR)

    assert 'id="flow-pequeno"' not in (await editor.get("/flows")).text
    page = (await editor.get("/flows?tab=archived")).text
    assert 'id="flow-pequeno"' in page
    assert "Traga de volta" in page


async def test_the_one_next_thing_is_the_most_pressing(runtime, editor, flow):
    assert "/settings/channels" in await _next(editor)
    await channels.add(runtime, "phone", "Balcão", ACTOR, flow=flow)
    assert 'href="/live?flow=pequeno"' in await _next(editor)
    await _change(runtime)
    assert 'href="/flows/pequeno/publish"' in await _next(editor)
    await _change(runtime, value=None)
    assert "Resolva 1 problema" in await _next(editor)
    await (await phone_for(runtime, flow)).greet()
    await runtime.store.write("k", lambda tx: tx.run("UPDATE conversation SET attention = 'send_failed'"))
    assert "1 conversa precisa de você" in await _next(editor)


async def test_what_is_still_being_checked_says_so_and_asks_again(runtime, editor, flow, monkeypatch):
    async def nothing_yet(_wanted):
        return {}

    monkeypatch.setattr("engine.services.flow_list.at_hand", nothing_yet)
    page = (await editor.get("/flows")).text

    assert "em checagem" in page
    assert 'hx-trigger="load delay:2s"' in page


async def test_fifty_flows_are_known_after_a_few_looks(runtime, editor):
    checked._checked.clear()
    for number in range(50):
        await publish.add_draft(runtime, small(slug=f"f{number}", title=f"Fluxo {number}"), ACTOR)
    looks = 0
    while "em checagem" in (page := (await editor.get("/flows?tab=drafts")).text):
        looks += 1
        assert looks < 40
    assert page.count("<article") == 50


async def test_without_any_flow_the_list_says_what_to_do(editor, runtime):
    await runtime.store.write("x", lambda tx: tx.run("DELETE FROM flow"))

    page = read((await editor.get("/flows")).text)

    assert "Nenhum fluxo ainda" in page.text
    assert "/flows/new?start=venda#start" in page.links


async def test_who_only_looks_is_offered_nothing_to_change(runtime, signed_in, flow):
    person = await signed_in(Role.READONLY)

    page = (await person.get("/flows")).text

    assert "/flows/new" not in page
    assert "/manage" not in page
    assert "/flows/pequeno/export" in page


@pytest.mark.parametrize(
    ("days", "before", "share", "change"),
    [
        (((10, 2), (0, 0)), (10, 1), "20%", "+10 pts"),
        (((1000, 184), (0, 0)), (1000, 190), "18,4%", "−0,6 pts"),
        (((3, 1),), (0, 0), "33,3%", ""),
    ],
)
def test_a_conversion_is_told_in_words_and_as_a_curve(days, before, share, change):
    told = sold(Conversion(True, (*days, (0, 0)), before))

    assert (told.share, told.change) == (share, change)
    assert all(0 <= float(n) <= 100 for point in told.line.split() for n in point.split(","))


def test_where_there_is_no_conversion_the_reason_is_told():
    assert sold(Conversion(False, ((4, 0),) * 7, (0, 0))).told == "nenhum estado é um ganho"
    assert sold(Conversion(True, ((0, 0),) * 7, (0, 0))).told == "ninguém começou em 7 dias"
