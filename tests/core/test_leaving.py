"""Where a person left off (R72)."""

import pytest

from engine.core.document import read
from engine.core.leaving import left_in, words_for
from engine.samples import tree

VENDA = read(tree("venda"))
FELL = (
    ("RECUPERANDO", "PERDIDO"),
    ("RECUPERANDO", "RECUPERANDO"),
    ("NEGOCIANDO", "RECUPERANDO"),
    ("ENGAJADO", "NEGOCIANDO"),
)


@pytest.mark.parametrize(
    ("moves", "state", "left"),
    [
        (FELL, None, "NEGOCIANDO"),
        ((("PERDIDO", "ENGAJADO"), *FELL), None, "NEGOCIANDO"),
        (FELL[3:], None, None),
        ((), None, None),
        (FELL, "PERDIDO", "NEGOCIANDO"),
        (FELL[3:], "NEGOCIANDO", "NEGOCIANDO"),
        ((("NOVO", "PERDIDO"),), "PERDIDO", "NOVO"),
        ((), "PERDIDO", None),
        ((("GONE", "PERDIDO"), *FELL[2:]), "PERDIDO", "NEGOCIANDO"),
    ],
)
def test_it_is_the_state_of_talking_before_the_touches_and_the_end(moves, state, left):
    assert left_in(VENDA, moves, state) == left


def test_it_is_told_in_the_words_of_what_was_waited_for():
    assert words_for(VENDA, "NEGOCIANDO", "pt-BR") == "a decisão sobre a oferta"
    assert words_for(VENDA, "NEGOCIANDO", "en") == "the decision on the offer"
