"""Safety rules as sentences, in both languages."""

import pytest

from engine import samples
from engine.core.document import read
from engine.core.flow import Rule
from engine.core.rule_sentences import KINDS, rule_sentence
from tests.services.small_flow import small

TREE = small(
    events={
        "msg_recebida": {"source": "message"},
        "pediu_parar": {
            "source": "message",
            "priority": 9,
            "label": {"pt-BR": "pediu para parar", "en": "asked to stop"},
        },
        "pago": {"source": "payment", "data": {"transacao": "text"}},
    },
    understanding=[{"event": "pediu_parar", "any": ["parar"]}],
    actions={
        "oi": {"kind": "send", "text": "Oi!"},
        "mandar_oferta": {"kind": "send", "text": "Oferta"},
        "entregar": {
            "kind": "call",
            "url": "https://x.test/",
            "once_per": "{{event.transacao}}",
            "label": "entregar acesso",
        },
    },
)
FLOW = read(TREE)
CASES = [
    ("never", {"never": {"do": "mandar_oferta"}, "after": {"state": "FIM"}},
     "Depois de FIM, nunca mandar oferta", "After FIM, never mandar oferta"),
    ("never", {"never": {"do": "oi"}, "after": {"event": "pediu_parar"}, "unless": ["mandar_oferta", "entregar"]},
     "Depois de pediu para parar, nunca oi, a menos que já tenha feito mandar oferta ou entregar acesso",
     "After asked to stop, never oi, unless it has done mandar oferta or entregar acesso"),
    ("always", {"always": "pediu_parar", "leads_to": "FIM"},
     "Sempre que pediu para parar, a conversa vai para FIM", "Whenever asked to stop, the conversation goes to FIM"),
    ("always", {"always": "pago", "leads_to": ["NOVO", "CONVERSA", "FIM"]},
     "Sempre que pago, a conversa vai para NOVO, CONVERSA ou FIM",
     "Whenever pago, the conversation goes to NOVO, CONVERSA or FIM"),
    ("sends_without_reply", {"at_most": 4, "sends_without_reply": True},
     "No máximo 4 mensagens seguidas sem resposta", "At most 4 messages in a row without a reply"),
    ("sends_without_reply", {"at_most": 1, "sends_without_reply": True},
     "No máximo 1 mensagem sem resposta", "At most 1 message without a reply"),
    ("window", {"window": "24h"},
     "Mensagem livre nunca sai depois de 24 h", "A free-form message never leaves after 24 h"),
    ("at_most", {"at_most": 1, "do": "entregar"},
     "Entregar acesso no máximo 1 vez por transacao", "Entregar acesso at most once per transacao"),
    ("at_most", {"at_most": 2, "do": "oi"}, "Oi no máximo 2 vezes por conversa", "Oi at most 2 times per conversation"),
    ("only_after", {"only_after": {"event": "pago"}, "do": "entregar"},
     "Entregar acesso só depois de pago", "Entregar acesso only after pago"),
    ("only_after", {"only_after": {"do": "oi"}, "do": "entregar"},
     "Entregar acesso só depois de oi", "Entregar acesso only after oi"),
    ("echo", {"echo": 3}, "No máximo 3 respostas automáticas seguidas sem sair do estado",
     "At most 3 automatic answers in a row without leaving the state"),
    ("no_nudge_unanswered", {"no_nudge_unanswered": True}, "Nunca cobrar quem mandou mensagem sem resposta",
     "Never nudge somebody whose message got no answer"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "body", "pt", "en"), CASES)
def test_every_form_is_a_sentence_in_both_languages(kind, body, pt, en):
    assert [rule.kind for rule in read({**TREE, "rules": [body]}).rules] == [kind], "the document takes it"
    assert rule_sentence(FLOW, Rule(kind, body)) == pt
    assert rule_sentence(FLOW, Rule(kind, body), "en") == en


def test_the_cases_above_are_all_forms():
    assert {kind for kind, *_ in CASES} == set(KINDS)


def test_names_that_the_flow_lacks_stay_as_they_are_written():
    gone = Rule("never", {"never": {"do": "sumiu"}, "after": {"event": "sumiu_tambem"}})

    assert rule_sentence(FLOW, gone) == "Depois de sumiu tambem, nunca sumiu"


def test_the_rules_of_the_samples_have_sentences_without_a_placeholder():
    for name in ("venda", "venda-literal"):
        flow = read(samples.tree(name))
        for language in ("pt-BR", "en"):
            said = [rule_sentence(flow, rule, language) for rule in flow.rules]
            assert said
            assert not [words for words in said if "{" in words]
