"""A flow in which a person approves a discount before it is offered, for tests of approvals."""

import copy

from engine.core.approval import Approver
from engine.core.permissions import Actor
from engine.services.approval_decisions import Decider
from engine.store import approvals

ANA = Decider(Actor("ana@loja.example"), Approver("supervisor", "ana@loja.example"))
BIA = Decider(Actor("bia@loja.example"), Approver("publisher", "bia@loja.example"))
OFFER = "Consigo por R$ 267, Ana."
TEMPLATE = {"name": "desconto_pix", "language": "pt_BR", "params": ["{{contact.first_name|default:você}}"]}

TREE = {
    "schema": 1,
    "slug": "desconto",
    "title": "Desconto",
    "initial": "NOVO",
    "debounce": {"quiet": "4s", "ceiling": "20s"},
    "context": {"voltas": {"type": "int", "default": 0, "min": 0, "max": 9}},
    "events": {
        "msg_recebida": {"source": "message"},
        "pediu_desconto": {"source": "message", "falls_back_to": "msg_recebida", "priority": 10},
        "pediu_parar": {"source": "message", "priority": 100},
        "pagamento_aprovado": {"source": "payment"},
    },
    "understanding": [
        {"event": "pediu_desconto", "any": ["desconto"]},
        {"event": "pediu_parar", "any": ["parar"]},
    ],
    "actions": {
        "oi": {"kind": "send", "text": "Oi!"},
        "oferecer": {"kind": "send", "text": "Consigo por R$ 267, {{contact.first_name|default:você}}."},
        "recusar": {"kind": "send", "text": "Desta vez não consigo."},
        "sair": {"kind": "send", "text": "Certo, não escrevo mais."},
    },
    "states": {
        "NOVO": {"deadline": "10d"},
        "DESCONTO": {"kind": "approval", "deadline": "30m"},
        "OFERTA": {"deadline": "10d"},
        "PAGO": {"kind": "final", "look": "won"},
        "FIM": {"kind": "final"},
        "SAIU": {"kind": "optout"},
    },
    "transitions": [
        {"id": "t1", "from": "NOVO", "on": "msg_recebida", "to": "NOVO", "do": ["oi"]},
        {"id": "t2", "from": "NOVO", "on": "pediu_desconto", "to": "DESCONTO"},
        {"id": "t3", "from": "DESCONTO", "on": "approved", "to": "OFERTA", "do": ["oferecer"]},
        {"id": "t4", "from": "DESCONTO", "on": "rejected", "to": "NOVO", "do": ["recusar"]},
        {"id": "t5", "from": "DESCONTO", "on": "timeout", "to": "NOVO"},
        {
            "id": "t6", "from": "DESCONTO", "on": "msg_recebida", "to": "DESCONTO", "set": {"voltas": "voltas + 1"},
            "keep_deadline": True,
        },
        {"id": "t7", "from": "OFERTA", "on": "msg_recebida", "to": "OFERTA", "do": ["oi"]},
        {"id": "t8", "from": "NOVO", "on": "timeout", "to": "FIM"},
        {"id": "t9", "from": "OFERTA", "on": "timeout", "to": "FIM"},
    ],
    "globals": [
        {"id": "g1", "on": "pagamento_aprovado", "to": "PAGO"},
        {"id": "g2", "on": "pediu_parar", "to": "SAIU", "do": ["sair"], "except": ["SAIU"]},
    ],
    "ignore": [
        {"state": "PAGO", "on": ["msg_recebida"]},
        {"state": "FIM", "on": ["msg_recebida"]},
        {"state": "SAIU", "on": ["msg_recebida", "pediu_parar"]},
    ],
}  # fmt: skip


def discount(**changes):
    """The document with single places set, `states__DESCONTO__deadline="1h"`; lists of arrows are reached by id."""
    tree = copy.deepcopy(TREE)
    for path, value in changes.items():
        *parents, last = path.split("__")
        place = tree
        for name in parents:
            place = next(row for row in place if row["id"] == name) if isinstance(place, list) else place[name]
        place[last] = value
    return tree


async def asked(shop, phone="5541900000001"):
    """The customer asks for a discount; the request that is raised."""
    await shop.talks(phone, "tem desconto?")
    return await waiting(shop, phone)


async def waiting(shop, phone="5541900000001"):
    """What waits in the customer's conversation now, None when nothing does."""
    conversation = await shop.conversation(phone)
    return await shop.runtime.store.read(lambda tx: approvals.pending_of(tx, conversation.id))


async def fate(shop, approval_id):
    """What became of a request."""
    return (await shop.runtime.store.read(lambda tx: approvals.get(tx, approval_id))).status
