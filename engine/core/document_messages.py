"""What is wrong with a document, in Portuguese and in English: one sentence per code."""

from collections.abc import Mapping

from engine.core.errors import GuardError, Mistake

_PT: dict[str, str] = {
    "not_table": "aqui vai uma tabela de chaves e valores, não {found}",
    "not_list": "aqui vai uma lista, não {found}",
    "not_text": "aqui vai um texto, não {found}",
    "not_flag": "aqui vai true ou false, não {found}",
    "not_integer": "aqui vai um número inteiro, não {found}",
    "not_number": "aqui vai um número, não {found}",
    "not_duration": "“{value}” não é uma duração; escreva como 30s, 5m, 2h ou 1d",
    "not_instant": "“{value}” não é um instante; escreva como 2026-08-01T10:00:00-03:00",
    "not_positive": "a duração precisa ser maior que zero",
    "not_a_choice": "“{value}” não existe aqui; escolha entre {options}{hint}",
    "not_a_name": "“{value}” não serve de nome: use letras, algarismos e _, sem espaços, começando por letra",
    "not_a_slug": "“{value}” não serve: use letras minúsculas sem acento, algarismos e hífens",
    "not_an_address": "“{value}” não é um endereço; ele começa com https:// (ou é só o número de um arquivo que o WhatsApp já tem)",
    "not_a_zone": "“{value}” não é um fuso horário conhecido, como America/Sao_Paulo{hint}",
    "not_hours": "“{value}” não é um horário; escreva como 21:00-08:00, ou null para desligar",
    "not_share": "a parte de uma divisão vai de 0 a 100",
    "reserved_name": "“{value}” é uma palavra reservada",
    "unknown_key": "a chave “{key}” não existe aqui{hint}",
    "odd_key": "uma chave precisa ser um texto, não {found}; escreva-a entre aspas",
    "missing": "falta a chave “{key}”",
    "empty_text": "o texto está vazio",
    "odd_character": "o texto tem um caractere que não se mostra nem se guarda ({found}): apague-o",
    "odd_value": "há aqui um valor que não se pode guardar: infinito, ou um caractere pela metade",
    "empty_list": "a lista está vazia",
    "empty_table": "não há nenhum item aqui",
    "too_long": "o texto tem {length} caracteres; o limite é {limit}",
    "too_many": "são {count} itens; o limite é {limit}",
    "below": "o menor valor aceito é {limit}",
    "above": "o maior valor aceito é {limit}",
    "schema": "este programa lê o esquema 1, e não {value}",
    "too_deep": "o documento tem níveis demais um dentro do outro",
    "unknown_state": "o estado “{value}” não existe{hint}",
    "unknown_event": "o evento “{value}” não existe{hint}",
    "unknown_action": "a ação “{value}” não existe{hint}",
    "unknown_field": "o campo “{value}” não existe em context{hint}",
    "duplicate_id": "o id “{value}” já é de outra transição ({other})",
    "duplicate": "“{value}” aparece duas vezes",
    "no_general_event": "falta o evento geral de mensagem: um evento com source message e sem falls_back_to",
    "two_general_events": "{events} disputam o lugar de evento geral de mensagem: "
    "dê falls_back_to ou uma priority maior a todos menos um",
    "fallback_cycle": "falls_back_to dá a volta e nunca termina: {path}",
    "fallback_source": "“{value}” não é um evento de {source}; um evento só vale por outro da mesma origem",
    "clock_event": "{value} sempre existe e sempre vem do relógio",
    "decision_event": "onde há um estado approval, {value} sempre vem de uma pessoa (source: human)",
    "standard_data": "todo evento de {source} traz “{field}” como {type}",
    "not_message_event": "“{value}” não vem de mensagem, então nenhuma frase pode significá-lo",
    "entry_unreadable": "“{value}” não tem palavra nenhuma para reconhecer",
    "entry_stops": "“{value}” é um pedido para parar de receber mensagens, então não pode abrir uma conversa",
    "default_missing": "este campo precisa de default, ou de optional: true",
    "default_type": "o default não é do tipo {type}",
    "default_bounds": "o default fica fora dos limites do campo",
    "bounds_order": "min é maior que max",
    "bounds_type": "um campo do tipo {type} não tem min nem max",
    "values_missing": "um campo enum precisa da lista values",
    "values_type": "só um campo enum tem values",
    "says_nothing": "esta mensagem não diz nada: falta text, parts, media ou template",
    "part_shape": "cada parte é um só de text, image, audio, video ou document",
    "buttons_or_list": "uma mensagem leva botões ou uma lista, não os dois",
    "choices_need_text": "botões e lista ficam embaixo de um texto: falta text, ou a última parte não é um texto",
    "payload_or_url": "um botão de modelo recebe payload ou url, não os dois",
    "tags_missing": "diga o que marcar (add) ou desmarcar (remove)",
    "undo_itself": "uma ação não desfaz a si mesma",
    "fallback_itself": "o plano B de uma ação é outra ação",
    "final_deadline": "um estado {kind} não espera ninguém, então não tem deadline",
    "approvers_kind": "só um estado approval tem approvers",
    "ceiling_order": "ceiling é menor que quiet",
    "from_global": "uma transição global sai de qualquer estado; use except para as exceções",
    "guard": "a condição não pode ser lida: {reason}",
    "expression": "a expressão não pode ser lida: {reason}",
    "set_type": "“{field}” é do tipo {type} e esta expressão dá {found}",
    "set_value": "“{value}” não está entre os valores de “{field}”: {options}",
    "two_otherwise": "{state} já tem um otherwise para {event}: {other}",
    "share_sum": "as partes de {state} em {event} somam {sum}, e não 100",
    "rule_form": "esta regra não tem uma forma conhecida; comece por {options}",
    "rule_one_of": "diga um só de {options}",
    "rule_true": "escreva true, ou retire a regra",
    "file_too_large": "o arquivo passa de {limit} bytes",
    "file_not_utf8": "o arquivo não está em UTF-8",
    "file_empty": "o arquivo está vazio",
    "file_unreadable": "o arquivo não pode ser lido",
    "file_not_json": "isto não é JSON: {reason}",
    "file_not_yaml": "isto não é YAML: {reason}",
    "duplicate_key": "a chave “{key}” aparece duas vezes",
}

