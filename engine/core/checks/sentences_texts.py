"""What the checks say of phrases, sensitive fields and late sends, and what is told of two versions."""

from collections.abc import Mapping

TEXT_SENTENCES: Mapping[str, tuple[str, str]] = {
    "W3.window": (
        "{action} sai por silêncio em {state}, quando as 24 h já podem ter passado, e não tem modelo",
        "{action} is sent on silence in {state}, when the 24 h may be over, and has no template",
    ),
    "C1": (
        "O texto “{text}” é {event} e também {other}, com a mesma prioridade: só a ordem das regras decide",
        "The text “{text}” is {event} and {other} too, with the same priority: only the order of the rules decides",
    ),
    "P1": (
        "{action} mostra {name}, que é sensível",
        "{action} shows {name}, which is sensitive",
    ),
    "P1.copy": (
        "A seta {arrows} leva {name}, que é sensível, para {target}, que não é",
        "The arrow {arrows} takes {name}, which is sensitive, into {target}, which is not",
    ),
    "V1": (
        "Em {states}, {event} quando {example}: antes {before}; agora {after}",
        "In {states}, {event} when {example}: before, it {before}; now, it {after}",
    ),
    "V1.always": (
        "Em {states}, {event}: antes {before}; agora {after}",
        "In {states}, {event}: before, it {before}; now, it {after}",
    ),
    "V1.unknown": (
        "Em {states}, {event}: não deu para provar que agora acontece o mesmo que antes",
        "In {states}, {event}: it could not be proved that the same happens now as before",
    ),
    "V1.state_added": ("{state} é um estado novo", "{state} is a new state"),
    "V1.state_removed": ("{state} não existe mais", "{state} is gone"),
    "V1.event_added": ("{event} é um evento novo", "{event} is a new event"),
    "V1.event_removed": ("{event} não existe mais", "{event} is gone"),
    "V1.deadline": (
        "O prazo de silêncio de {state} era {before}, agora é {after}",
        "The silence deadline of {state} was {before}, now it is {after}",
    ),
    "V1.kind": (
        "O estado {state} era do tipo {before}, agora é {after}",
        "The state {state} was of the kind {before}, now it is {after}",
    ),
    "V1.shares": (
        "Em {state}, {event}: as partes do teste A/B eram {before}; agora são {after}",
        "In {state}, {event}: the shares of the A/B test were {before}; now they are {after}",
    ),
    "V1.shares_anywhere": (
        "De qualquer estado, {event}: as partes do teste A/B eram {before}; agora são {after}",
        "From any state, {event}: the shares of the A/B test were {before}; now they are {after}",
    ),
    "V1.initial": (
        "As conversas começavam em {before}, agora começam em {after}",
        "Conversations began in {before}, now they begin in {after}",
    ),
}
"""Code, with a variant after a dot: the pt-BR and the English sentence."""

TEXT_FIXES: Mapping[str, tuple[str, str]] = {
    "exclude_phrase": (
        "Fazer {event} não valer para “{phrase}”",
        "Keep {event} out where “{phrase}” is said",
    ),
    "delete_phrase": ("Tirar “{phrase}” de {event}", "Take “{phrase}” away from {event}"),
    "raise_priority": ("Dar prioridade {value} a {id}", "Give {id} the priority {value}"),
    "remove_placeholder": ("Tirar o dado do texto de {id}", "Take the data out of the text of {id}"),
    "make_sensitive": ("Marcar {id} como sensível", "Mark {id} as sensitive"),
}
"""Label codes of fixes; the placeholders are keys of the edit."""
