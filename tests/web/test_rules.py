"""Safety rules as sentences: read, added, changed and taken away with plain forms and with htmx."""

import pytest

from engine import samples
from engine.core.checks.run import proved
from engine.core.permissions import Role
from engine.services import edit, publish
from tests.services.small_flow import small
from tests.web.conftest import ACTOR
from tests.web.pages_read import read

BASE = "/flows/pequeno/draft"
PAGE = f"{BASE}?view=rules"
RULES = [{"at_most": 1, "do": "oi"}, {"echo": 3}, {"window": "24h"}]


async def _give(runtime, rules=RULES):
    change = {"op": "set_flow", "field": "rules", "value": rules}
    return await edit.edit(runtime, "pequeno", change, actor=ACTOR)


async def _rules(runtime):
    return (await edit.opened(runtime, "pequeno")).tree.get("rules", [])


@pytest.fixture
async def ruled(runtime, editor, flow):
    """The small flow with three rules."""
    await _give(runtime)
    return editor


async def test_a_flow_without_rules_says_what_they_are_for_and_recommends_some(editor, flow):
    page = read((await editor.get(PAGE)).text)

    assert "Este fluxo ainda não tem regra de segurança" in page.text
    assert "Regras recomendadas" in page.text
    assert "Mensagem livre nunca sai depois de 24 h" in page.text


async def test_every_rule_is_a_sentence_with_its_verdict(runtime, ruled):
    page = read((await ruled.get(PAGE)).text)

    for words in ("Oi no máximo 1 vez por conversa", "No máximo 3 respostas automáticas seguidas sem sair do estado"):
        assert words in page.text
    opened = await edit.opened(runtime, "pequeno")
    assert page.text.count("provada") == len(proved(opened.flow)) == 3


async def test_the_verdicts_are_those_of_the_checks_and_a_broken_rule_shows_its_way_step_by_step(runtime, editor):
    tree = {**samples.tree("venda-literal"), "slug": "literal"}
    await publish.add_draft(runtime, tree, ACTOR)
    flow = (await edit.opened(runtime, "literal")).flow

    answer = (await editor.get("/flows/literal/draft?view=rules")).text

    holding = proved(flow)
    assert answer.count(">provada<") == len(holding)
    assert answer.count(">violada<") == len(flow.rules) - len(holding) > 0
    broken = answer.split('id="rule-4"')[1].split('id="rule-5"')[0]
    assert "Como se chega lá" in broken
    assert "NOVO, pagamento aprovado → PAGO, faz entregar o acesso" in broken
    assert "PAGO, pagamento aprovado, fica, faz entregar o acesso" in broken
    assert "/flows/literal/draft?view=diagram&amp;sel=t:g1" in broken


SENTENCES = [
    ({"form": "never", "after": "state:FIM", "action": "oi", "unless": ""},
     {"never": {"do": "oi"}, "after": {"state": "FIM"}}),
    ({"form": "never", "after": "event:timeout", "action": "oi", "unless": ["oi", ""]},
     {"never": {"do": "oi"}, "after": {"event": "timeout"}, "unless": ["oi"]}),
    ({"form": "always", "event": "msg_recebida", "states": ["FIM", ""]}, {"always": "msg_recebida", "leads_to": "FIM"}),
    ({"form": "always", "event": "msg_recebida", "states": ["FIM", "CONVERSA", "FIM"]},
     {"always": "msg_recebida", "leads_to": ["FIM", "CONVERSA"]}),
    ({"form": "sends_without_reply", "n": "4"}, {"at_most": 4, "sends_without_reply": True}),
    ({"form": "window", "wait": "1 dia"}, {"window": "24h"}),
    ({"form": "window", "wait": "90 min"}, {"window": "5400s"}),
    ({"form": "at_most", "action": "oi", "n": " 2 "}, {"at_most": 2, "do": "oi"}),
    ({"form": "only_after", "action": "oi", "after": "do:oi"}, {"only_after": {"do": "oi"}, "do": "oi"}),
    ({"form": "echo", "n": "3"}, {"echo": 3}),
    ({"form": "no_nudge_unanswered"}, {"no_nudge_unanswered": True}),
]  # fmt: skip


@pytest.mark.parametrize(("typed", "rule"), SENTENCES)
async def test_each_form_is_added_without_scripts_and_shown_with_what_was_chosen(runtime, editor, flow, typed, rule):
    form = read((await editor.get(f"{PAGE}&sel=new:rule&form={typed['form']}")).text).form(ident="f-rule")

    response = await editor.post(form.action, form.data(**typed))

    assert response.status_code == 303
    assert response.headers["location"].endswith("view=rules&sel=r%3A0")
    assert await _rules(runtime) == [rule]
    again = read((await editor.get(f"{PAGE}&sel=r:0")).text).form(ident="f-rule")
    saved = await editor.post(again.action, again.data())
    assert saved.status_code == 303
    assert await _rules(runtime) == [rule], "a form that nobody touched changes nothing"