_EN: dict[str, str] = {
    "not_table": "a table of keys and values goes here, not {found}",
    "not_list": "a list goes here, not {found}",
    "not_text": "a text goes here, not {found}",
    "not_flag": "true or false goes here, not {found}",
    "not_integer": "a whole number goes here, not {found}",
    "not_number": "a number goes here, not {found}",
    "not_duration": "“{value}” is not a duration; write it like 30s, 5m, 2h or 1d",
    "not_instant": "“{value}” is not an instant; write it like 2026-08-01T10:00:00-03:00",
    "not_positive": "the duration has to be longer than zero",
    "not_a_choice": "there is no “{value}” here; choose from {options}{hint}",
    "not_a_name": "“{value}” cannot be a name: use letters, digits and _, no spaces, a letter first",
    "not_a_slug": "“{value}” will not do: use plain lower-case letters, digits and hyphens",
    "not_an_address": "“{value}” is not an address; it begins with https:// (or is just the number of a file that WhatsApp has)",
    "not_a_zone": "“{value}” is no known time zone, such as America/Sao_Paulo{hint}",
    "not_hours": "“{value}” is not a span of hours; write it like 21:00-08:00, or null to switch it off",
    "not_share": "a share goes from 0 to 100",
    "reserved_name": "“{value}” is a reserved word",
    "unknown_key": "there is no key “{key}” here{hint}",
    "odd_key": "a key has to be a text, not {found}; put it in quotes",
    "missing": "the key “{key}” is missing",
    "empty_text": "the text is empty",
    "odd_character": "the text has a character that cannot be shown or stored ({found}): delete it",
    "odd_value": "something in here cannot be stored: an infinity, or half a character",
    "empty_list": "the list is empty",
    "empty_table": "there is nothing in here",
    "too_long": "the text has {length} characters; the limit is {limit}",
    "too_many": "there are {count} entries; the limit is {limit}",
    "below": "the smallest value allowed is {limit}",
    "above": "the largest value allowed is {limit}",
    "schema": "this program reads schema 1, not {value}",
    "too_deep": "the document has too many levels inside each other",
    "unknown_state": "there is no state “{value}”{hint}",
    "unknown_event": "there is no event “{value}”{hint}",
    "unknown_action": "there is no action “{value}”{hint}",
    "unknown_field": "there is no field “{value}” in context{hint}",
    "duplicate_id": "the id “{value}” already belongs to another transition ({other})",
    "duplicate": "“{value}” is there twice",
    "no_general_event": "the general message event is missing: one with source message and without falls_back_to",
    "two_general_events": "{events} compete to be the general message event: "
    "give all but one of them falls_back_to or a higher priority",
    "fallback_cycle": "falls_back_to goes round and never ends: {path}",
    "fallback_source": "“{value}” is not a {source} event; an event only counts as another of the same source",
    "clock_event": "{value} always exists and always comes from the clock",
    "decision_event": "where a state is an approval, {value} always comes from a person (source: human)",
    "standard_data": "every {source} event brings “{field}” as {type}",
    "not_message_event": "“{value}” does not come from a message, so no phrase can mean it",
    "entry_unreadable": "there is no word to recognise in “{value}”",
    "entry_stops": "“{value}” asks for no more messages, so it cannot open a conversation",
    "default_missing": "this field needs a default, or optional: true",
    "default_type": "the default is not of type {type}",
    "default_bounds": "the default lies outside the field's bounds",
    "bounds_order": "min is larger than max",
    "bounds_type": "a field of type {type} has neither min nor max",
    "values_missing": "an enum field needs the list values",
    "values_type": "only an enum field has values",
    "says_nothing": "this message says nothing: text, parts, media or template is missing",
    "part_shape": "each part is exactly one of text, image, audio, video or document",
    "buttons_or_list": "a message takes buttons or a list, not both",
    "choices_need_text": "buttons and lists stand under a text: text is missing, or the last part is no text",
    "payload_or_url": "a button of a template is given payload or url, not both",
    "tags_missing": "say what to put on (add) or take off (remove)",
    "undo_itself": "an action does not undo itself",
    "fallback_itself": "the fallback of an action is another action",
    "final_deadline": "a state of kind {kind} waits for nobody, so it has no deadline",
    "approvers_kind": "only an approval state has approvers",
    "ceiling_order": "ceiling is shorter than quiet",
    "from_global": "a global transition leaves from any state; use except for the exceptions",
    "guard": "the condition cannot be read: {reason}",
    "expression": "the expression cannot be read: {reason}",
    "set_type": "“{field}” is of type {type} and this expression is {found}",
    "set_value": "“{value}” is not among the values of “{field}”: {options}",
    "two_otherwise": "{state} already has an otherwise for {event}: {other}",
    "share_sum": "the shares of {state} on {event} add up to {sum}, not 100",
    "rule_form": "this rule has no known form; begin with {options}",
    "rule_one_of": "say exactly one of {options}",
    "rule_true": "write true, or take the rule out",
    "file_too_large": "the file is over {limit} bytes",
    "file_not_utf8": "the file is not UTF-8",
    "file_empty": "the file is empty",
    "file_unreadable": "the file cannot be read",
    "file_not_json": "this is not JSON: {reason}",
    "file_not_yaml": "this is not YAML: {reason}",
    "duplicate_key": "the key “{key}” is there twice",
}

