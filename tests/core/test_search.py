"""Things of a flow are found by their words, in any language, accents and case aside."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.document import read
from engine.core.search import GROUPS, find, parts
from engine.samples import tree

SALE = read(tree("venda"))


def found(asked, language="pt-BR"):
    return [(hit.group, hit.ident) for hit in find(SALE, asked, language)]


@pytest.mark.parametrize(
    ("asked", "hit"),
    [
        ("negoci", ("state", "NEGOCIANDO")),
        ("RECUPERAÇÃO", ("state", "RECUPERANDO")),
        ("recuperacao", ("state", "RECUPERANDO")),
        ("recovery", ("state", "RECUPERANDO")),
        ("preço", ("event", "pediu_preco")),
        ("preco", ("event", "pediu_preco")),
        ("t20", ("arrow", "t20")),
        ("lembrar do pix", ("message", "lembrete_pix")),
        ("entregas", ("field", "entregas")),
    ],
)
def test_a_word_finds_what_it_names(asked, hit):
    assert hit in found(asked), found(asked)


def test_the_words_of_a_message_find_it():
    action = next(action for action in SALE.actions.values() if getattr(action, "text", None))
    words = action.text.within("pt-BR").split()[:4]
    assert ("message", action.id) in found(" ".join(words))


def test_a_rule_is_found_by_its_sentence():
    assert any(group == "rule" for group, _ in found("nunca"))


def test_all_words_are_needed_and_none_finds_nothing():
    assert found("") == found("  …") == []
    assert found("negociando zebra") == []


def test_states_come_first_and_titles_that_begin_so_before_others():
    groups = [GROUPS.index(group) for group, _ in found("p")]
    assert groups == sorted(groups)
    titles = [hit.title for hit in find(SALE, "pa", "pt-BR") if hit.group == "state"]
    assert titles[0] == "PAGO"


@given(st.text(max_size=30), st.text(max_size=10))
def test_the_pieces_of_a_text_are_the_text(text, asked):
    assert "".join(piece for piece, _ in parts(text, asked)) == text


def test_what_was_asked_for_is_marked_whatever_its_accents():
    assert parts("Pediu o preço", "PRECO") == (("Pediu o ", False), ("preço", True))
    assert parts("AGUARDANDO_PIX", "pix") == (("AGUARDANDO_", False), ("PIX", True))