async def test_the_eight_forms_are_links_to_choose_from(editor, flow):
    page = read((await editor.get(f"{PAGE}&sel=new:rule")).text)

    assert len({link for link in page.links if "sel=new:rule&form=" in link}) == 8
    assert "Sempre que …, a conversa vai para …" in page.text


async def test_a_recommended_rule_is_one_click(runtime, editor, flow):
    page = read((await editor.get(PAGE)).text)
    offered = next(form for form in page.forms if form.fields.get("rule") == ['{"window": "24h"}'])

    response = await editor.post(offered.action, offered.data())

    assert response.status_code == 303
    assert await _rules(runtime) == [{"window": "24h"}]
    assert '{"window": "24h"}' not in [
        form.fields.get("rule", [""])[0] for form in read((await editor.get(PAGE)).text).forms
    ]
    assert (await editor.post(offered.action, offered.data())).status_code == 422, "it is there already"


async def test_with_htmx_a_change_answers_with_the_panel_the_list_and_a_way_back(runtime, ruled):
    form = read((await ruled.get(f"{PAGE}&sel=r:0")).text).form(ident="f-rule")

    answer = await ruled.patch(form.action, form.data(n="2"))

    assert answer.status_code == 200
    assert "<html" not in answer.text
    assert 'class="ed-rules" id="canvas-svg" hx-swap-oob="true"' in answer.text
    assert "Oi no máximo 2 vezes por conversa" in answer.text
    undo = next(one for one in read(answer.text).forms if one.action.endswith("/undo"))
    await ruled.post(undo.action, undo.data())
    assert await _rules(runtime) == RULES


@pytest.mark.parametrize("number", range(3))
async def test_a_deleted_rule_comes_back_where_it_was(runtime, ruled, number):
    page = read((await ruled.get(PAGE)).text)
    form = page.form(f"{BASE}/rules/{number}/delete")

    gone = await ruled.client.post(
        form.action, data=form.data(), headers={"hx-request": "true", "x-csrf-token": ruled.csrf}
    )

    assert "Regra excluída." in gone.text
    assert await _rules(runtime) == [rule for place, rule in enumerate(RULES) if place != number]
    undo = next(one for one in read(gone.text).forms if one.action.endswith("/undo"))
    await ruled.post(undo.action, undo.data())
    assert await _rules(runtime) == RULES


async def test_an_added_rule_is_taken_back(runtime, ruled):
    added = await ruled.client.post(
        f"{BASE}/rules",
        data={"form": "no_nudge_unanswered"},
        headers={"hx-request": "true", "x-csrf-token": ruled.csrf},
    )
    undo = next(one for one in read(added.text).forms if one.action.endswith("/undo"))
    await ruled.post(undo.action, undo.data())

    assert await _rules(runtime) == RULES


@pytest.mark.parametrize(
    ("typed", "words", "field"),
    [
        ({"form": "at_most", "action": "oi", "n": "dois"}, "Escreva um número inteiro", "n"),
        ({"form": "at_most", "action": "", "n": "2"}, "Escolha do que a regra fala", "n"),
        ({"form": "echo", "n": "0"}, "echo", "n"),
        ({"form": "window", "wait": "logo mais"}, "não é um tempo", "wait"),
        ({"form": "always", "event": "msg_recebida", "states": ["", ""]}, "Escolha do que a regra fala", "event"),
        ({"form": "never", "after": "lua:cheia", "action": "oi"}, "Escolha do que a regra fala", "action"),
        ({"form": "only_after", "after": "state:SUMIU", "action": "oi"}, "SUMIU", "action"),
    ],
)
async def test_what_cannot_be_read_is_422_with_the_reason_and_the_words_typed(runtime, ruled, typed, words, field):
    await _give(runtime, [{"at_most": 5, "do": "oi"}, {"echo": 9}])
    plain = await ruled.post(f"{BASE}/rules", typed)
    changed = await ruled.patch(f"{BASE}/rules/0", {**typed, "seen": '{"at_most": 5, "do": "oi"}'})

    for answer in (plain, changed):
        assert answer.status_code == 422
        assert words in answer.text
        assert 'aria-invalid="true"' in answer.text
        assert read(answer.text).form(ident="f-rule").fields[field] == [typed[field]]
    assert await _rules(runtime) == [{"at_most": 5, "do": "oi"}, {"echo": 9}]


async def test_a_rule_that_is_there_already_is_told_in_the_panel(runtime, ruled):
    answer = await ruled.post(f"{BASE}/rules", {"form": "echo", "n": "3"})

    assert answer.status_code == 422
    assert "O fluxo já tem esta regra" in answer.text