_CONDITIONS_PT: dict[str, str] = {
    "bad_arguments": "{name} não se usa assim",
    "bad_character": "“{character}” não significa nada aqui",
    "bad_duration": "“{written}” não é uma duração",
    "bad_escape": "há uma sequência de escape que não existe",
    "bad_number": "“{written}” não é um número nem uma duração",
    "bad_timestamp": "“{written}” não é um instante",
    "ends_early": "o texto acaba antes da hora",
    "mixed_list": "uma lista tem só textos ou só números inteiros",
    "not_a_condition": "é preciso uma condição, e isto é {kind}",
    "number_too_large": "o número é grande demais",
    "too_deep": "mais de {limit} níveis um dentro do outro",
    "too_long": "mais de {limit} caracteres",
    "too_many_parts": "mais de {limit} partes",
    "unexpected": "“{found}” não é esperado aqui",
    "unfinished_text": "um texto não foi fechado",
    "unknown_function": "não existe a função {name}",
    "unknown_name": "não existe {name} aqui",
    "wrong_kind": "{operator} não se aplica a {kind}",
    "wrong_kinds": "{operator} não se aplica a {left} e {right}",
}
"""What GuardError says in English, by its code, in Portuguese."""

_HINT = {"pt": "; você quis dizer “{close}”?", "en": "; did you mean “{close}”?"}


def mistake(place: str, code: str, facts: Mapping[str, object]) -> Mistake:
    """A mistake that says itself in Portuguese and carries what another language needs."""
    kept = tuple((name, str(value)) for name, value in facts.items())
    return Mistake(place, _say(code, dict(kept), "pt"), code, kept)


def condition_facts(error: GuardError) -> dict[str, object]:
    """The facts of a mistake in a condition: the language's own sentence, its code, place and particulars."""
    particulars = {f"about_{name}": value for name, value in error.facts.items()}
    return {"reason": str(error), "reason_code": error.code, "position": error.position, **particulars}


def sentence(made: Mistake, language: str) -> str:
    """The mistake's sentence in a language; what has no code says what it says."""
    if not made.code:
        return made.message
    return _say(made.code, dict(made.facts), "en" if language.startswith("en") else "pt")


def _say(code: str, facts: Mapping[str, str], language: str) -> str:
    close = facts.get("close", "")
    hint = _HINT[language].format(close=close) if close else ""
    if language == "en":
        return _EN[code].format(**facts, hint=hint)
    return _PT[code].format(**{**facts, "reason": _reason_pt(facts)}, hint=hint)


def _reason_pt(facts: Mapping[str, str]) -> str:
    pattern = _CONDITIONS_PT.get(facts.get("reason_code", ""))
    if pattern is None:
        return facts.get("reason", "")
    return pattern.format_map({name.removeprefix("about_"): value for name, value in facts.items()})
