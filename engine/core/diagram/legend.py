"""What the colours and lines of a drawing mean, as far as the drawing has them; in the order of the sale."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.core.diagram.graph import graph
from engine.core.diagram.icons import STATE_ICONS
from engine.core.diagram.palette import KINDS
from engine.core.flow import Flow, Look, Source, Transition
from engine.core.sentences import look_name, source

__all__ = ["Entry", "legend"]

LINES = {
    "edge": {"pt": "evento", "en": "event"},
    "pay": {"pt": "pagamento", "en": "payment"},
    "clock": {"pt": "silêncio", "en": "silence"},
    "global": {"pt": "de qualquer estado", "en": "from any state"},
}


@dataclass(frozen=True, slots=True)
class Entry:
    """A kind of state, with its icon, or a kind of line: `ink` names its colours, `icon` is "" for a line."""

    text: str
    ink: str
    icon: str = ""


def legend(flow: Flow, language: str) -> Sequence[Entry]:
    """The kinds of states and lines that the flow's drawing shows."""
    looks = {state.look for state in flow.states.values()}
    states = [Entry(look_name(look, language), KINDS[look], STATE_ICONS[look]) for look in Look if look in looks]
    drawn = graph(flow)
    families = {
        "clock" if arrow.clock else "pay" if _pays(flow, arrow.transitions) else "edge" for arrow in drawn.arrows
    } | ({"global"} if drawn.portal else set())
    spoken = "en" if language.startswith("en") else "pt"
    return (*states, *(Entry(words[spoken], token) for token, words in LINES.items() if token in families))


def _pays(flow: Flow, transitions: Sequence[Transition]) -> bool:
    return all(source(flow, t.on) is Source.PAYMENT for t in transitions)