async def test_somebody_else_first_is_409_with_both_sentences_and_the_choice(runtime, ruled):
    form = read((await ruled.get(f"{PAGE}&sel=r:0")).text).form(ident="f-rule")
    await _give(runtime, [{"at_most": 7, "do": "oi"}, *RULES[1:]])

    for answer in (await ruled.post(form.action, form.data(n="2")), await ruled.patch(form.action, form.data(n="2"))):
        assert answer.status_code == 409
        assert "agora é Oi no máximo 7 vezes por conversa" in answer.text
        assert "Ficar com a minha: Oi no máximo 2 vezes por conversa" in answer.text
    assert (await _rules(runtime))[0] == {"at_most": 7, "do": "oi"}

    card = next(one for one in read(answer.text).forms if one.fields.get("revision") == ["0"])
    assert (await ruled.patch(card.action, card.data())).status_code == 200
    assert (await _rules(runtime))[0] == {"at_most": 2, "do": "oi"}


async def test_a_rule_that_moved_is_changed_where_it_stands_now(runtime, ruled):
    form = read((await ruled.get(f"{PAGE}&sel=r:2")).text).form(ident="f-rule")
    await _give(runtime, RULES[1:])

    response = await ruled.post(form.action, form.data(wait="20 h"))

    assert response.headers["location"].endswith("sel=r%3A1")
    assert await _rules(runtime) == [RULES[1], {"window": "20h"}]


async def test_what_was_typed_into_a_rule_that_somebody_deleted_can_be_added(runtime, ruled):
    form = read((await ruled.get(f"{PAGE}&sel=r:2")).text).form(ident="f-rule")
    await _give(runtime, RULES[:2])

    answer = await ruled.post(form.action, form.data(wait="20 h"))

    assert answer.status_code == 409
    assert "Outra pessoa excluiu esta regra antes" in answer.text
    again = read(answer.text).form(ident="f-rule")
    assert again.action == f"{BASE}/rules"
    await ruled.post(again.action, again.data())
    assert await _rules(runtime) == [*RULES[:2], {"window": "20h"}]


async def test_deleting_what_somebody_changed_asks_and_what_somebody_deleted_is_done(runtime, ruled):
    form = read((await ruled.get(PAGE)).text).form(f"{BASE}/rules/0/delete")
    await _give(runtime, [{"at_most": 7, "do": "oi"}, *RULES[1:]])

    asked = await ruled.post(form.action, form.data())
    assert asked.status_code == 409
    assert "agora é Oi no máximo 7 vezes por conversa" in asked.text
    card = next(one for one in read(asked.text).forms if one.fields.get("revision") == ["0"])
    await ruled.post(card.action, card.data())
    assert await _rules(runtime) == RULES[1:]

    assert (await ruled.post(form.action, form.data())).status_code == 303
    assert await _rules(runtime) == RULES[1:]


async def test_a_label_and_a_note_of_a_rule_stay_when_its_sentence_changes(runtime, ruled):
    await _give(runtime, [{"echo": 3, "note": "pedido do suporte"}])
    form = read((await ruled.get(f"{PAGE}&sel=r:0")).text).form(ident="f-rule")

    await ruled.post(form.action, form.data(n="4"))

    assert await _rules(runtime) == [{"echo": 4, "note": "pedido do suporte"}]


async def test_a_viewer_reads_the_rules_and_changes_none(runtime, ruled, signed_in):
    reader = await signed_in(Role.READONLY)

    for path in (PAGE, f"{PAGE}&sel=r:0", f"{BASE}/rules/0"):
        page = await reader.get(path)
        assert page.status_code == 200
        assert "Criar a regra" not in page.text
        assert "/delete" not in page.text
    assert (await reader.post(f"{BASE}/rules", {"form": "echo", "n": "9"})).status_code == 403
    assert (await reader.post(f"{BASE}/rules/0", {"form": "echo", "n": "9"})).status_code == 403
    assert (await reader.post(f"{BASE}/rules/0/delete")).status_code == 403
    assert await _rules(runtime) == RULES


async def test_numbers_and_forms_that_there_are_none_of_select_nothing(ruled):
    for sel in ("r:99", "r:-1", "r:x", "r:", "new:rule&form=nonsense", "c:NOVO", "c::", "c:NOVO:nada"):
        assert (await ruled.get(f"{PAGE}&sel={sel}")).status_code == 200, sel
    for path in ("rules/99", "cells/NOVO/nada", "rules/new?form=%22%3E"):
        assert (await ruled.get(f"{BASE}/{path}")).status_code == 200, path
    assert (await ruled.post(f"{BASE}/rules/99", {"form": "echo", "n": "4"})).status_code == 404


async def test_sec_s15_words_in_rules_are_never_markup(runtime, editor):
    tree = small(slug="hostil", rules=RULES[:1])
    tree["actions"]["oi"]["label"] = "<img src=x onerror=alert(1)>"
    await publish.add_draft(runtime, tree, ACTOR)

    for view in ("rules", "rules&sel=r:0", "table", "lost"):
        page = (await editor.get(f"/flows/hostil/draft?view={view}")).text
        assert "<img src=x" not in page, view


async def test_in_english_rules_are_english(ruled):
    page = (await ruled.get(f"{PAGE}&sel=r:0", headers={"accept-language": "en"})).text

    assert "Oi at most once per conversation" in page
    assert "proved" in page
    assert "Regra" not in page
