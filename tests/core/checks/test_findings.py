"""Findings in words and in order."""

import re
from random import Random
from string import Formatter

import pytest

from engine.core.checks.examples import example
from engine.core.checks.findings import SEVERITIES, Fix, Severity, Where
from engine.core.checks.run import blocks, check, order
from engine.core.checks.sentences import FIXES, SENTENCES, finding, fix_label, sentence
from tests.strategies import random_flow

NOW = 1_780_000_000_000
DAY = 86_400_000


@pytest.mark.parametrize("key", [*SENTENCES, *FIXES])
def test_every_sentence_is_there_in_both_languages_with_the_same_placeholders(key: str) -> None:
    portuguese, english = {**SENTENCES, **FIXES}[key]

    names = [{name for _, name, _, _ in Formatter().parse(words) if name} for words in (portuguese, english)]

    assert (portuguese and english and portuguese != english) or key in FIXES
    assert names[0] == names[1]


def test_every_sentence_belongs_to_a_code_with_a_severity() -> None:
    assert {key.split(".")[0] for key in SENTENCES} <= set(SEVERITIES)


def test_severities_are_the_published_ones() -> None:
    errors = {code for code, severity in SEVERITIES.items() if severity is Severity.ERROR}

    assert errors == {"G1", "G2", "G5", "G6", "S1", "S3", "S5", "S6", "S7", "W2", "P1", *(f"R{n}" for n in range(1, 9))}
    assert {code for code, severity in SEVERITIES.items() if severity is Severity.WARNING} == {
        "G3", "G4", "S2", "S4", "W1", "W3", "C1",
    }  # fmt: skip


def test_an_error_blocks_and_a_warning_does_not() -> None:
    grave, mild = finding("S1", Where("A")), finding("S4", Where("A", "msg"))

    assert blocks([mild, grave])
    assert not blocks([mild])
    assert sorted([mild, grave], key=order) == [grave, mild]


def test_an_unknown_language_is_told_in_english() -> None:
    told = finding("S1", Where("A"))

    assert sentence(told, "es") == sentence(told, "en") == "Nothing leads to A. Add an arrow to it or delete it."
    assert sentence(told, "pt-PT") == told.message
    assert fix_label(Fix("delete_state", {"op": "delete_state", "id": "A"}), "en-US") == "Delete the state A"


def test_a_witness_reads_as_a_phrase() -> None:
    witness = {"toques": 2, "plano": None, "vip": True, "nome": "Ana", "tags": ("a", "b")}

    assert example(witness, "pt-BR") == (
        "nome = 'Ana', plano não tem valor, tags = ['a', 'b'], toques = 2 e vip = verdadeiro"
    )
    assert example({"vip": False, "plano": None}, "en") == "plano is not set and vip = false"
    assert example({}, "en") == ""


def test_times_read_as_how_long_ago() -> None:
    assert example({"now()": NOW, "last_inbound": NOW - DAY}, "pt-BR") == "a última mensagem foi há 1d"
    assert example({"state_age": 2 * DAY}, "en") == "it has been in the state for 2d"
    assert example({"now()": NOW}, "pt-BR") == "agora é 2026-05-28 20:26 UTC"
    assert example({"last_inbound": NOW}, "en") == f"last_inbound = {NOW}"


def test_the_same_flow_gives_the_same_findings_in_the_same_order() -> None:
    for seed in range(10):
        first, second = check(random_flow(Random(seed))), check(random_flow(Random(seed)))

        assert first == second
        assert list(first) == sorted(first, key=order)
        assert all(not re.search(r"\{\w*\}(?!\})", f.message) for f in first)
