"""Is this message a request to stop? Whole words and phrases, with negation, before any model (R75, SEC-S26).

Three ways to say it count: a message that is nothing but a command ("Parar", "STOP!!", "sair, obrigada"), a phrase
that names our messages or list ("me tira da lista", "pare de me mandar mensagem"), and the flow's own phrases. What
only resembles them does not: "não quero parar", "se eu sair da lista perco o acesso?", "quero parar de fumar",
"parabéns". Nothing here guesses by similarity: "parabéns" is too close to "parar" for that.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from engine.core.folding import Word, spans, words

_COMMANDS = frozenset(
    {
        *("parar", "pare", "parem", "para", "parou", "para ja", "pare ja", "pare agora", "pode parar", "quero parar"),
        *("podem parar", "para com isso", "pare com isso", "parem com isso", "chega", "sair", "saia", "quero sair"),
        *(
            "sai fora",
            "descadastrar",
            "descadastro",
            "descadastre",
            "desinscrever",
            "me remova",
            "remover",
            "me remove",
        ),
        *(
            "me exclua",
            "me exclui",
            "me tira",
            "me tire",
            "bloquear mensagens",
            "stop",
            "stopall",
            "stop all",
            "stop it",
        ),
        *("please stop", "unsubscribe", "optout", "opt out", "quit", "remove me", "baja", "alto", "paren", "detener"),
        *("dar de baja", "basta"),
    }
)
"""Only as the whole message, courtesy aside."""

_COURTESY = frozenset(
    {
        *("oi", "ola", "opa", "bom", "boa", "dia", "tarde", "noite", "por", "favor", "pfv", "pf", "pfvr", "pls", "plz"),
        *("please", "obrigado", "obrigada", "obg", "obgd", "brigado", "brigada", "grato", "grata", "gratidao", "valeu"),
        *("vlw", "moco", "moca", "gente", "pessoal", "amigo", "amiga", "ok", "hello", "hi", "hey", "thanks", "thank"),
        *("you", "hola", "gracias", "eu", "agora", "ja", "nao", "desculpa", "desculpe", "atenciosamente", "abs"),
    }
)

_MSG = r"(?:mensage(?:m|ns)|msgs?|mgs|zaps?|whats\w*|propagandas?|promoc\w+|ofertas?|anuncios?|spam|contatos?|ligac\w+|isso|nada|avisos?|notificac\w+|conteudos?)"
_LIST = (
    r"(?:listas?|listagem|transmissao|cadastro|base|contatos?|mailing|lista\w*|agenda|grupo de (?:ofertas|promoc\w+))"
)
_SEND = r"(?:mandar|enviar|enviando|mandando|encher|perturbar|incomodar|chamar|escrever|ligar|receber|me mandar|me enviar|me encher|me perturbar|me incomodar|me chamar|me escrever|me ligar|me mandando|me enviando)"

_PHRASES = tuple(
    re.compile(rf"\b{pattern}\b")
    for pattern in (
        # Portuguese: stop sending
        rf"(?:pare|parem|para|parar|parou|podem? parar|favor parar) (?:de|com) {_SEND}",
        r"(?:pare|parem|para|parar) (?:com|de) (?:(?:essas?|as|estas?|tantas?|esses?) )?(?:mensage(?:m|ns)|msgs?|spam|propagandas?|promoc\w+|ofertas)",
        rf"nao (?:quero|desejo|gostaria de|queria|aceito|autorizo|preciso)(?: de)?(?: mais)?(?: receber| ser)?(?: mais)? (?:(?:as|essas?|suas?|nenhuma?|mais|tantas?|esses?) )*{_MSG}(?: de voces| sua| suas| daqui)?",
        r"nao (?:quero|desejo|gostaria de|queria) (?:mais )?receber(?: mais)?(?: nada| isso| suas?\b.*| mensage(?:m|ns)| msgs?)?$",
        r"nao (?:quero|desejo) (?:mais )?(?:ser )?(?:incomodad[oa]|perturbad[oa]|contatad[oa]|contactad[oa])",
        r"nao me (?:mande|mandem|manda|envie|enviem|envia|chame|chamem|chama|ligue|liguem|liga|escreva|escrevam|procure|procurem|contate|contatem)(?: mais)? (?:mais|mensage(?:m|ns)|msgs?|nada|propagandas?)",
        r"nao me (?:incomode|incomodem|perturbe|perturbem|perturba|incomoda|enche|encha)(?: mais)?",
        r"nao (?:mande|mandem|manda|envie|enviem|envia|encaminhe) (?:mais )?(?:mensage(?:m|ns)|msgs?|nada|propagandas?)(?: mais)?",
        r"(?:chega|basta) de (?:mensage(?:m|ns)|msgs?|propagandas?|spam|ofertas|promoc\w+)",
        r"(?:sem mais|nada de) (?:mensage(?:m|ns)|msgs?|propagandas?|spam)",
        r"me (?:deixa|deixe|deixem) em paz",
        # Portuguese: leave the list
        rf"(?:quero|queria|gostaria de|desejo|preciso|favor|como (?:faco|eu faco|fazer) (?:pra|para)|como|vou|pra|para) sair (?:da|dessa|desta|de sua|da sua|do|desse|deste) {_LIST}",
        rf"sair (?:da|dessa|desta|da sua) {_LIST}",
        rf"(?:tira|tire|tirem|tirar|remove|remova|removam|remover|exclui|exclua|excluam|excluir|retira|retire|retirar|apaga|apague|apagar|elimine|risca|risque)(?: (?:o|me|por favor|meu|numero|nome|contato|telefone|whatsapp))* (?:da|dessa|desta|de sua|da sua|do|desse|deste|do seu) {_LIST}",
        r"(?:tira|tire|tirem|tirar|remove|remova|remover|exclui|exclua|excluir|retira|retire|retirar|apaga|apague|apagar) (?:o )?meu (?:numero|contato|telefone|cadastro)(?: dai| daqui| da lista)?",
        r"me (?:tira|tire|tirem|remova|remove|retire|exclua|exclui) (?:daqui|dai|disso|da lista)",
        r"(?:me )?(?:descadastr\w+|desinscrev\w+|descadastramento)",
        r"(?:cancelar?|cancelem?|cancele) (?:o |a |os |as )?(?:recebimento|envio|envios|mensage(?:m|ns)|msgs?|notificac\w+|inscricao (?:da|na|nessa|dessa) lista)",
        # English
        r"stop (?:texting|messaging|sending|contacting|spamming|writing|bothering|calling)(?: me)?",
        r"stop (?:the |these |all )?(?:messages|msgs|texts|spam)",
        r"(?:dont|don t|do not) (?:text|message|contact|send|write|call|spam)(?: me| to me)?(?: messages| anything| any messages)? ?(?:anymore|any more|again|ever|messages|anything)",
        r"(?:dont|don t|do not) want (?:to receive|to get|any more|more|your|these)(?: any| more| your| these| any more)? ?(?:messages|texts|spam)",
        r"(?:remove|take|delete) (?:me|my number|my contact)(?: off| from| out of)? (?:your|this|the) list",
        r"(?:no more|enough) (?:messages|texts|spam)",
        r"leave me alone",
        r"(?:i want|i d like|i would like|id like|want) to (?:unsubscribe|opt out|stop receiving)",
        r"unsubscribe me|opt me out",
        # Spanish
        r"(?:deja|dejen|deje|para|paren|pare) de (?:enviar|enviarme|mandar|mandarme|escribir|escribirme|molestar|molestarme|llamarme)",
        r"no quiero (?:recibir )?(?:mas )?(?:mensajes|recibir mas|publicidad|nada mas)",
        r"no (?:me )?(?:escriban|escribas|escriba|envien|envies|envie|manden|mandes|mande|molesten|molestes|llamen) (?:mas|mensajes)",
        r"(?:quiero |deseo |quisiera )?dar(?:me|nos) de baja",
        r"(?:sacame|saquenme|quitame|quitenme|borrame|borrenme|eliminame|eliminenme|saqueme) (?:de|del) (?:la |su |esta |el )?(?:lista|grupo|base)",
    )
)

_DENIALS = frozenset({"nao", "nunca", "jamais", "nem", "sem", "not", "never", "dont", "no", "tampouco"})
_HYPOTHESES = re.compile(r"\b(?:se|caso|quando|if|when|si) (?:eu|voce|vc|a gente|i|you|yo|quiser|quisesse)\b")
_CAPABILITY = re.compile(r"\b(?:posso|consigo|da pra|da para|podia|poderia|can i|could i|puedo) $")
_OTHER_LISTS = re.compile(
    r" (?:de|da) (?:espera|compras|chamada|presentes?|convidados|material|livros|transmissao ao vivo)\b"
)
_CLAUSE = re.compile(r"[.!?…;:,\n\r()\"“”|]+")


@dataclass(frozen=True, slots=True)
class Request:
    """A request to stop: the words that said it, folded, and where they stand in the text as written."""

    phrase: str
    start: int
    end: int


def recognise(text: str, phrases: Sequence[str] = ()) -> Request | None:
    """The request in a message, or None. `phrases` are the flow's own; those of one word count only alone."""
    own = [words(phrase) for phrase in phrases]
    whole = _whole(text, {" ".join(phrase) for phrase in own})
    if whole is not None:
        return whole
    longer = tuple(re.compile(rf"\b{re.escape(' '.join(p))}\b") for p in own if len(p) > 1)
    for start, end, asks in _clauses(text):
        found = _in_clause(spans(text[start:end]), (*_PHRASES, *longer), asks)
        if found is not None:
            return Request(found.phrase, found.start + start, found.end + start)
    return None


