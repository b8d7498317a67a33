"""Findings and fixes in words, Brazilian Portuguese and English, from one table with named placeholders."""

from collections.abc import Mapping

from engine.core.checks.examples import example
from engine.core.checks.findings import SEVERITIES, Finding, Fix, Severity, Where
from engine.core.checks.sentences_rules import RULE_FIXES, RULE_SENTENCES
from engine.core.checks.sentences_silence import SILENCE_SENTENCES
from engine.core.checks.sentences_texts import TEXT_FIXES, TEXT_SENTENCES
from engine.core.flow import Value

PT, EN = "pt-BR", "en"

SENTENCES: Mapping[str, tuple[str, str]] = {
    **RULE_SENTENCES,
    **SILENCE_SENTENCES,
    **TEXT_SENTENCES,
    "G1": (
        "Duas setas podem disparar ao mesmo tempo quando {example}",
        "Two arrows can fire at the same time when {example}",
    ),
    "G1.always": (
        "Duas setas podem disparar ao mesmo tempo: {arrows} não se excluem",
        "Two arrows can fire at the same time: {arrows} do not exclude each other",
    ),
    "G2": (
        "Em {states}, nenhuma seta dispara em {event} quando {example}",
        "In {states}, no arrow fires on {event} when {example}",
    ),
    "G2.always": (
        "Em {states}, nenhuma seta dispara em {event}, em caso nenhum",
        "In {states}, no arrow ever fires on {event}",
    ),
    "G3": (
        "A seta {arrows} nunca dispara: a condição {guard} nunca é verdadeira",
        "The arrow {arrows} never fires: its condition {guard} is never true",
    ),
    "G3.otherwise": (
        "A seta {arrows} nunca dispara: as outras já cobrem todos os casos",
        "The arrow {arrows} never fires: the others already cover every case",
    ),
    "G4": (
        "Em {state}, a seta {arrows} nunca dispara: as setas de qualquer estado vêm antes",
        "In {state}, the arrow {arrows} never fires: the arrows from any state come first",
    ),
    "G5": (
        "A condição {guard} fica sem resposta quando {example}",
        "The condition {guard} has no answer when {example}",
    ),
    "G5.always": (
        "A condição {guard} nunca tem resposta",
        "The condition {guard} never has an answer",
    ),
    "G6": (
        "Não deu para provar que as setas {arrows} nunca disparam juntas",
        "It could not be proved that the arrows {arrows} never fire together",
    ),
    "G6.gap": (
        "Não deu para provar que as setas {arrows} cobrem todos os casos",
        "It could not be proved that the arrows {arrows} cover every case",
    ),
    "G6.undefined": (
        "Não deu para provar que a condição {guard} sempre tem resposta",
        "It could not be proved that the condition {guard} always has an answer",
    ),
    "S1": (
        "Ninguém chega em {state}. Crie uma seta até ele ou exclua.",
        "Nothing leads to {state}. Add an arrow to it or delete it.",
    ),
    "S2": (
        "A seta {arrows} nunca é usada: {event} não chega a ela",
        "The arrow {arrows} is never taken: {event} does not get to it",
    ),
    "S2.nobody": (
        "A variação {arrows} tem 0 %: nenhum cliente vai por ela",
        "The variant {arrows} has 0 %: no customer takes it",
    ),
    "S2.everybody": (
        "A variação {arrows} tem 100 %: todos os clientes vão por ela, e o teste pode acabar",
        "The variant {arrows} has 100 %: every customer takes it, and the test can end",
    ),
    "S3": (
        "O evento {event} nunca acontece: nada no fluxo dá origem a ele",
        "The event {event} never happens: nothing in the flow emits it",
    ),
    "S4": (
        "Em {state}, a mensagem {event} fica sem resposta. Crie uma seta ou diga que é de propósito.",
        "In {state}, the message {event} gets no answer. Add an arrow or say that it is on purpose.",
    ),
    "S5": (
        "De {states} a conversa nunca termina: nenhum estado final ou de descanso é alcançado",
        "From {states} the conversation never ends: no final or resting state can be reached",
    ),
    "W1": (
        "O texto de {action} tem {length} caracteres; o WhatsApp aceita {limit}",
        "The text of {action} has {length} characters; WhatsApp takes {limit}",
    ),
    "W1.buttons": (
        "{action} tem {length} botões; o WhatsApp aceita {limit}",
        "{action} has {length} buttons; WhatsApp takes {limit}",
    ),
    "W1.button": (
        "O botão “{title}” de {action} tem {length} caracteres; o WhatsApp aceita {limit}",
        "The button “{title}” of {action} has {length} characters; WhatsApp takes {limit}",
    ),
    "W1.body": (
        "O texto de {action} sobre botões ou lista tem {length} caracteres; o WhatsApp aceita {limit}: sai em partes",
        "The text of {action} above its choices has {length} characters; WhatsApp takes {limit}: it leaves in pieces",
    ),
    "W1.caption": (
        "A legenda de {action} tem {length} caracteres; o WhatsApp aceita {limit}, então o resto sai como texto",
        "The caption of {action} has {length} characters; WhatsApp takes {limit}, so the rest leaves as a text",
    ),
    "W1.id": (
        "O id “{title}” de {action} tem {length} caracteres; o WhatsApp aceita {limit}",
        "The id “{title}” of {action} has {length} characters; WhatsApp takes {limit}",
    ),
    "W1.row": (
        "A linha “{title}” da lista de {action} tem {length} caracteres; o WhatsApp aceita {limit}",
        "The row “{title}” of the list of {action} has {length} characters; WhatsApp takes {limit}",
    ),
    "W1.description": (
        "A descrição “{title}” na lista de {action} tem {length} caracteres; o WhatsApp aceita {limit}",
        "The description “{title}” in the list of {action} has {length} characters; WhatsApp takes {limit}",
    ),
    "W1.rows": (
        "A lista de {action} tem {length} linhas; o WhatsApp aceita {limit}",
        "The list of {action} has {length} rows; WhatsApp takes {limit}",
    ),
    "W2": (
        "O texto de {action} usa {{{{{name}}}}}, que não existe",
        "The text of {action} uses {{{{{name}}}}}, which does not exist",
    ),
    "W2.event": (
        "O texto de {action} usa {{{{{name}}}}}, que {event} não traz",
        "The text of {action} uses {{{{{name}}}}}, which {event} does not carry",
    ),
    "W3": (
        "{action} usa o modelo {name} ({language}), que o WhatsApp não tem",
        "{action} uses the template {name} ({language}), which WhatsApp does not have",
    ),
    "W3.status": (
        "{action} usa o modelo {name} ({language}), que não está aprovado: {status}",
        "{action} uses the template {name} ({language}), which is not approved: {status}",
    ),
    "W3.shape": (
        "{action} usa o modelo {name} ({language}), cujo cabeçalho ou valores não são os que o robô envia",
        "{action} uses the template {name} ({language}), whose head or values are not what the robot sends",
    ),
    "W3.values": (
        "{action} dá {given} valores ao modelo {name} ({language}), que pede {wanted}",
        "{action} gives {given} values to the template {name} ({language}), which wants {wanted}",
    ),
}
"""Code, with a variant after a dot: the pt-BR and the English sentence."""

