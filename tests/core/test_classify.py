import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.classify import Fragment, classify
from engine.core.document import read
from engine.samples import tree

VENDA = read(tree("venda"))


def proposed(*texts, flow=VENDA):
    return classify(flow, [t if isinstance(t, Fragment) else Fragment(t) for t in texts])


@pytest.mark.parametrize(
    ("text", "event"),
    [
        ("quanto custa?", "pediu_preco"),
        ("Quanto é", "pediu_preco"),
        ("e o PREÇO?", "pediu_preco"),
        ("qual o valor à vista", "pediu_preco"),
        ("qto custa", "pediu_preco"),
        ("sai por quanto?", "pediu_preco"),
        ("quero comprar no pix", "quer_comprar"),
        ("Quero o combo!", "quer_comprar"),
        ("me manda o link por favor", "quer_comprar"),
        ("como eu pago?", "quer_comprar"),
        ("fechado!", "quer_comprar"),
        ("parar", "pediu_parar"),
        ("oi", "msg_recebida"),
        ("quero 1", "msg_recebida"),
        ("quero 2 combos", "msg_recebida"),
        ("quero parcelar em 3x", "msg_recebida"),
        ("oi, ainda dá tempo?", "msg_recebida"),
        ("oi, ainda tem vaga?", "msg_recebida"),
        ("quanto tempo de acesso?", "msg_recebida"),
        ("qual o valor da entrega?", "msg_recebida"),
        ("não quero comprar", "msg_recebida"),
        ("ainda não, comprar só mês que vem", "msg_recebida"),
        ("vale a pena comprar?", "msg_recebida"),
        ("não quero parar, quero continuar", "msg_recebida"),
        ("recebi, obrigado", "msg_recebida"),
        ("precipício", "msg_recebida"),
        ("", "msg_recebida"),
    ],
)
def test_brazilians_ask_buy_and_stop_in_their_own_words(text, event):
    """R24."""
    assert proposed(text).event == event


def test_the_strongest_priority_wins_whatever_the_order():
    """R24."""
    assert proposed("quanto custa?", "quero comprar").event == "quer_comprar"
    assert proposed("quero comprar", "quanto custa?").event == "quer_comprar"


def test_opt_out_beats_everything_and_a_mere_wait_does_not_take_it_back():
    """R24, R75."""
    found = proposed("quero comprar", "me tira da lista", "não, espera")

    assert (found.event, found.reason) == ("pediu_parar", "opt_out")


@pytest.mark.parametrize(
    "words", ["não, espera", "deixa", "esquece", "Deixa pra lá", "ops, mandei errado", "mudei de ideia"]
)
def test_the_last_version_counts(words):
    """R24."""
    found = proposed("quero comprar", words)

    assert (found.event, found.reason, found.withdrawn) == ("msg_recebida", "withdrawn", ("quer_comprar",))


def test_what_is_said_after_taking_back_counts():
    """R24."""
    assert proposed("quero comprar", "deixa", "quanto fica?").event == "pediu_preco"
    assert proposed("quero comprar, não, espera, quanto custa?").event == "pediu_preco"
    assert proposed("esquece, manda o link").event == "quer_comprar"


def test_a_word_that_only_begins_like_taking_back_takes_nothing_back():
    assert proposed("quero comprar", "deixa eu pegar o cartão").event == "quer_comprar"
    assert proposed("quero comprar", "espera que já volto").event == "quer_comprar"


def test_a_phrase_may_be_split_over_two_messages():
    found = proposed("oi", "quanto", "custa?")

    assert (found.event, found.phrase, found.span.fragment) == ("pediu_preco", "quanto custa", 1)


def test_it_says_which_rule_and_which_words():
    """R24, R29."""
    found = proposed("Oi!", "e  QUANTO   Custa isso?")

    assert VENDA.understanding[found.rule_index].event == "pediu_preco"
    assert found.score == 1.0
    assert "e  QUANTO   Custa isso?"[found.span.start : found.span.end] == "QUANTO   Custa"


def test_a_button_whose_id_is_an_event_is_that_event():
    found = proposed(Fragment("Ver", "pediu_preco", "button"))

    assert (found.event, found.reason) == ("pediu_preco", "button")


def test_a_button_with_another_id_is_understood_by_its_title():
    found = proposed(Fragment("Quero o link", "btn_7", "button"))

    assert (found.event, found.reason) == ("quer_comprar", "rule")


def with_buttons(**meaning):
    """The sample with a rule for each event: these ids mean it."""
    changed = tree("venda")
    changed["understanding"] += [{"event": event, "buttons": ids} for event, ids in meaning.items()]
    return read(changed)


def test_a_rule_may_name_buttons_and_rows_by_their_ids():
    """R24: an id says more than its title, and more than an event that happens to be called like it."""
    flow = with_buttons(quer_comprar=["btn_7", "row_combo", "pediu_preco"])
    for ident in ("btn_7", "row_combo", "pediu_preco"):
        found = proposed(Fragment("Ver o preço", ident, "list"), flow=flow)
        assert (found.event, found.rule_index, found.reason) == (
            "quer_comprar", len(flow.understanding) - 1, "button",
        )  # fmt: skip
    assert proposed(Fragment("Ver o preço", "btn_8", "button"), flow=flow).event == "pediu_preco"


def test_of_two_rules_for_one_button_the_stronger_event_counts():
    flow = with_buttons(pediu_preco=["btn"], quer_comprar=["btn"])
    assert proposed(Fragment("x", "btn", "button"), flow=flow).event == "quer_comprar"


def test_a_rule_may_make_a_button_an_opt_out():
    """R75: before anything else."""
    flow = with_buttons(pediu_parar=["btn_sair"], quer_comprar=["btn_sair"])
    found = proposed(Fragment("Comprar", "btn_sair", "button"), "quero comprar", flow=flow)
    assert (found.event, found.reason) == ("pediu_parar", "opt_out")
    assert flow.understanding[found.rule_index].buttons == ("btn_sair",)


def test_a_button_cannot_pay():
    """SEC-S27: only a message event can come from a message."""
    assert proposed(Fragment("ok", "pagamento_aprovado", "button")).event == "msg_recebida"


def test_a_stop_button_is_an_opt_out():
    """R75."""
    assert proposed(Fragment("Não quero mais", "pediu_parar", "button")).reason == "opt_out"


def test_a_tap_that_was_taken_back_does_not_count():
    found = proposed(Fragment("Comprar", "quer_comprar", "button"), "não, espera")

    assert found.event == "msg_recebida"


def test_a_medium_without_words_is_the_general_event():
    """R33."""
    assert proposed(Fragment("", None, "audio")).event == "msg_recebida"
    assert classify(VENDA, []).event == "msg_recebida"


@settings(deadline=None)
@given(st.lists(st.text(max_size=30), max_size=4))
def test_whatever_is_written_one_message_event_is_proposed(texts):
    found = proposed(*texts)

    assert VENDA.events[found.event].source == "message"
