"""Every repair of a broken rule is an edit of the document, and the rule is not broken at that place any more."""

import pytest

from engine.core import edits
from engine.core.checks.run import check
from engine.core.checks.sentences import fix_label
from engine.core.document import read
from tests.core.documents import small

TOUCH = {"kind": "send", "text": "E aí?"}
GIVE = {"kind": "send", "text": "Pronto"}
BASE = {
    "actions": {"oi": {"kind": "send", "text": "Oi"}, "toque": TOUCH, "entregar": GIVE},
    "transitions": [
        {"id": "t1", "from": "NOVO", "on": "msg", "to": "FALANDO", "do": ["oi"]},
        {"id": "t2", "from": "FALANDO", "on": "timeout", "to": "PAGO", "do": ["toque", "oi"]},
        {"id": "t3", "from": "NOVO", "on": "timeout", "to": "NOVO", "do": ["toque", "toque"]},
    ],
    "globals": [{"id": "g1", "on": "pago", "to": "PAGO", "do": ["entregar"]}],
}

CASES = {
    "never": ({"never": {"do": "toque"}, "after": {"do": "oi"}}, "R1", "Deixar em t2 só as ações: oi"),
    "leads elsewhere": ({"always": "pago", "leads_to": "NOVO"}, "R2", "Levar g1 a NOVO"),
    "leads nowhere": ({"always": "preco", "leads_to": "FALANDO"}, "R2", "Criar uma seta de PAGO em preco para FALANDO"),
    "sends": ({"at_most": 1, "sends_without_reply": True}, "R3", "Tirar as ações de t3"),
    "window": ({"window": "24h"}, "R4", "Dar a entregar o modelo aprovado entregar"),
    "once": ({"at_most": 1, "do": "entregar"}, "R5", "Fazer entregar uma vez por {{event.transacao}}"),
    "only after": ({"only_after": {"event": "pago"}, "do": "toque"}, "R6", "Tirar as ações de t3"),
    "nudge": ({"no_nudge_unanswered": True}, "R8", "Criar uma seta de FALANDO em msg para FALANDO"),
}


@pytest.mark.parametrize("name", CASES)
def test_a_repair_is_an_edit_that_ends_the_finding(name: str) -> None:
    rule, code, label = CASES[name]
    tree = small(**BASE, rules=[rule])
    (finding,) = [f for f in check(read(tree)) if f.code == code]

    assert label in [fix_label(fix, "pt-BR") for fix in finding.fixes]
    for fix in finding.fixes:
        left = check(read(edits.apply(tree, fix.edit)))
        assert (finding.code, finding.where) not in [(f.code, f.where) for f in left]


def test_what_a_global_arrow_repeats_is_not_taken_in_its_own_state() -> None:
    tree = small(**BASE, rules=[{"at_most": 1, "do": "entregar"}])
    (finding,) = [f for f in check(read(tree)) if f.code == "R5"]

    edit = next(fix.edit for fix in finding.fixes if fix.label_code == "except")

    assert edit == {"op": "set_transition", "id": "g1", "field": "except", "value": ["PAGO"]}
    assert not [f for f in check(read(edits.apply(tree, edit))) if f.code == "R5"]


def test_an_answer_to_an_echo_has_no_repair_that_would_be_honest() -> None:
    tree = small(**BASE, rules=[{"echo": 1}])
    tree["transitions"].append({"id": "t4", "from": "FALANDO", "on": "msg", "to": "FALANDO", "do": ["oi"]})

    (finding,) = [f for f in check(read(tree)) if f.code == "R7"]

    assert finding.fixes == ()