def _whole(text: str, own: set[str]) -> Request | None:
    """A message that is a command and nothing else; asked as a question it is not one."""
    if text.rstrip().endswith("?"):
        return None
    found = spans(text)
    kept = list(found)
    while kept and kept[0].text in _COURTESY and not _is_command(kept, own):
        kept.pop(0)
    while kept and kept[-1].text in _COURTESY and not _is_command(kept, own):
        kept.pop()
    if not kept or len({word.text for word in kept}) == 0:
        return None
    if _is_command(kept, own) and not _denied(found, kept[0]):
        return Request(" ".join(word.text for word in kept), kept[0].start, kept[-1].end)
    return None


def _is_command(kept: Sequence[Word], own: set[str]) -> bool:
    said = [word.text for word in kept]
    once = said[:1] if len(set(said)) == 1 else said  # "PARE PARE PARE"
    return " ".join(once) in _COMMANDS or " ".join(once) in own


def _denied(found: Sequence[Word], first: Word) -> bool:
    return any(word.text in _DENIALS for word in takewhile(lambda word: word is not first, found))


def _clauses(text: str) -> list[tuple[int, int, bool]]:
    """Start, end and whether a question mark closes it, of every clause."""
    found, at = [], 0
    for border in _CLAUSE.finditer(text):
        found.append((at, border.start(), "?" in border.group()))
        at = border.end()
    return [*found, (at, len(text), False)]


def _in_clause(said: Sequence[Word], patterns: Sequence[re.Pattern[str]], asks: bool) -> Request | None:
    line = " ".join(word.text for word in said)
    if _HYPOTHESES.search(line):
        return None
    for pattern in patterns:
        for match in pattern.finditer(line):
            before = line[: match.start()]
            if _OTHER_LISTS.match(line, match.end()) or (asks and _CAPABILITY.search(before)):
                continue
            if any(word in _DENIALS for word in before.split()[-3:]):
                continue
            first, last = line.count(" ", 0, match.start()), line.count(" ", 0, match.end())
            return Request(match.group(), said[first].start, said[last].end)
    return None
