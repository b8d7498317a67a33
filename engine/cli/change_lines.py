"""What differs between two documents as lines for people: entry by entry, arrows as whole sentences."""

from collections.abc import Mapping

from engine.core.changes import Change
from engine.core.flow import Flow
from engine.core.sentences import transition_sentence

__all__ = ["change_line"]

_SECTIONS = {
    "pt-BR": {
        "states": "estado", "transitions": "seta", "globals": "seta de qualquer estado", "actions": "ação",
        "events": "evento", "context": "campo", "understanding": "entendimento", "ignore": "ignorado de propósito",
        "rules": "regra", "flow": "o fluxo",
    },
    "en": {
        "states": "state", "transitions": "arrow", "globals": "arrow from any state", "actions": "action",
        "events": "event", "context": "field", "understanding": "understanding", "ignore": "ignored on purpose",
        "rules": "rule", "flow": "the flow",
    },
}  # fmt: skip
_KINDS = {
    "pt-BR": {"added": "acrescentado", "removed": "retirado", "changed": "mudou"},
    "en": {"added": "added", "removed": "removed", "changed": "changed"},
}
_SIGNS = {"added": "+", "removed": "-", "changed": "~"}


def change_line(old: Flow, new: Flow, change: Change, language: str) -> str:
    """One line: a sign, the entry, and what became of it."""
    entry = f"{_SIGNS[change.kind]} {_SECTIONS[language][change.section]} {change.name}"
    if change.section in ("transitions", "globals"):
        sides = _sentence(old.arrows, old, change, language), _sentence(new.arrows, new, change, language)
        if told := " → ".join(side for side in dict.fromkeys(sides) if side):
            return f"{entry}: {told}"
    fields = f" ({', '.join(change.fields)})" if change.fields else ""
    return f"{entry}: {_KINDS[language][change.kind]}{fields}"


def _sentence(known: Mapping[str, object], flow: Flow, change: Change, language: str) -> str:
    return transition_sentence(flow, flow.arrows[change.name], language) if change.name in known else ""
