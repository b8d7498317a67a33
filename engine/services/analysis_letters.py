"""The messages of a flow with what became of each, one line for each text that the action ever had in these versions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.core.analysis.messages import Bubble, Fate, fates
from engine.core.analysis.stays import History
from engine.core.flow import Action, Flow, Millis, Send

__all__ = ["Letters", "Written", "letters"]

APART = {"operator": "manual", "campaign": "campaign"}
"""What no flow asked for, by the cause of the letter."""


@dataclass(frozen=True, slots=True)
class Written:
    """A message in one wording. `versions` that had it, none of what people or campaigns wrote; `text` its beginning."""

    action: str
    versions: tuple[int, ...]
    text: str
    fate: Fate


Letters = tuple[Written, ...]


class _Texts:
    """Tells the wordings of an action apart: the same words in several versions are one."""

    def __init__(self, told: History, known: Mapping[int, Flow]) -> None:
        self._told, self._known = told, known
        self.wordings: dict[str, list[tuple[Action | None, set[int]]]] = {}
        self._seen: dict[tuple[str, int | None], int] = {}

    def of(self, bubble: Bubble) -> tuple[str, object]:
        """The name of a bubble's message and which of its wordings it is."""
        apart = APART.get(bubble.cause)
        if apart is not None:
            return apart, 0
        version = self._told.versions.get(bubble.event_id or "")
        place = self._seen.get((bubble.action, version))
        if place is None:
            place = self._seen[bubble.action, version] = self._place(bubble, version)
        return bubble.action, place

    def _place(self, bubble: Bubble, version: int | None) -> int:
        flow = self._known.get(version or 0)
        spec = None if flow is None else flow.actions.get(bubble.action)
        mine = self.wordings.setdefault(bubble.action, [])
        place = next((n for n, (other, _) in enumerate(mine) if other == spec), len(mine))
        if place == len(mine):
            mine.append((spec, set()))
        if version is not None:
            mine[place][1].add(version)
        return place


def letters(
    bubbles: Sequence[Bubble],
    told: History,
    known: Mapping[int, Flow],
    arrived: Mapping[int, Sequence[Millis]],
    wanted: frozenset[int],
) -> Letters:
    """Messages by name, the newest wording first; with `wanted` only those that these versions decided."""
    texts = _Texts(told, known)
    if wanted:
        bubbles = [one for one in bubbles if told.versions.get(one.event_id or "") in wanted]
    found = fates(bubbles, texts.of, arrived, told.opted_out)
    lines = []
    for (action, place), fate in found.items():
        spec, versions = texts.wordings[action][int(str(place))] if action in texts.wordings else (None, set[int]())
        words = spec.text.within("pt-BR") if isinstance(spec, Send) and spec.text is not None else ""
        lines.append(Written(action, tuple(sorted(versions)), words, fate))
    return tuple(sorted(lines, key=lambda one: (one.action, *(-n for n in reversed(one.versions)))))
