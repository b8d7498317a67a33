"""The sample flows say what their table promises. Which findings the checks give is tested beside the checks."""

from dataclasses import replace

import pytest

from engine.core.classify import Fragment, classify
from engine.core.document import read
from engine.core.events import Event, Outcome
from engine.core.flow import DAY, HOUR, MINUTE, Send, Source, StateKind
from engine.core.interpreter import opening, step
from engine.core.templating import placeholders, render
from engine.samples import names, source, tree

VENDA = read(tree("venda"))
LITERAL = read(tree("venda-literal"))
T0 = 1_785_589_200_000


def standing(flow, state, **context):
    begun = opening(flow, T0, "begin")
    return replace(begun, state=state, context={**begun.context, **context}, last_inbound_at=T0 - 10 * MINUTE)


def happens(flow, snapshot, name, **data):
    event = Event(id=f"{name}-{snapshot.state}", type=name, source=flow.events[name].source, at=T0, data=data)
    return step(flow, snapshot, event, T0, {})


def said(flow, state, text):
    return happens(flow, standing(flow, state), classify(flow, [Fragment(text)]).event, text=text)


def test_the_samples_have_names_and_texts_of_their_own():
    assert names() == ("venda", "venda-literal")
    for slug in names():
        assert tree(slug)["slug"] == slug
        assert tree(slug) is not tree(slug)
        assert source(slug).startswith("#")
    with pytest.raises(KeyError):
        tree("../secrets")


@pytest.mark.parametrize(
    ("state", "text", "to", "actions"),
    [
        ("NOVO", "oi", "ENGAJADO", ("boas_vindas",)),
        ("NOVO", "quanto custa?", "ENGAJADO", ("boas_vindas",)),
        ("NOVO", "quero 2 combos", "ENGAJADO", ("boas_vindas",)),
        ("NOVO", "quero comprar", "ENGAJADO", ("boas_vindas",)),
        ("ENGAJADO", "o que tem dentro?", "ENGAJADO", ("responder_duvida",)),
        ("ENGAJADO", "preço?", "NEGOCIANDO", ("mandar_oferta",)),
        ("ENGAJADO", "quero comprar", "CHECKOUT_ENVIADO", ("mandar_link",)),
        ("NEGOCIANDO", "quero parcelar", "NEGOCIANDO", ("tratar_objecao",)),
        ("NEGOCIANDO", "não quero parar, quero continuar", "NEGOCIANDO", ("tratar_objecao",)),
        ("NEGOCIANDO", "quanto custa?", "NEGOCIANDO", ("tratar_objecao",)),
        ("NEGOCIANDO", "quero comprar no pix", "CHECKOUT_ENVIADO", ("mandar_link",)),
        ("NEGOCIANDO", "Quero sair da lista. Grata!", "OPT_OUT", ("confirmar_saida",)),
        ("CHECKOUT_ENVIADO", "não abriu", "CHECKOUT_ENVIADO", ("ajudar_no_checkout",)),
        ("AGUARDANDO_PIX", "já paguei", "AGUARDANDO_PIX", ("reenviar_pix",)),
        ("RECUPERANDO", "oi, ainda dá tempo?", "NEGOCIANDO", ("retomar_de_onde_parou",)),
        ("RECUPERANDO", "pare", "OPT_OUT", ("confirmar_saida",)),
        ("PERDIDO", "ainda tem aquela condição?", "ENGAJADO", ("boas_vindas_de_volta",)),
        ("PAGO", "obrigado, chegou aqui", "PAGO", ("pos_venda",)),
        ("PAGO", "quanto custa?", "PAGO", ("pos_venda",)),
        ("PAGO", "parar", "PAGO", ("confirmar_saida",)),
        ("REEMBOLSADO", "oi", "REEMBOLSADO", ("pos_venda",)),
    ],
)
def test_a_message_moves_the_sale(state, text, to, actions):
    """R2, R24, R72."""
    made = said(VENDA, state, text)

    assert (made.snapshot.state, made.actions) == (to, actions)


