"""How findings are shown: the line of a number, a row of values, the way there as numbered sentences, places to jump to."""

import pytest

from engine.core.checks.findings import Finding, Severity, Where
from engine.core.checks.run import check
from engine.core.document import read as read_document
from tests.services.small_flow import small
from web import i18n
from web.findings import shown
from web.path_words import steps

BASE = "/flows/pequeno/draft"
PATH = (
    {"event": "msg_recebida", "from": "NOVO", "to": "CONVERSA", "transition": "t1", "do": ["oi"], "values": {}},
    {"event": "timeout", "from": "CONVERSA", "to": "CONVERSA", "transition": "t4", "do": [], "values": {"toques": 2}},
    {"event": "msg_recebida", "from": "CONVERSA", "to": "CONVERSA", "transition": None, "do": [], "values": {}},
)
FLOW = read_document(small(rules=[{"window": "24h"}]))


def _all(flow, view="diagram"):
    return shown(flow, check(flow), BASE, view)


def _conflict(first="toques < 3", second="toques >= 2"):
    tree = small()
    tree["transitions"][3]["when"] = first
    tree["transitions"].append({"id": "t5", "from": "CONVERSA", "on": "timeout", "to": "CONVERSA", "when": second})
    return read_document(tree)


def test_an_ambiguity_on_one_number_is_a_line_that_says_what_happens_at_each_value():
    found = next(one for one in _all(_conflict()) if one.code == "G1")

    said = [(spot.value, spot.outcome) for spot in found.line]
    assert found.number == "toques"
    assert said == [(1, "FIM"), (2, "as duas"), (3, "fica"), (4, "fica")]
    assert [spot.value for spot in found.line if spot.example] == [2]


def test_a_gap_says_that_nothing_happens_at_its_value():
    found = next(one for one in _all(_conflict("toques < 3", "toques > 3")) if one.code == "G2")

    assert [(spot.value, spot.outcome) for spot in found.line if spot.example] == [(3, "nada")]


def test_other_examples_are_a_row_of_names_and_values():
    found = next(
        one for one in _all(_conflict("now() - last_inbound < 24h", "now() - last_inbound < 2h")) if one.code == "G1"
    )

    assert found.line == ()
    assert [name for name, _ in found.witness] == ["última mensagem"]
    assert found.witness[0][1].startswith("há ")


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("pt-BR", [
            "NOVO, msg recebida → CONVERSA, faz oi",
            "CONVERSA, 2 dias de silêncio, fica (com toques = 2)",
            "CONVERSA, msg recebida: nenhuma seta dispara",
        ]),
        ("en", [
            "NOVO, msg recebida → CONVERSA, does oi",
            "CONVERSA, 2 days of silence, stays (with toques = 2)",
            "CONVERSA, msg recebida: no arrow fires",
        ]),
    ],
)  # fmt: skip
def test_a_way_there_is_one_sentence_a_step_each_leading_to_its_arrow(language, said):
    with i18n.speaking(language):
        way = steps(FLOW, PATH, f"{BASE}?view=diagram&sel=")

    assert [step.words for step in way] == said
    assert [step.href for step in way] == [f"{BASE}?view=diagram&sel=t:t1", f"{BASE}?view=diagram&sel=t:t4", ""]


def _broken(verdict):
    return Finding(
        code="R4", severity=Severity.ERROR, where=Where("CONVERSA", "timeout", ("t4",)), message="", path=PATH,
        facts={"rule": 0, "verdict": verdict, "number": 1, "action": "oi", "age": "25 h", "words": "{}",
               **({"variant": "unknown"} if verdict == "unknown" else {})},
    )  # fmt: skip


def test_a_broken_rule_points_to_itself_and_takes_in_every_arrow_of_its_way():
    (found,) = shown(FLOW, [_broken("violated")], BASE, "rules")

    assert (found.rule, found.verdict) == (0, "violated")
    assert found.places[0].href == f"{BASE}?view=rules&sel=r:0"
    assert found.transitions == {"t1", "t4"}
    assert found.path[0].href.startswith(f"{BASE}?view=diagram&"), "rules have no place for an arrow"


def test_an_undecided_rule_is_told_in_its_own_words():
    (found,) = shown(FLOW, [_broken("unknown")], BASE, "diagram")

    assert found.message == (
        "Não deu para provar: Mensagem livre nunca sai depois de 24 h. Simplifique as condições no caminho."
    )
