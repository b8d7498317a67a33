"""What the model checker says: safety rules that do not hold, silences without an end, and edits that mend them."""

from collections.abc import Mapping

_UNDECIDED = (
    "Não deu para provar a regra {number} ({words}): simplifique as condições que ela atravessa",
    "Rule {number} ({words}) could not be proved: simplify the conditions on its way",
)

RULE_SENTENCES: Mapping[str, tuple[str, str]] = {
    "R1": (
        "A regra {number} não vale: {action} ainda pode acontecer depois de {after}",
        "Rule {number} does not hold: {action} may still happen after {after}",
    ),
    "R2": (
        "A regra {number} não vale: em {state}, {event} leva a {reached}, e não a {targets}",
        "Rule {number} does not hold: in {state}, {event} leads to {reached}, not to {targets}",
    ),
    "R3": (
        "A regra {number} não vale: {count} mensagens saem sem nenhuma resposta; o limite é {limit}",
        "Rule {number} does not hold: {count} messages leave without any reply; the limit is {limit}",
    ),
    "R4": (
        "A regra {number} não vale: {action} pode sair {age} depois da última mensagem, e não tem modelo aprovado",
        "Rule {number} does not hold: {action} may leave {age} after the last message, and has no approved template",
    ),
    "R4.never": (
        "A regra {number} não vale: {action} pode sair sem a pessoa ter escrito, e não tem modelo aprovado",
        "Rule {number} does not hold: {action} may leave before the person ever wrote, and has no approved template",
    ),
    "R5": (
        "A regra {number} não vale: {action} pode acontecer {count} vezes; o limite é {limit}",
        "Rule {number} does not hold: {action} may happen {count} times; the limit is {limit}",
    ),
    "R6": (
        "A regra {number} não vale: {action} pode acontecer antes de {before}",
        "Rule {number} does not hold: {action} may happen before {before}",
    ),
    "R7": (
        "A regra {number} não vale: em {state} saem {count} respostas automáticas seguidas; o limite é {limit}",
        "Rule {number} does not hold: in {state} {count} automatic answers leave in a row; the limit is {limit}",
    ),
    "R8": (
        "A regra {number} não vale: em {state} o silêncio cobra quem escreveu {message} e ficou sem resposta",
        "Rule {number} does not hold: in {state} silence nudges somebody whose {message} got no answer",
    ),
    **{f"R{n}.unknown": _UNDECIDED for n in range(1, 9)},
    "S7": (
        "O silêncio em {states} nunca acaba: {arrows} se repete para sempre",
        "The silence in {states} never ends: {arrows} goes on for ever",
    ),
    "S7.large": (
        "O fluxo é grande demais para provar que todo silêncio acaba",
        "The flow is too large to prove that every silence ends",
    ),
    "S7.unknown": (
        "Não deu para provar que o silêncio em {states} acaba: {arrows} pode se repetir para sempre",
        "It could not be proved that the silence in {states} ends: {arrows} may go on for ever",
    ),
}
"""Code, with a variant after a dot: the pt-BR and the English sentence."""

RULE_FIXES: Mapping[str, tuple[str, str]] = {
    "drop_action": ("Deixar em {id} só as ações: {value}", "Leave only these actions in {id}: {value}"),
    "drop_actions": ("Tirar as ações de {id}", "Take the actions out of {id}"),
    "except": ("Não tomar {id} em {value}", "Do not take {id} in {value}"),
    "redirect": ("Levar {id} a {value}", "Lead {id} to {value}"),
    "add_arrow": (
        "Criar uma seta de {fields[from]} em {fields[on]} para {fields[to]}",
        "Add an arrow from {fields[from]} on {fields[on]} to {fields[to]}",
    ),
    "add_template": ("Dar a {id} o modelo aprovado {id}", "Give {id} the approved template {id}"),
    "once_per": ("Fazer {id} uma vez por {value}", "Do {id} once per {value}"),
}
"""Label codes of fixes; the placeholders are keys of the edit."""