FIXES: Mapping[str, tuple[str, str]] = {
    **RULE_FIXES,
    **TEXT_FIXES,
    "change_condition": ("Mudar {id} para {value}", "Change {id} to {value}"),
    "guard_with_has": ("Mudar {id} para {value}", "Change {id} to {value}"),
    "make_otherwise": ("Fazer de {id} a seta dos outros casos", "Make {id} the arrow of all other cases"),
    "delete_transition": ("Excluir a seta {id}", "Delete the arrow {id}"),
    "delete_split": ("Excluir as variações de {id}", "Delete the variants of {id}"),
    "delete_state": ("Excluir o estado {id}", "Delete the state {id}"),
    "delete_event": ("Excluir o evento {id}", "Delete the event {id}"),
    "set_deadline": ("Dar a {id} um prazo de silêncio de 1 dia", "Give {id} a silence deadline of 1 day"),
    "let_rest": ("Deixar {id} em silêncio de propósito", "Let {id} rest on purpose"),
    "ignore": ("Ignorar {event} em {state} de propósito", "Ignore {event} in {state} on purpose"),
    "fall_back": ("Tratar {id} como {value}", "Treat {id} as {value}"),
}
"""Label codes of fixes; the placeholders are keys of the edit."""

_AND = {PT: "e", EN: "and"}


def sentence(finding: Finding, language: str) -> str:
    """The finding in words, English for any language that does not begin with `pt`."""
    known = _known(language)
    where = finding.where
    words = {key: _shown(value, known) for key, value in finding.facts.items()} | {
        "state": where.state or "",
        "event": where.event or str(finding.facts.get("event", "")),
        "arrows": _shown(where.transitions, known),
        "example": example(finding.witness or {}, known),
    }
    variant = finding.facts.get("variant")
    if finding.witness is not None and not finding.witness:
        variant = "always"
    key = f"{finding.code}.{variant}" if variant else finding.code
    return SENTENCES[key][known == EN].format_map(words)


def fix_label(fix: Fix, language: str) -> str:
    """What a fix's button says."""
    known = _known(language)
    words = {key: _shown(tuple(v), known) if isinstance(v, list) else v for key, v in fix.edit.items()}
    return FIXES[fix.label_code][known == EN].format_map(words)


def finding(
    code: str,
    where: Where,
    *,
    witness: Mapping[str, Value] | None = None,
    fixes: tuple[Fix, ...] = (),
    severity: Severity | None = None,
    path: tuple[Mapping[str, object], ...] | None = None,
    **facts: object,
) -> Finding:
    """A finding with its pt-BR message in place."""
    grave = severity or SEVERITIES[code]
    bare = Finding(
        code=code, severity=grave, where=where, message="", facts=facts, witness=witness, path=path, fixes=fixes
    )
    return Finding(
        code=code,
        severity=grave,
        where=where,
        message=sentence(bare, PT),
        facts=facts,
        witness=witness,
        path=path,
        fixes=fixes,
    )


def _known(language: str) -> str:
    return PT if language.lower().startswith("pt") else EN


def _shown(value: object, language: str) -> str:
    if isinstance(value, Mapping):
        return str(value[language])
    if not isinstance(value, tuple):
        return str(value)
    words = [str(item) for item in value]
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {_AND[language]} {words[-1]}"
