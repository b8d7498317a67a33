"""The page of figures: plain links and forms, tables as files without formulas, a wait that goes into the draft."""

import csv
from io import StringIO

import pytest
import pytest_asyncio

from engine.core.flow import HOUR
from engine.core.permissions import Actor, Role
from engine.services import edit, publish
from engine.services.analysis import Question, analyse
from engine.services.undoing import turn
from tests.services.histories import TREE, Historian
from tests.services.small_flow import small
from tests.web.conftest import ACTOR
from tests.web.pages_read import read
from web import i18n
from web.analysis_pages import page_of
from web.analysis_tables import TABLES, Table, as_csv, table

PAGE = "/analytics/historia-0"


@pytest_asyncio.fixture
async def lived(runtime):
    """A flow with five people: three on version 1, of whom one bought; one was moved by hand, one stopped."""
    historian = Historian(runtime)
    await historian.opens()
    for deed, who in (("enter", 0), ("write", 0), ("pay", 0), ("enter", 0), ("enter", 0), ("by_hand", 1), ("stop", 2)):
        await historian.does(deed, who, 0, HOUR)
    await historian.does("publish", 0, 1, HOUR)
    await historian.does("enter", 0, 0, HOUR)
    return historian


async def got(person, path=PAGE, status=200, **query):
    response = await person.get(path, params=query)
    assert response.status_code == status, response.text[:300]
    return response


@pytest.mark.parametrize("role", list(Role))
async def test_whoever_may_look_sees_the_figures_without_scripts(lived, signed_in, role):
    person = await signed_in(role)
    page = read((await got(person, wait="6")).text)

    for words in (
        "Até onde chegaram", "a conta fecha", "Tempo em cada estado", "Por versão", "Espera por rajada", "Mensagens",
        "movidas à mão", "saída do cliente", "Cedo demais para dizer", "Compraram",
    ):  # fmt: skip
        assert words in page.text
    assert f"{PAGE}?range=30d&wait=6" in page.links
    assert "/flows/historia-0/draft?sel=s:CONVERSA" in page.links
    editing = role in (Role.MARKETER, Role.PUBLISHER, Role.ADMIN)
    assert any(form.action == f"{PAGE}/wait" for form in page.forms) == editing


async def test_a_stranger_sees_nothing_and_an_unknown_flow_is_not_found(lived, stranger, signed_in):
    assert (await stranger.get(PAGE)).status_code in (302, 303, 401)
    await got(await signed_in(Role.READONLY), "/analytics/nada", 404)


async def test_the_place_leads_to_the_usual_flow_and_without_any_says_what_to_do(runtime, signed_in):
    person = await signed_in(Role.READONLY)
    assert "Nenhum fluxo ainda" in (await got(person, "/analytics")).text
    await publish.add_draft(runtime, small(), ACTOR)
    response = await person.get("/analytics")
    assert (response.status_code, response.headers["location"]) == (303, "/analytics/pequeno")
    page = (await got(person, "/analytics/pequeno")).text
    assert "Este fluxo nunca foi publicado" in page
    assert "/flows/pequeno/publish" in page


async def test_every_page_leads_there_by_a_link_and_by_keys(lived, signed_in):
    person = await signed_in(Role.READONLY)
    assert 'href="/analytics" data-go="a"' in (await got(person, "/flows")).text
    assert "ir para a análise" in (await got(person, "/shortcuts")).text


async def test_choices_are_kept_by_every_link_and_form(lived, signed_in):
    person = await signed_in(Role.MARKETER)
    days = {"from": "2025-11-01", "to": "2025-12-31"}
    page = read((await got(person, **days, versions="1", wait="8")).text)
    assert f"{PAGE}?range=7d&versions=1&wait=8" in page.links
    assert f"{PAGE}?range=2025-11-01..2025-12-31&versions=1&wait=8&format=csv&table=times" in page.links
    chooser = next(form for form in page.forms if "range" in form.fields and form.fields.get("versions") == ["1"])
    assert chooser.fields["range"] == ["2025-11-01..2025-12-31"]
    several = (await person.client.get(PAGE, params=[("versions", "1"), ("versions", "2")])).text
    assert "v1, v2" in several


