"""Flows to draw: a sale like the one that ships, and a long road of many states."""

from engine.core.flow import (
    HOUR,
    MINUTE,
    Debounce,
    EventType,
    Flow,
    Look,
    Send,
    Settings,
    Source,
    State,
    StateKind,
    Text,
    Transition,
)
from engine.core.guards.language import Declared, Kind, parse_guard


def said(words: str) -> Text:
    return Text((("pt-BR", words),))


def flow(states, transitions, globals_=(), *, initial=None, events=(), actions=()):
    return Flow(
        slug="venda",
        title=said("Venda do combo"),
        timezone="America/Sao_Paulo",
        initial=initial or states[0].name,
        debounce=Debounce(),
        context={},
        events={event.name: event for event in events},
        understanding=(),
        actions={action.id: action for action in actions},
        states={state.name: state for state in states},
        transitions=tuple(transitions),
        globals=tuple(globals_),
        ignored=frozenset(),
        rules=(),
        settings=Settings(),
        sha256="0" * 64,
    )


MESSAGES = {
    "msg_recebida": "mensagem",
    "pediu_preco": "pediu preço",
    "quer_comprar": "quer comprar",
    "pediu_parar": "pediu para parar",
    "pediu_desconto": "pediu desconto",
}
PAYMENTS = {
    "pix_gerado": "Pix gerado",
    "pix_expirado": "Pix expirou",
    "pagamento_recusado": "cartão recusado",
    "checkout_abandonado": "abandonou o checkout",
    "pagamento_aprovado": "pagamento aprovado",
}
EVENTS = [
    *(EventType(name=n, source=Source.MESSAGE, label=said(words)) for n, words in MESSAGES.items()),
    *(EventType(name=n, source=Source.PAYMENT, label=said(words)) for n, words in PAYMENTS.items()),
    EventType(name="timeout", source=Source.CLOCK),
    EventType(name="exhausted", source=Source.CLOCK),
]
ACTIONS = {
    "boas_vindas": "dar boas-vindas",
    "responder_duvida": "responder dúvida",
    "mandar_oferta": "mandar oferta",
    "retomar_conversa": "retomar conversa",
    "tratar_objecao": "tratar objeção",
    "mandar_link": "mandar link",
    "retomar_oferta": "retomar oferta",
    "ajudar_no_checkout": "ajudar no checkout",
    "ajuda_cartao": "ajudar com o cartão",
    "retomar_checkout": "retomar checkout",
    "reenviar_pix": "reenviar Pix",
    "lembrete_pix": "lembrar do Pix",
    "retomar_de_onde_parou": "retomar de onde parou",
    "proximo_toque": "próximo toque",
    "boas_vindas_de_volta": "boas-vindas de volta",
    "pos_venda": "pós-venda",
    "entregar_acesso": "entregar acesso",
    "confirmar_saida": "confirmar saída",
}
TOUCHES = {"toques": Declared(Kind.INT, min=0, max=5)}


def arrow(id_, frm, on, to, *do, when=None, **more):
    guard = parse_guard(when, TOUCHES) if when else None
    return Transition(id=id_, frm=frm, on=on, to=to, do=do, when=guard, **more)


