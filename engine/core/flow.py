"""The flow: everything one version says, as frozen data. Parsing lives in `document`, deciding in `interpreter`.

The one door to the vocabulary: its smaller words live in `values`, `actions` and `elements`, and are given on from here.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from engine.core.actions import (
    Action,
    Agent,
    Button,
    Call,
    ListMenu,
    ListRow,
    Media,
    Notify,
    OptIn,
    Part,
    Send,
    SetPause,
    Tag,
    Template,
    TemplateButton,
)
from engine.core.elements import (
    Assignment,
    Debounce,
    Entry,
    EventType,
    Field,
    PhraseRule,
    Rule,
    Settings,
    State,
    Transition,
)
from engine.core.folding import words
from engine.core.splits import Branch, branches_of
from engine.core.values import (
    APPROVED,
    DAY,
    EXHAUSTED,
    HOUR,
    MINUTE,
    PREVIOUS,
    REJECTED,
    SECOND,
    TIMEOUT,
    FieldType,
    Look,
    Millis,
    Source,
    StateKind,
    Text,
    Value,
)

__all__ = [
    "APPROVED",
    "DAY",
    "EXHAUSTED",
    "HOUR",
    "MINUTE",
    "PREVIOUS",
    "REJECTED",
    "SECOND",
    "TIMEOUT",
    "Action",
    "Agent",
    "Assignment",
    "Button",
    "Call",
    "Debounce",
    "Entry",
    "EventType",
    "Field",
    "FieldType",
    "Flow",
    "ListMenu",
    "ListRow",
    "Look",
    "Media",
    "Millis",
    "Notify",
    "OptIn",
    "Part",
    "PhraseRule",
    "Rule",
    "Send",
    "SetPause",
    "Settings",
    "Source",
    "State",
    "StateKind",
    "Tag",
    "Template",
    "TemplateButton",
    "Text",
    "Transition",
    "Value",
]


@dataclass(frozen=True, eq=False)
class Flow:
    """One flow document, read and valid. Compared by identity; `sha256` is the version's identity."""

    slug: str
    title: Text
    timezone: str
    initial: str
    debounce: Debounce
    context: Mapping[str, Field]
    events: Mapping[str, EventType]
    understanding: tuple[PhraseRule, ...]
    actions: Mapping[str, Action]
    states: Mapping[str, State]
    transitions: tuple[Transition, ...]
    globals: tuple[Transition, ...]
    ignored: frozenset[tuple[str, str]]
    rules: tuple[Rule, ...]
    settings: Settings
    sha256: str
    entry: Entry = field(default_factory=Entry)

    @cached_property
    def campaign_words(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Each entry word as it is written and as it is compared, folded."""
        return tuple((word, words(word)) for word in self.entry.words)

    @cached_property
    def button_ids(self) -> frozenset[str]:
        """The ids of every button and row that a message of this flow may carry."""
        sends = [action for action in self.actions.values() if isinstance(action, Send)]
        rows = [row.id for send in sends if send.menu is not None for row in send.menu.rows]
        return frozenset([*(button.id for send in sends for button in send.buttons), *rows])

    @cached_property
    def general_message(self) -> str:
        """The message event that takes whatever nothing else matches."""
        general = [e for e in self.events.values() if e.source is Source.MESSAGE and e.falls_back_to is None]
        return min(general, key=lambda e: e.priority).name

    @cached_property
    def opt_out_events(self) -> frozenset[str]:
        """The events that say "stop": those that lead to an opt-out state from anywhere (R75)."""
        return frozenset(
            t.on for t in self.globals if t.to in self.states and self.states[t.to].kind is StateKind.OPTOUT
        )

    @cached_property
    def decides(self) -> bool:
        """Whether the flow has a state in which a person decides (R7)."""
        return any(state.kind is StateKind.APPROVAL for state in self.states.values())

    def happens_in(self, state: str, event: str) -> bool:
        """Whether the event can happen there at all: a person decides only where the flow waits for that."""
        return event not in (APPROVED, REJECTED) or not self.decides or self.states[state].kind is StateKind.APPROVAL

    @cached_property
    def hidden(self) -> frozenset[str]:
        """The sensitive fields, which no log keeps (R45)."""
        return frozenset(name for name, declared in self.context.items() if declared.sensitive)

    @cached_property
    def arrows(self) -> Mapping[str, Transition]:
        """Every transition, global or not, by id."""
        return {t.id: t for t in (*self.transitions, *self.globals)}

    @cached_property
    def branches(self) -> Mapping[str, Branch]:
        """The arrows that are branches of a split, by id."""
        return branches_of(self.arrows.values())

    @cached_property
    def _own(self) -> Mapping[tuple[str | None, str], tuple[Transition, ...]]:
        return _grouped((t.frm, t.on, t) for t in self.transitions)

    @cached_property
    def _global(self) -> Mapping[tuple[str | None, str], tuple[Transition, ...]]:
        return _grouped((name, t.on, t) for t in self.globals for name in self.states if name not in t.excepting)

    def own_group(self, state: str, event: str) -> tuple[Transition, ...]:
        """The state's own arrows for an event."""
        return self._own.get((state, event), ())

    def global_group(self, state: str, event: str) -> tuple[Transition, ...]:
        """The global arrows for an event that this state takes."""
        return self._global.get((state, event), ())

    def fallbacks(self, event: str) -> tuple[str, ...]:
        """The event and what it falls back to, in order of lookup (R2, R11)."""
        chain = [event]
        while (following := self._falls_back(chain[-1])) is not None and following not in chain:
            chain.append(following)
        return tuple(chain)

    def _falls_back(self, event: str) -> str | None:
        kind = self.events.get(event)
        if kind is not None and kind.falls_back_to is not None:
            return kind.falls_back_to
        return TIMEOUT if event == EXHAUSTED else None

    def debounce_in(self, state: str) -> Debounce:
        """The burst wait that holds in a state."""
        known = self.states.get(state)
        return known.debounce if known is not None and known.debounce is not None else self.debounce


def _grouped(
    rows: Iterable[tuple[str | None, str, Transition]],
) -> Mapping[tuple[str | None, str], tuple[Transition, ...]]:
    groups: dict[tuple[str | None, str], list[Transition]] = {}
    for state, event, transition in rows:
        groups.setdefault((state, event), []).append(transition)
    return {key: tuple(group) for key, group in groups.items()}