@pytest.mark.parametrize(
    "query",
    [
        {"range": "9999d"}, {"range": "2025-02-30..2025-03-01"}, {"from": "x", "to": "\x00"}, {"versions": "a,b,99999999999"},
        {"versions": ",".join("1" * 400)}, {"branch": "<script>"}, {"wait": "-1"}, {"wait": "6.5"}, {"wait": "99999"},
        {"format": "csv", "table": "../etc"}, {"range": "ção" * 900}, {"from": "0001-01-01", "to": "9999-12-31"},
    ],
)  # fmt: skip
async def test_what_makes_no_sense_in_an_address_is_left_out(lived, signed_in, query):
    response = await got(await signed_in(Role.READONLY), **query)
    assert "<script>" not in response.text.replace("<script src", "")


async def test_days_without_anybody_say_so(lived, signed_in):
    page = (await got(await signed_in(Role.READONLY), range="2020-01-01..2020-01-02")).text
    assert "Nada aconteceu neste fluxo nestes dias." in page
    assert "1 jan. 2020 a 2 jan. 2020" in page


async def test_a_wait_goes_into_the_draft_as_an_edit_that_can_be_taken_back(runtime, lived, signed_in):
    person = await signed_in(Role.MARKETER)
    before = (await edit.opened(runtime, "historia-0")).tree.get("debounce")
    form = read((await got(person, wait="25")).text).form(action=f"{PAGE}/wait")

    response = await person.post(form.action, form.data())

    assert response.status_code == 303
    opened = await edit.opened(runtime, "historia-0")
    assert opened.tree["debounce"] == {"quiet": "25s", "ceiling": "25s"}, "the ceiling goes along where it must"
    assert "No rascunho a espera por rajada agora é 25 s" in (await person.get(response.headers["location"])).text
    report = await analyse(runtime, "historia-0", Question())
    assert report.flow.debounce.quiet == 5_000, "customers wait as before"
    again = await person.post(form.action, form.data())
    assert again.status_code == 303, "a double click changes nothing more"
    await turn(runtime, "historia-0", back=True, actor=Actor("marketer@trilho.test"))
    assert (await edit.opened(runtime, "historia-0")).tree.get("debounce") == before


async def test_who_was_not_first_is_told_and_changes_nothing(runtime, lived, signed_in):
    person = await signed_in(Role.MARKETER)
    form = read((await got(person, wait="6")).text).form(action=f"{PAGE}/wait")
    theirs = {"op": "set_debounce", "value": {"quiet": "9s", "ceiling": "20s"}}
    await edit.edit(runtime, "historia-0", theirs, actor=ACTOR)

    response = await person.post(form.action, form.data())

    assert response.status_code == 409
    assert "Alguém mudou a espera por rajada" in response.text
    assert (await edit.opened(runtime, "historia-0")).tree["debounce"]["quiet"] == "9s"
    fresh = read(response.text).form(action=f"{PAGE}/wait")
    assert (await person.post(fresh.action, fresh.data())).status_code == 303


async def test_a_wait_that_is_none_is_refused_and_who_may_not_edit_is_too(runtime, lived, signed_in):
    person = await signed_in(Role.MARKETER)
    form = read((await got(person, wait="6")).text).form(action=f"{PAGE}/wait")
    for wrong in ("", "0", "1000", "seis", "６\x00"):
        assert (await person.post(form.action, form.data(wait=wrong))).status_code == 422
    looker = await signed_in(Role.SUPERVISOR)
    assert (await looker.post(f"{PAGE}/wait", {"wait": "6"})).status_code == 403
    assert (await person.post("/analytics/nada/wait", {"wait": "6"})).status_code == 404
    assert "debounce" not in (await edit.opened(runtime, "historia-0")).tree


async def test_every_table_is_a_file_that_a_portuguese_spreadsheet_opens(lived, signed_in):
    person = await signed_in(Role.READONLY)
    for name in TABLES:
        response = await got(person, format="csv", table=name, wait="6")
        assert response.headers["content-type"] == "text/csv; charset=utf-8"
        assert f"historia-0-{name}-" in response.headers["content-disposition"]
        assert response.content.startswith(b"\xef\xbb\xbf")
    text = (await got(person, format="csv", table="funnel", range="30d")).content.decode("utf-8-sig")
    rows = list(csv.reader(StringIO(text), delimiter=";"))
    assert rows[0][:3] == ["Estado", "Chegaram", "%"]
    assert rows[1][:3] == ["NOVO", "4", "100"]
    versions = (await got(person, format="csv", table="versions", range="30d")).content.decode("utf-8-sig")
    assert "v1;3;1;33,33;" in versions