def sale(*, shuffled: bool = False) -> Flow:
    states = [
        State(name="NOVO", look=Look.ENTRY),
        State(name="ENGAJADO", deadline=(2 * HOUR,)),
        State(name="NEGOCIANDO", deadline=(4 * HOUR,)),
        State(name="DESCONTO", kind=StateKind.APPROVAL, look=Look.HUMAN, deadline=(2 * HOUR,)),
        State(name="CHECKOUT_ENVIADO", look=Look.PAYMENT, deadline=(30 * MINUTE,)),
        State(name="AGUARDANDO_PIX", look=Look.PAYMENT, deadline=(30 * MINUTE,)),
        State(name="RECUPERANDO", look=Look.RECOVERY, deadline=(20 * HOUR, 24 * HOUR, 48 * HOUR)),
        State(name="PERDIDO", kind=StateKind.FINAL, look=Look.LOST),
        State(name="PAGO", kind=StateKind.FINAL, look=Look.WON),
        State(name="OPT_OUT", kind=StateKind.OPTOUT, look=Look.OUT),
    ]
    transitions = [
        arrow("t1", "NOVO", "msg_recebida", "ENGAJADO", "boas_vindas"),
        arrow("t2", "ENGAJADO", "msg_recebida", "ENGAJADO", "responder_duvida"),
        arrow("t3", "ENGAJADO", "pediu_preco", "NEGOCIANDO", "mandar_oferta"),
        arrow("t4", "ENGAJADO", "timeout", "RECUPERANDO", "retomar_conversa"),
        arrow("t5", "NEGOCIANDO", "msg_recebida", "NEGOCIANDO", "tratar_objecao"),
        arrow("t6", "NEGOCIANDO", "pediu_desconto", "DESCONTO"),
        arrow("t7", "NEGOCIANDO", "quer_comprar", "CHECKOUT_ENVIADO", "mandar_link"),
        arrow("t8", "NEGOCIANDO", "timeout", "RECUPERANDO", "retomar_oferta"),
        arrow("t9", "CHECKOUT_ENVIADO", "msg_recebida", "CHECKOUT_ENVIADO", "ajudar_no_checkout"),
        arrow("t10", "CHECKOUT_ENVIADO", "pix_gerado", "AGUARDANDO_PIX"),
        arrow("t11", "CHECKOUT_ENVIADO", "pagamento_recusado", "RECUPERANDO", "ajuda_cartao"),
        arrow("t12", "CHECKOUT_ENVIADO", "checkout_abandonado", "RECUPERANDO", "retomar_checkout"),
        arrow("t13", "CHECKOUT_ENVIADO", "timeout", "RECUPERANDO", "retomar_checkout"),
        arrow("t14", "AGUARDANDO_PIX", "msg_recebida", "AGUARDANDO_PIX", "reenviar_pix"),
        arrow("t15", "AGUARDANDO_PIX", "timeout", "RECUPERANDO", "lembrete_pix"),
        arrow("t16", "AGUARDANDO_PIX", "pix_expirado", "CHECKOUT_ENVIADO", "mandar_link"),
        arrow("t17", "RECUPERANDO", "msg_recebida", "NEGOCIANDO", "retomar_de_onde_parou"),
        arrow("t18", "RECUPERANDO", "timeout", "RECUPERANDO", "proximo_toque", when="toques < 3"),
        arrow("t19", "RECUPERANDO", "timeout", "PERDIDO", otherwise=True),
        arrow("t20", "PERDIDO", "msg_recebida", "ENGAJADO", "boas_vindas_de_volta"),
        arrow("t21", "PAGO", "msg_recebida", "PAGO", "pos_venda"),
        arrow("t22", "DESCONTO", "timeout", "NEGOCIANDO"),
    ]
    globals_ = [
        arrow("g1", None, "pagamento_aprovado", "PAGO", "entregar_acesso"),
        arrow("g2", None, "pediu_parar", "OPT_OUT", "confirmar_saida"),
    ]
    if shuffled:
        states, transitions, globals_ = states[::-1], transitions[::-1], globals_[::-1]
    return flow(
        states,
        transitions,
        globals_,
        initial="NOVO",
        events=EVENTS,
        actions=[Send(id=name, label=said(words)) for name, words in ACTIONS.items()],
    )


def long_road(count: int) -> Flow:
    """`count` states in a row, each with a staying row, a way on, a way back and a silence: 30 states, 88 arrows."""
    names = [f"ETAPA_{number}" for number in range(count)]
    states = [State(name=name, deadline=(HOUR,)) for name in names]
    transitions = []
    for number, name in enumerate(names):
        transitions.append(arrow(f"s{number}", name, "msg_recebida", name, "responder_duvida"))
        if number + 1 < count:
            transitions.append(arrow(f"f{number}", name, "quer_comprar", names[number + 1], "mandar_link"))
        if number:
            transitions.append(arrow(f"c{number}", name, "timeout", names[number // 2], "retomar_conversa"))
    actions = [Send(id=name, label=said(words)) for name, words in ACTIONS.items()]
    return flow(states, transitions, events=EVENTS, actions=actions)