@pytest.mark.parametrize(
    ("state", "event", "to", "actions"),
    [
        ("NOVO", "checkout_abandonado", "RECUPERANDO", ("retomar_checkout",)),
        ("NOVO", "pix_gerado", "AGUARDANDO_PIX", ()),
        ("CHECKOUT_ENVIADO", "checkout_abandonado", "RECUPERANDO", ("retomar_checkout",)),
        ("CHECKOUT_ENVIADO", "pagamento_recusado", "RECUPERANDO", ("ajuda_cartao",)),
        ("CHECKOUT_ENVIADO", "boleto_impresso", "AGUARDANDO_PIX", ()),
        ("NEGOCIANDO", "pix_gerado", "AGUARDANDO_PIX", ()),
        ("RECUPERANDO", "pix_gerado", "AGUARDANDO_PIX", ()),
        ("AGUARDANDO_PIX", "expirado", "RECUPERANDO", ("retomar_checkout",)),
        ("PERDIDO", "pagamento_aprovado", "PAGO", ("entregar_acesso",)),
        ("OPT_OUT", "pagamento_aprovado", "PAGO", ("entregar_acesso",)),
        ("PAGO", "pagamento_aprovado", "PAGO", ("entregar_acesso",)),
        ("PAGO", "reembolso", "REEMBOLSADO", ()),
        ("PAGO", "chargeback", "REEMBOLSADO", ()),
        ("ENGAJADO", "timeout", "RECUPERANDO", ("retomar_conversa",)),
        ("NEGOCIANDO", "timeout", "RECUPERANDO", ("retomar_oferta",)),
        ("CHECKOUT_ENVIADO", "timeout", "RECUPERANDO", ("retomar_checkout",)),
        ("AGUARDANDO_PIX", "timeout", "RECUPERANDO", ("lembrete_pix",)),
        ("RECUPERANDO", "timeout", "RECUPERANDO", ("proximo_toque",)),
        ("RECUPERANDO", "exhausted", "PERDIDO", ()),
        ("NOVO", "timeout", "PERDIDO", ()),
    ],
)
def test_a_payment_or_a_silence_moves_the_sale(state, event, to, actions):
    made = happens(VENDA, standing(VENDA, state), event)

    assert (made.snapshot.state, made.actions) == (to, actions)


@pytest.mark.parametrize("event", ["checkout_abandonado", "pagamento_recusado", "pix_gerado", "expirado"])
def test_late_payment_news_find_no_way_out_of_a_paid_sale(event):
    assert happens(VENDA, standing(VENDA, "PAGO"), event).outcome is Outcome.NO_TRANSITION


def test_three_touches_and_then_the_lead_is_lost():
    """R11."""
    at = standing(VENDA, "RECUPERANDO")
    touches = 0
    for _ in range(3):
        made = happens(VENDA, at, "timeout")
        touches += made.actions == ("proximo_toque",)
        at = made.snapshot

    assert touches == 3
    assert VENDA.states["RECUPERANDO"].deadline == (20 * HOUR, DAY, DAY)
    assert happens(VENDA, at, "exhausted").snapshot.state == "PERDIDO"


@pytest.mark.parametrize(
    "round_",
    [
        ["timeout", "pix_gerado", "timeout", "pagamento_recusado", "pix_gerado", "expirado", "timeout"],
        ["timeout"],
        ["pagamento_recusado"],
        ["pix_gerado", "timeout"],
    ],
)
def test_without_an_answer_at_most_four_messages_leave_whatever_the_payments_do(round_):
    at = standing(VENDA, "RECUPERANDO")
    sent = 0
    for event in round_ * 7:
        made = happens(VENDA, at, event)
        sent += len(made.actions)
        at = made.snapshot

    assert sent == 4


@pytest.mark.parametrize("state", ["ENGAJADO", "NEGOCIANDO", "CHECKOUT_ENVIADO", "AGUARDANDO_PIX", "RECUPERANDO"])
def test_a_medium_without_words_is_answered_by_asking_for_words(state):
    """R33."""
    made = happens(VENDA, standing(VENDA, state), "msg_recebida", media="audio")
    understood = happens(VENDA, standing(VENDA, state), "msg_recebida", media="audio", text="oi")

    assert made.actions == ("pedir_texto",)
    assert understood.actions != ("pedir_texto",)


def test_the_refunded_purchase_does_not_deliver_again_and_another_one_does():
    refunded = happens(VENDA, standing(VENDA, "PAGO"), "reembolso", transacao="HP1").snapshot

    late = happens(VENDA, refunded, "pagamento_aprovado", transacao="HP1")
    other = happens(VENDA, refunded, "pagamento_aprovado", transacao="HP2")

    assert (late.outcome, late.actions) == (Outcome.IGNORED, ())
    assert (other.snapshot.state, other.actions) == ("PAGO", ("entregar_acesso",))


