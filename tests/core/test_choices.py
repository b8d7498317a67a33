"""Choices without buttons: which one an answer means."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.choices import chosen

TITLES = ("Pagar com Pix", "Pagar com cartão", "Falar com alguém")


@pytest.mark.parametrize(
    ("answer", "place"),
    [
        ("1", 0), ("2", 1), (" 3. ", 2), ("2)", 1), ("2️⃣", 1), ("②", 1), ("opção 3", 2), ("Opcao 3!", 2), ("a 1", 0),
        ("o número 2", 1), ("dois", 1), ("DUAS", 1), ("option two", 1), ("pagar com PIX", 0), ("Pagar com cartao.", 1),
        ("0", None), ("4", None), ("12", None), ("1 e 2", None), ("quero 2", None), ("2 combos", None), ("-", None),
        ("", None), ("pix", None), ("não", None), ("1000000000000000000000", None),
    ],
)  # fmt: skip
def test_a_number_or_a_title_alone_names_a_choice(answer: str, place: int | None) -> None:
    assert chosen(answer, TITLES) == place


def test_two_choices_of_one_title_are_told_apart_by_their_numbers_only() -> None:
    assert chosen("sim", ("Sim", "Sim")) is None
    assert chosen("2", ("Sim", "Sim")) == 1


def test_a_title_that_is_a_number_comes_before_the_numbering() -> None:
    assert chosen("2", ("3", "2", "1")) == 1
    assert chosen("1", ("3", "2", "1")) == 2


@given(st.text(max_size=30), st.lists(st.text(max_size=10), max_size=10))
def test_whatever_is_said_names_a_choice_that_is_there_or_none(answer: str, titles: list[str]) -> None:
    place = chosen(answer, titles)
    assert place is None or 0 <= place < len(titles)
