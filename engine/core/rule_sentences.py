"""A safety rule as the sentence that a marketer reads: "Depois de PAGO, nunca mandar oferta".

Languages are tags; whatever starts with `en` is English, the rest pt-BR.
"""

import re
from collections.abc import Callable, Mapping, Sequence

from engine.core.document_rules import FORMS
from engine.core.durations import human, parse
from engine.core.flow import HOUR, Flow, Rule
from engine.core.sentences import action_name, event_name

__all__ = ["KINDS", "rule_sentence"]

KINDS = (*FORMS[:2], "sends_without_reply", *FORMS[2:])
"""The eight forms, R1 to R8, by `Rule.kind`."""

_SENTENCES: Mapping[str, tuple[str, str]] = {
    "never": ("Depois de {after}, nunca {action}", "After {after}, never {action}"),
    "never.unless": ("Depois de {after}, nunca {action}, a menos que já tenha feito {unless}", "After {after}, never {action}, unless it has done {unless}"),
    "always": ("Sempre que {event}, a conversa vai para {states}", "Whenever {event}, the conversation goes to {states}"),
    "sends_without_reply": ("No máximo {n} mensagens seguidas sem resposta", "At most {n} messages in a row without a reply"),
    "sends_without_reply.one": ("No máximo 1 mensagem sem resposta", "At most 1 message without a reply"),
    "at_most": ("{action} no máximo {n} vezes {per}", "{action} at most {n} times {per}"),
    "at_most.one": ("{action} no máximo 1 vez {per}", "{action} at most once {per}"),
    "window": ("Mensagem livre nunca sai depois de {wait}", "A free-form message never leaves after {wait}"),
    "only_after": ("{action} só depois de {after}", "{action} only after {after}"),
    "echo": ("No máximo {n} respostas automáticas seguidas sem sair do estado", "At most {n} automatic answers in a row without leaving the state"),
    "echo.one": ("No máximo 1 resposta automática sem sair do estado", "At most 1 automatic answer without leaving the state"),
    "no_nudge_unanswered": ("Nunca cobrar quem mandou mensagem sem resposta", "Never nudge somebody whose message got no answer"),
    "per.conversation": ("por conversa", "per conversation"),
    "per.value": ("por {name}", "per {name}"),
    "or": ("ou", "or"),
}  # fmt: skip
_INSIDE = re.compile(r"\{\{\s*(?:event\.|contact\.)?([^{}|]+?)\s*(?:\|[^{}]*)?\}\}")


def rule_sentence(flow: Flow, rule: Rule, language: str = "pt-BR") -> str:
    """The rule in words; names that the flow lacks stay as they are written."""
    key, facts = _facts(flow, rule, language)
    said = _say(key, language).format_map(facts)
    return said[:1].upper() + said[1:]


def _facts(flow: Flow, rule: Rule, language: str) -> tuple[str, dict[str, str]]:
    """The key of the sentence and what fills it."""
    body, kind = rule.body, rule.kind
    match kind:
        case "never":
            unless = [action_name(flow, str(name), language) for name in _several(body.get("unless"))]
            facts = {
                "after": _moment(flow, body.get("after"), language),
                "action": _moment(flow, body.get("never"), language),
                "unless": _listed(unless, language),
            }
            return ("never.unless" if unless else "never"), facts
        case "always":
            states = [str(name) for name in _several(body.get("leads_to"))]
            event = event_name(flow, str(body.get("always")), None, language)
            return kind, {"event": event, "states": _listed(states, language)}
        case "only_after":
            action = action_name(flow, str(body.get("do")), language)
            return kind, {"action": action, "after": _moment(flow, body.get("only_after"), language)}
        case "at_most":
            action = str(body.get("do"))
            facts = {"action": action_name(flow, action, language), "per": _per(flow, action, language)}
            return _counted(kind, body.get("at_most"), facts)
        case "sends_without_reply":
            return _counted(kind, body.get("at_most"), {})
        case "echo":
            return _counted(kind, body.get("echo"), {})
        case "window":
            return kind, {"wait": _wait(str(body.get("window")), language)}
        case _:
            return kind, {}


def _wait(text: str, language: str) -> str:
    """A window is told in hours, as everybody speaks of it, unless it is long."""
    wait = parse(text)
    if wait is None:
        return text
    return f"{wait // HOUR} h" if wait % HOUR == 0 and wait <= 72 * HOUR else human(wait, language)


def _counted(kind: str, count: object, facts: dict[str, str]) -> tuple[str, dict[str, str]]:
    return (f"{kind}.one" if count == 1 else kind), {**facts, "n": str(count)}


def _moment(flow: Flow, place: object, language: str) -> str:
    """`{state: PAGO}`, `{event: …}` or `{do: …}` in words."""
    if not isinstance(place, Mapping) or not place:
        return str(place)
    (key, name), *_ = place.items()
    named: Mapping[str, Callable[[], str]] = {
        "event": lambda: event_name(flow, str(name), None, language),
        "do": lambda: action_name(flow, str(name), language),
    }
    return named[str(key)]() if key in named else str(name)


def _per(flow: Flow, name: str, language: str) -> str:
    """What an execution is counted per: the value of `once_per`, else the conversation."""
    action = flow.actions.get(name)
    found = _INSIDE.search(getattr(action, "once_per", None) or "")
    if found is None:
        return _say("per.conversation", language)
    return _say("per.value", language).format(name=found[1].replace("_", " "))


def _several(value: object) -> Sequence[object]:
    if value is None:
        return ()
    return value if isinstance(value, list | tuple) else (value,)


def _listed(words: Sequence[str], language: str) -> str:
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {_say('or', language)} {words[-1]}"


def _say(key: str, language: str) -> str:
    return _SENTENCES[key][language.startswith("en")]
