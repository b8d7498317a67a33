"""The sales machine of a published article, exactly as printed: what the checks must find in it."""

from engine.core.flow import EventType, Flow, Source, State, StateKind
from tests.factories import DAY, Arrow, a_flow, clock, final, message, state

ROWS = {
    "NOVO": {"msg": "ENGAJADO boas_vindas"},
    "ENGAJADO": {
        "msg": "ENGAJADO responder_duvida",
        "pediu_preco": "NEGOCIANDO mandar_oferta",
        "timeout": "RECUPERANDO retomar_conversa",
    },
    "NEGOCIANDO": {
        "msg": "NEGOCIANDO tratar_objecao",
        "quer_comprar": "CHECKOUT_ENVIADO mandar_link",
        "timeout": "RECUPERANDO retomar_oferta",
    },
    "CHECKOUT_ENVIADO": {
        "msg": "CHECKOUT_ENVIADO ajudar_no_checkout",
        "pix_gerado": "AGUARDANDO_PIX",
        "pagamento_recusado": "RECUPERANDO ajuda_cartao",
        "checkout_abandonado": "RECUPERANDO retomar_checkout",
        "timeout": "RECUPERANDO retomar_checkout",
    },
    "AGUARDANDO_PIX": {"msg": "AGUARDANDO_PIX reenviar_pix", "timeout": "RECUPERANDO lembrete_pix"},
    "RECUPERANDO": {
        "msg": "NEGOCIANDO retomar_de_onde_parou",
        "timeout": "RECUPERANDO proximo_toque",
        "regua_esgotada": "PERDIDO",
    },
    "PERDIDO": {"msg": "ENGAJADO boas_vindas_de_volta"},
    "PAGO": {"msg": "PAGO pos_venda"},
}
GLOBAL = {"pagamento_aprovado": "PAGO entregar_acesso", "pediu_parar": "OPT_OUT confirmar_saida"}
PAYMENTS = ("pix_gerado", "pagamento_recusado", "checkout_abandonado", "pagamento_aprovado")


def printed_sales_flow() -> Flow:
    arrows: list[Arrow] = []
    for frm, rows in [*ROWS.items(), (None, GLOBAL)]:
        for on, row in rows.items():
            to, *do = row.split()
            arrows.append(Arrow(f"t{len(arrows) + 1}", frm, on, to, do=tuple(do)))
    waiting: list[State] = [
        state("NOVO"),
        *(state(name, DAY) for name in ("ENGAJADO", "NEGOCIANDO", "CHECKOUT_ENVIADO", "AGUARDANDO_PIX", "RECUPERANDO")),
    ]
    return a_flow(
        [*waiting, final("PERDIDO"), final("PAGO"), state("OPT_OUT", kind=StateKind.OPTOUT)],
        arrows,
        events=[
            message("pediu_preco", priority=20),
            message("quer_comprar", priority=30),
            message("pediu_parar", priority=100),
            *(EventType(name=name, source=Source.PAYMENT) for name in PAYMENTS),
            clock("regua_esgotada"),
        ],
        slug="venda-literal",
    )
