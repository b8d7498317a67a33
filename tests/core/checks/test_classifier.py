"""C1 (R24): one text that means two events of equal priority, shown by a text that the classifier was given."""

from engine.core import edits
from engine.core.checks.findings import Finding, Severity
from engine.core.checks.run import check
from engine.core.checks.sentences import fix_label, sentence
from engine.core.classify import Fragment, hits
from engine.core.document import read
from tests.core.documents import small


def tree(*rules: dict, preco: int = 20, frete: int = 20) -> dict:
    events = {
        "msg": {"source": "message"},
        "preco": {"source": "message", "falls_back_to": "msg", "priority": preco},
        "frete": {"source": "message", "falls_back_to": "msg", "priority": frete},
        "pago": {"source": "payment", "data": {"transacao": "text"}},
    }
    return small(events=events, understanding=list(rules))


def found(document: dict) -> list[Finding]:
    return [f for f in check(read(document)) if f.code == "C1"]


def ends(document: dict, finding: Finding) -> None:
    assert finding.fixes
    for fix in finding.fixes:
        assert found(edits.apply(document, fix.edit)) == [], fix


def test_a_phrase_within_another_events_phrase_is_told_with_the_text() -> None:
    document = tree({"event": "preco", "any": ["valor"]}, {"event": "frete", "any": ["prazo", "Válor da ENTREGA"]})

    (overlap,) = found(document)

    assert overlap.severity is Severity.WARNING
    assert overlap.witness == {"text": "Válor da ENTREGA"}
    assert {hit.event for hit in hits(read(document), [Fragment("Válor da ENTREGA")])} == {"preco", "frete"}
    assert sentence(overlap, "pt-BR") == (
        "O texto “Válor da ENTREGA” é preco e também frete, com a mesma prioridade: só a ordem das regras decide"
    )
    assert "is preco and frete too" in sentence(overlap, "en")
    assert [fix_label(fix, "en") for fix in overlap.fixes] == [
        "Keep preco out where “Válor da ENTREGA” is said",
        "Give frete the priority 21",
    ]
    ends(document, overlap)


def test_the_same_phrase_twice_loses_one_of_them_or_gets_an_order() -> None:
    document = tree({"event": "preco", "any": ["Quanto é", "preço"]}, {"event": "frete", "any": ["quanto e", "frete"]})

    (overlap,) = found(document)

    assert [fix.label_code for fix in overlap.fixes] == ["delete_phrase", "raise_priority"]
    ends(document, overlap)


def test_the_only_phrase_of_a_rule_is_not_taken_away() -> None:
    document = tree({"event": "preco", "any": ["quanto"]}, {"event": "frete", "any": ["quanto"]})

    (overlap,) = found(document)

    assert [fix.label_code for fix in overlap.fixes] == ["raise_priority"]
    ends(document, overlap)


def test_another_priority_or_an_exclusion_settles_it() -> None:
    general, special = {"event": "preco", "any": ["valor"]}, {"event": "frete", "any": ["valor da entrega"]}

    assert found(tree(general, special, frete=21)) == []
    assert found(tree(general | {"none": ["da entrega"]}, special)) == []
    assert found(tree(general, special | {"none": ["valor"]})) == []


def test_parts_of_words_and_the_rules_of_one_event_are_no_overlap() -> None:
    assert found(tree({"event": "preco", "any": ["valor"]}, {"event": "frete", "any": ["valores"]})) == []
    assert found(tree({"event": "preco", "any": ["valor"]}, {"event": "preco", "any": ["valor total"]})) == []


def test_a_text_that_is_taken_back_or_asks_to_stop_means_neither() -> None:
    same = [{"event": "preco", "any": ["não me mande mais mensagens"]}, {"event": "frete", "any": ["mensagens"]}]
    stops = {"NOVO": {"deadline": "1d"}, "FALANDO": {"deadline": "1d"}, "PAGO": {"kind": "optout"}}

    assert len(found(tree(*same))) == 1
    assert found(tree(*same) | {"states": stops}) == []


def test_two_rules_are_told_once_however_many_phrases_meet() -> None:
    document = tree({"event": "preco", "any": ["valor", "preço"]}, {"event": "frete", "any": ["valor", "preço", "x"]})

    assert len(found(document)) == 1
