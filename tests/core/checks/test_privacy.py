"""P1 (R45): sensitive fields that reach a text or another field; no finding shows the value of one."""

import pytest

from engine.cli.findings import as_document, lines
from engine.core import edits
from engine.core.checks.findings import Finding, Severity
from engine.core.checks.run import check
from engine.core.checks.sentences import finding, fix_label, sentence
from engine.core.checks.veiling import VEIL, veiled
from engine.core.document import read
from tests.core.documents import small

FIELDS = {
    "toques": {"type": "int", "default": 0, "min": 0, "max": 3},
    "cpf": {"type": "text", "optional": True, "sensitive": True},
    "renda": {"type": "money", "default": 0, "min": 0, "sensitive": True},
    "nota": {"type": "text", "optional": True},
}


def tree(action: dict | None = None, **arrow: object) -> dict:
    first = {"id": "t1", "from": "NOVO", "on": "msg", "to": "FALANDO", "do": ["oi"], **arrow}
    rest = [
        {"id": "t2", "from": "FALANDO", "on": "timeout", "to": "PAGO"},
        {"id": "t3", "from": "NOVO", "on": "timeout", "to": "PAGO"},
        {"id": "t4", "from": "FALANDO", "on": "msg", "to": "FALANDO"},
    ]
    return small(context=FIELDS, transitions=[first, *rest], actions={"oi": action or {"kind": "send", "text": "Oi"}})


def found(document: dict, code: str = "P1") -> list[Finding]:
    return [f for f in check(read(document)) if f.code == code]


@pytest.mark.parametrize(
    "action",
    [
        {"kind": "send", "text": "CPF {{cpf}}?"},
        {"kind": "send", "text": {"pt-BR": "Oi", "en": "Hi {{ cpf | default:you }}"}},
        {"kind": "send", "text": "Oi", "template": {"name": "t", "language": "pt_BR", "params": ["{{cpf}}"]}},
        {"kind": "send", "text": "Oi", "once_per": "{{cpf}}"},
        {"kind": "notify", "text": "CPF {{cpf}}"},
        {"kind": "agent", "prompt": "O CPF é {{cpf}}."},
        {"kind": "call", "url": "https://x.test/{{cpf}}"},
        {"kind": "call", "url": "https://x.test/", "body": '{"cpf": "{{cpf}}"}'},
    ],
)
def test_a_sensitive_field_in_any_text_of_an_action_blocks(action: dict) -> None:
    (leak,) = found(tree(action))

    assert (leak.severity, leak.where.transitions) == (Severity.ERROR, ("t1",))
    assert leak.message == "oi mostra cpf, que é sensível"
    assert sentence(leak, "en") == "oi shows cpf, which is sensitive"


def test_the_placeholder_can_be_taken_out_where_words_are_left() -> None:
    document = tree({"kind": "send", "text": {"pt-BR": "Oi {{cpf}}, tudo bem?", "en": "Hi {{cpf|default:you}}!"}})

    (fix,) = found(document)[0].fixes

    assert fix.edit["value"] == {"pt-BR": "Oi, tudo bem?", "en": "Hi you!"}
    assert fix_label(fix, "en") == "Take the data out of the text of oi"
    assert found(edits.apply(document, fix.edit)) == []


def test_a_prompt_is_mended_and_what_would_be_empty_or_still_leak_is_not() -> None:
    (prompt,) = found(tree({"kind": "agent", "prompt": "O CPF é {{cpf}}."}))[0].fixes

    assert prompt.edit == {"op": "set_action", "id": "oi", "field": "prompt", "value": "O CPF é."}
    assert found(tree({"kind": "send", "text": "{{cpf}}"}))[0].fixes == ()
    assert found(tree({"kind": "send", "text": "a {{cpf}}", "once_per": "{{cpf}}"}))[0].fixes == ()


def test_a_copy_into_a_plain_field_is_a_leak_and_into_a_sensitive_one_is_not() -> None:
    document = tree(set={"nota": "cpf"})

    (leak,) = found(document)

    assert leak.message == "A seta t1 leva cpf, que é sensível, para nota, que não é"
    assert (leak.where.state, leak.where.event) == ("NOVO", "msg")
    (fix,) = leak.fixes
    assert found(edits.apply(document, fix.edit)) == []
    assert found(tree(set={"cpf": "event.text"})) == []


def test_whether_a_field_is_set_is_no_value() -> None:
    assert found(tree(when="has(cpf)", set={"toques": "toques + 1"})) == []
    assert [f.facts["name"] for f in found(tree(set={"toques": "size(cpf)"}))] == ["cpf"]


def test_findings_about_conditions_keep_a_veil_over_the_values() -> None:
    document = tree(when="renda >= 700000")
    document["transitions"].append(
        {"id": "t9", "from": "NOVO", "on": "msg", "when": "renda < 900000 && toques > 1", "to": "PAGO"}
    )
    overlap, gap = found(document, "G1")[0], found(document, "G2")[0]

    assert overlap.witness == {"renda": VEIL, "toques": 2}
    assert "renda = '•••'" in overlap.message
    assert gap.witness is not None
    assert gap.witness["renda"] == VEIL
    for told in (overlap, gap):
        witness = as_document(told, "en")["witness"]
        assert not any(isinstance(value, int) for name, value in witness.items() if name == "renda")
        assert not any("renda = 7" in line or "renda = 8" in line for line in lines(told, "pt-BR"))


def test_that_a_sensitive_field_is_not_set_may_be_said() -> None:
    (undefined,) = found(tree(when="cpf == nota || toques >= 0 && size(cpf) > 2"), "G5")

    assert undefined.witness is not None
    assert undefined.witness["cpf"] is None


def test_the_values_of_a_path_are_veiled_too() -> None:
    step = {"event": "msg", "from": "A", "to": "B", "transition": "t1", "do": [], "values": {"cpf": "1", "toques": 2}}

    told = veiled(
        finding("S1", found(tree({"kind": "send", "text": "{{cpf}}"}))[0].where, path=(step,)), frozenset({"cpf"})
    )

    assert told.path == ({**step, "values": {"cpf": VEIL, "toques": 2}},)
