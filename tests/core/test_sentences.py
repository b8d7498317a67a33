"""States and transitions as sentences, in Portuguese and in English."""

import pytest

from engine.core.flow import EXHAUSTED, HOUR, PREVIOUS, State, StateKind
from engine.core.sentences import condition, event_name, ladder, state_sentence, transition_sentence
from tests.drawn_flows import arrow, flow, sale

CASES = {
    "t1": (
        "Em NOVO, quando mensagem, vai para ENGAJADO e o robô faz dar boas-vindas.",
        "In NOVO, when mensagem, it goes to ENGAJADO and the bot does dar boas-vindas.",
    ),
    "t18": (
        "Em RECUPERANDO, quando 20 h, 1 dia, 2 dias de silêncio, se toques < 3, fica em RECUPERANDO e o robô faz próximo toque.",
        (
            "In RECUPERANDO, when 20 h, 1 day, 2 days of silence, if toques < 3, it stays in RECUPERANDO "
            "and the bot does próximo toque."
        ),
    ),
    "t19": (
        "Em RECUPERANDO, quando 20 h, 1 dia, 2 dias de silêncio, se nenhuma outra condição vale, vai para PERDIDO.",
        "In RECUPERANDO, when 20 h, 1 day, 2 days of silence, if no other condition holds, it goes to PERDIDO.",
    ),
    "t6": (
        "Em NEGOCIANDO, quando pediu desconto, vai para DESCONTO (uma pessoa aprova).",
        "In NEGOCIANDO, when pediu desconto, it goes to DESCONTO (a person approves).",
    ),
    "g1": (
        "De qualquer estado, quando pagamento aprovado, vai para PAGO e o robô faz entregar acesso.",
        "From any state, when pagamento aprovado, it goes to PAGO and the bot does entregar acesso.",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_transition_is_a_sentence(name):
    drawn = sale()
    portuguese, english = CASES[name]
    assert transition_sentence(drawn, drawn.arrows[name]) == portuguese
    assert transition_sentence(drawn, drawn.arrows[name], "en") == english


def test_a_global_sentence_names_its_exempt_states():
    """R4"""
    one = arrow("g1", None, "fim", "A", "avisar_time", "marcar", "x", excepting=frozenset({"C", "B"}))
    said = transition_sentence(flow([State(name="A")], [], [one]), one)
    assert said == "De qualquer estado menos B e C, quando fim, vai para A e o robô faz avisar time, marcar e x."


def test_going_back_is_said():
    one = arrow("t1", "A", "volta", PREVIOUS)
    assert transition_sentence(flow([State(name="A")], [one]), one) == (
        "Em A, quando volta, volta para o estado anterior."
    )


def test_the_end_of_a_ladder_has_its_words():
    drawn = flow([State(name="A")], [])
    assert event_name(drawn, EXHAUSTED, None, "pt-BR") == "régua esgotada"
    assert event_name(drawn, EXHAUSTED, None, "en-US") == "ladder exhausted"
    assert event_name(drawn, "timeout", State(name="A"), "pt-BR") == "silêncio"


def test_a_long_ladder_is_cut():
    assert ladder(State(name="A", deadline=(HOUR,) * 5), "pt-BR") == "1 h, 1 h, 1 h…"


def test_only_arriving_at_an_approval_asks_a_person():
    """R7"""
    waiting = State(name="A", kind=StateKind.APPROVAL)
    stays = arrow("t1", "A", "x", "A")
    assert "aprova" not in transition_sentence(flow([waiting], [stays]), stays)


def test_a_condition_is_as_typed():
    drawn = sale()
    assert condition(drawn.arrows["t18"], "pt-BR") == "toques < 3"
    assert condition(drawn.arrows["t1"], "pt-BR") == ""


@pytest.mark.parametrize(
    ("count", "language", "said"),
    [
        (None, "pt-BR", "Estado NEGOCIANDO, em conversa, prazo de silêncio 4 h."),
        (1, "pt-BR", "Estado NEGOCIANDO, em conversa, 1 conversa agora, prazo de silêncio 4 h."),
        (1284, "pt-BR", "Estado NEGOCIANDO, em conversa, 1.284 conversas agora, prazo de silêncio 4 h."),
        (1284, "en", "State NEGOCIANDO, talking, 1,284 conversations now, silence deadline 4 h."),
    ],
)
def test_a_state_is_a_sentence(count, language, said):
    assert state_sentence(sale().states["NEGOCIANDO"], language, count) == said