async def test_the_files_say_what_the_page_counts(runtime, lived):
    report = await analyse(runtime, "historia-0", Question(range="30d"))
    with i18n.speaking("en"):
        made = {row[0]: row for row in table(report, "accounts").rows}
        for name, one in report.accounts.items():
            assert made[name][1:3] + made[name][-2:] == (one.before, one.entered, one.gone, one.still)
            assert sum(made[name][3:-2]) == one.gone


@pytest.mark.parametrize("cell", ["=1+1", "+5", "-5", "@x", "\tx", "\rx", "=cmd|' /C calc'!A0"])
def test_a_cell_that_looks_like_a_formula_gets_an_apostrophe(cell):
    for language in i18n.LANGUAGES:
        with i18n.speaking(language):
            [row] = csv.reader(StringIO(as_csv(Table((cell,), ())).lstrip("\ufeff"), newline=""))
            assert row[0] == f"'{cell}"


def test_numbers_are_written_as_the_reader_s_spreadsheet_reads_them():
    made = Table(("a", "b;c", "d"), ((1.5, 1234, None), (0.1 + 0.2, "x,y", 2.0)))
    with i18n.speaking("pt-BR"):
        assert as_csv(made) == '\ufeffa;"b;c";d\r\n1,5;1234;\r\n0,3;x,y;2\r\n'
    with i18n.speaking("en"):
        assert as_csv(made) == '\ufeffa,b;c,d\r\n1.5,1234,\r\n0.3,"x,y",2\r\n'


async def test_a_message_that_begins_like_a_formula_is_text_in_the_file_and_escaped_on_the_page(runtime, signed_in):
    words = "=HYPERLINK(1) <b>&amp;</b> \u202e😀"
    tree = TREE | {"slug": "historia-0", "actions": {"oi": {"kind": "send", "text": words}}}
    tree["transitions"] = [row | ({"do": ["oi"]} if row["id"] in ("t1", "t1_b") else {}) for row in tree["transitions"]]
    historian = Historian(runtime)
    historian.numbers.append(await publish.publish_tree(runtime, tree, "", ACTOR))
    for deed in ("enter", "write"):
        await historian.does(deed, 0, 0, HOUR)
    person = await signed_in(Role.READONLY)
    assert "<b>&amp;</b>" not in (await got(person)).text
    text = (await got(person, format="csv", table="messages")).content.decode("utf-8-sig")
    assert f"'{words}" in text


async def test_there_is_no_personal_data_in_any_file(runtime, lived, signed_in):
    person = await signed_in(Role.READONLY)
    phones = await runtime.store.read(lambda tx: [row["phone"] for row in tx.rows("SELECT phone FROM contact")])
    for name in TABLES:
        text = (await got(person, format="csv", table=name)).text
        assert not any(phone in text for phone in phones)


async def test_who_leaves_an_end_is_no_loss_and_without_bursts_there_is_no_chart(lived, signed_in):
    await lived.does("by_hand", 0, 0, HOUR)  # out of PAGO
    report = await analyse(lived.runtime, "historia-0", Question(range="30d"))
    with i18n.speaking("en"):
        page = page_of(report)
    assert {row.state: row.lost for row in page.reached}["PAGO"] == ()
    assert "moved by hand: 1" in {row.state: row.cells for row in page.accounts}["PAGO"]
    text = (await got(await signed_in(Role.READONLY))).text
    assert "Ninguém escreveu duas mensagens seguidas" in text
    assert "chart hist" not in text


async def test_each_branch_of_the_live_test_is_on_the_page_with_its_letter(lived, signed_in):
    await lived.does("publish", 0, 0, HOUR)  # the document with the split again
    page = read((await got(await signed_in(Role.READONLY), branch="t1_b")).text)
    assert "A · 50 %" in page.text
    assert "B · 50 %" in page.text
    assert "Cedo demais para dizer qual é melhor" in page.text
    assert f"{PAGE}?range=7d&branch=t1_b" in page.links