def test_after_an_opt_out_messages_are_ignored_on_purpose():
    """R7, R75."""
    for text in ("oi", "quero comprar", "parar"):
        assert said(VENDA, "OPT_OUT", text).outcome is Outcome.IGNORED


def test_every_message_event_is_answered_or_ignored_on_purpose_in_every_state():
    """R2."""
    messages = [e.name for e in VENDA.events.values() if e.source is Source.MESSAGE]
    for state in VENDA.states:
        for name in messages:
            made = happens(VENDA, standing(VENDA, state), name, text="oi")
            assert made.outcome in (Outcome.MOVED, Outcome.IGNORED), (state, name)


def test_no_state_and_event_has_two_ways_at_once():
    """R1, over every state, event and number of touches."""
    for state in VENDA.states:
        for name in VENDA.events:
            for touches in range(5):
                for data in ({}, {"media": "audio"}, {"text": "oi"}, {"transacao": "HP1"}):
                    made = happens(VENDA, standing(VENDA, state, toques=touches), name, **data)
                    assert made.outcome is not Outcome.AMBIGUOUS, (state, name, touches, data)


def test_what_the_clock_or_a_payment_may_send_late_has_a_template():
    """R28."""
    late = {
        action
        for t in VENDA.arrows.values()
        if VENDA.events[t.on].source is not Source.MESSAGE
        for action in t.do
        if isinstance(VENDA.actions[action], Send)
    }

    assert late == {n for n, a in VENDA.actions.items() if isinstance(a, Send) and a.template is not None}


def test_access_is_delivered_once_per_purchase():
    """R40."""
    assert VENDA.actions["entregar_acesso"].once_per == "{{event.transacao}}"


def test_every_waiting_state_has_a_deadline_and_every_end_has_none():
    for state in VENDA.states.values():
        ends = state.kind in (StateKind.FINAL, StateKind.OPTOUT)
        assert bool(state.deadline) is not ends, state.name


def test_every_text_has_both_languages_and_only_known_gaps():
    known = set(VENDA.context) | {"contact.first_name", "contact.tracking", "event.transacao"}
    for action in VENDA.actions.values():
        languages = dict(action.text.versions)
        assert set(languages) == {"pt-BR", "en"}, action.id
        template = action.template if isinstance(action, Send) else None
        for words in (*languages.values(), *(template.params if template else ()), action.once_per or ""):
            assert set(placeholders(words)) <= known, action.id
            assert len(render(VENDA, words, {})) < 500


def test_every_state_event_and_action_has_a_label_in_both_languages():
    for named in (*VENDA.states.values(), *VENDA.events.values(), *VENDA.actions.values()):
        assert dict(named.label.versions).keys() == {"pt-BR", "en"}, named


def test_prices_are_written_the_brazilian_way():
    assert "R$ 197,00" in render(VENDA, VENDA.actions["mandar_oferta"].text.within("pt-BR"), {"preco": 19700})


def test_the_literal_table_keeps_its_holes():
    """It is the demonstration of what the checks find; repairing it by accident would take their examples away."""
    assert not LITERAL.states["NOVO"].deadline
    assert LITERAL.events["regua_esgotada"].source is Source.CLOCK
    assert said(LITERAL, "NOVO", "quanto custa?").outcome is Outcome.NO_TRANSITION
    assert said(LITERAL, "OPT_OUT", "parar").actions == ("confirmar_saida",)
    assert happens(LITERAL, standing(LITERAL, "PAGO"), "pagamento_aprovado").actions == ("entregar_acesso",)
    assert all(a.template is None for a in LITERAL.actions.values())
    assert (len(LITERAL.states), len(LITERAL.transitions), len(LITERAL.globals)) == (9, 19, 2)
    messages = [e.name for e in LITERAL.events.values() if e.source is Source.MESSAGE]
    missing = [
        (state, name)
        for state in LITERAL.states
        for name in messages
        if happens(LITERAL, standing(LITERAL, state), name).outcome is Outcome.NO_TRANSITION
    ]
    assert len(missing) == 17
