"""A slug is always one that a document may have, and is like its title."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.slugs import slug_of, vacant

SLUG = re.compile(r"[a-z][a-z0-9-]{0,63}")


@given(st.text(max_size=200))
def test_whatever_the_title_is_the_slug_is_one_that_a_document_may_have(title):
    assert SLUG.fullmatch(slug_of(title))
    assert slug_of(slug_of(title)) == slug_of(title)


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("Venda do Combo", "venda-do-combo"),
        ("  Lançamento: Bolsa & Patchwork! ", "lancamento-bolsa-patchwork"),
        ("2ª turma", "fluxo-2a-turma"),
        ("日本", "fluxo"),
        ("a" * 80, "a" * 64),
    ],
)
def test_a_slug_is_made_of_the_letters_of_its_title(title, slug):
    assert slug_of(title) == slug


@given(st.integers(0, 30), st.integers(1, 64))
def test_a_taken_slug_gets_one_that_is_free_however_long_it_is(many, length):
    slug = "v" * length
    taken = {slug}
    for _ in range(many):
        taken.add(vacant(slug, frozenset(taken)))

    assert len(taken) == many + 1
    assert all(SLUG.fullmatch(one) for one in taken)


def test_a_free_slug_stays_as_it_is():
    assert vacant("venda", frozenset({"outra"})) == "venda"
    assert vacant("venda", frozenset({"venda", "venda-2"})) == "venda-3"
