"""The table says of every message in every state what becomes of it, and what can be done where nobody answers."""

import pytest

from engine.services import edit
from tests.web.conftest import ACTOR
from tests.web.pages_read import read

BASE = "/flows/pequeno/draft"


async def _more(runtime):
    """Another message: with an arrow in NOVO, as the general one in no state, on purpose ignored in FIM."""
    for change in (
        {"op": "add_event", "id": "parar", "fields": {"source": "message", "priority": 9, "label": "pediu para parar"}},
        {"op": "add_understanding", "rule": {"event": "parar", "any": ["parar"]}},
        {"op": "add_transition", "fields": {"from": "NOVO", "on": "parar", "to": "FIM"}},
        {"op": "ignore", "state": "FIM", "event": "parar"},
    ):
        await edit.edit(runtime, "pequeno", change, actor=ACTOR)


@pytest.fixture
async def table(runtime, editor, flow):
    """Somebody in front of a table in which one message is lost in one state."""
    await _more(runtime)
    return editor


async def test_a_lost_message_is_said_in_words_and_counted(table):
    page = (await table.get(f"{BASE}?view=table")).text

    cell = page.split('class="lost">')[1].split("</td>")[0]
    assert "sem resposta" in cell
    assert 'href="#i-alert"' in cell
    assert "CONVERSA, pediu para parar" in cell, "an ear hears where it is"
    assert page.count('class="lost">') == 1
    assert 'Só sem resposta <span class="num">1</span>' in page
    assert page.count('class="cell cov ignored"') == 2


async def test_a_message_that_counts_as_another_says_as_which(runtime, table):
    await edit.edit(
        runtime,
        "pequeno",
        {"op": "set_event", "id": "parar", "field": "falls_back_to", "value": "msg_recebida"},
        actor=ACTOR,
    )

    page = (await table.get(f"{BASE}?view=table")).text

    assert "conta como “msg recebida”" in page
    assert 'class="lost">' not in page


async def test_the_filter_shows_nothing_but_what_is_lost_and_a_success_when_nothing_is(runtime, table):
    page = (await table.get(f"{BASE}?view=lost")).text
    assert "<bdi>CONVERSA</bdi>" in page.split("<tbody>")[1].split("</tbody>")[0]
    assert "<bdi>NOVO</bdi>" not in page.split("<tbody>")[1].split("</tbody>")[0]

    await edit.edit(runtime, "pequeno", {"op": "ignore", "state": "CONVERSA", "event": "parar"}, actor=ACTOR)

    page = (await table.get(f"{BASE}?view=lost")).text
    assert "Nenhuma mensagem fica sem resposta" in page
    assert "<tbody>" not in page


async def test_the_panel_of_a_lost_message_offers_an_arrow_a_fall_back_and_silence_on_purpose(runtime, table):
    page = read((await table.get(f"{BASE}?view=lost&sel=c:CONVERSA:parar")).text)
    fixes = [
        form for form in page.forms if form.action == f"{BASE}/fixes" and form.fields["sel"] == ["c:CONVERSA:parar"]
    ]
    own = {form.fields["fix"][0] for form in fixes}

    assert "ninguém responde a “pediu para parar”" in page.text
    assert f"{BASE}?view=lost&sel=new:transition&from=CONVERSA&on=parar" in page.links
    assert any("falls_back_to" in fix for fix in own)
    ignoring = next(form for form in fixes if '"ignore"' in form.fields["fix"][0])
    answer = await table.post(ignoring.action, ignoring.data())

    assert answer.headers["location"] == f"{BASE}?view=lost&sel=c%3ACONVERSA%3Aparar"
    after = (await table.get(answer.headers["location"])).text
    assert "porque o fluxo diz que é de propósito" in after
    assert ("CONVERSA", "parar") in (await edit.opened(runtime, "pequeno")).flow.ignored


async def test_the_link_to_an_arrow_fills_in_where_it_begins_and_when(runtime, table):
    form = read((await table.get(f"{BASE}?view=lost&sel=new:transition&from=CONVERSA&on=parar")).text).form(
        ident="f-new"
    )

    answer = await table.post(form.action, form.data(to="FIM"))
    assert answer.status_code == 303

    made = (await edit.opened(runtime, "pequeno")).flow.arrows["t6"]
    assert (made.frm, made.on, made.to) == ("CONVERSA", "parar", "FIM")
    assert "Nenhuma mensagem fica sem resposta" in (await table.get(f"{BASE}?view=lost")).text


async def test_a_finding_about_a_square_leads_to_it(table):
    page = read((await table.get(BASE)).text)

    assert f"{BASE}?view=table&sel=c:CONVERSA:parar" in page.links


async def test_whoever_only_looks_is_offered_nothing_to_change(table, signed_in):
    page = await (await signed_in("readonly")).get(f"{BASE}?view=table&sel=c:CONVERSA:parar")

    assert page.status_code == 200
    assert "ninguém responde" in page.text
    assert "/fixes" not in page.text


async def test_the_arrows_of_a_problem_that_is_looked_at_are_marked_together(runtime, table):
    await edit.edit(
        runtime, "pequeno", {"op": "set_transition", "id": "t4", "field": "when", "value": "toques < 3"}, actor=ACTOR
    )
    more = {"from": "CONVERSA", "on": "timeout", "to": "NOVO", "when": "toques >= 2"}
    await edit.edit(runtime, "pequeno", {"op": "add_transition", "fields": more}, actor=ACTOR)

    assert " marked" not in (await table.get(f"{BASE}?view=table")).text
    assert (await table.get(f"{BASE}?view=table&sel=t:t4")).text.count(' marked"') == 1
