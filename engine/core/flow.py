"""The flow: everything one version says, as frozen data. Parsing lives in `document`, deciding in `interpreter`.

Durations and instants are integer milliseconds (instants since the Unix epoch, UTC); money is integer cents.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import TypeAlias

from engine.core.guards.language import Expr

Millis: TypeAlias = int
Value: TypeAlias = bool | int | float | str | tuple[str, ...] | None
"""What a field may hold; None is "not set"."""

TIMEOUT = "timeout"
EXHAUSTED = "exhausted"
PREVIOUS = "@previous"
SECOND = 1_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR


class FieldType(StrEnum):
    """Types of context fields and of event data."""

    INT = "int"
    DOUBLE = "double"
    BOOL = "bool"
    TEXT = "text"
    ENUM = "enum"
    TIMESTAMP = "timestamp"
    DURATION = "duration"
    LIST = "list"
    MONEY = "money"


class Source(StrEnum):
    """Where an event comes from."""

    MESSAGE = "message"
    PAYMENT = "payment"
    CLOCK = "clock"
    HUMAN = "human"
    EFFECT = "effect"
    API = "api"


class StateKind(StrEnum):
    """What a state is for (R7)."""

    NORMAL = "normal"
    APPROVAL = "approval"
    EFFECT = "effect"
    FINAL = "final"
    OPTOUT = "optout"


class Look(StrEnum):
    """How a state is drawn; it never changes what happens."""

    ENTRY = "entry"
    TALK = "talk"
    PAYMENT = "payment"
    RECOVERY = "recovery"
    WON = "won"
    LOST = "lost"
    OUT = "out"
    HUMAN = "human"


@dataclass(frozen=True, slots=True)
class Text:
    """A text in one or more languages; `versions` maps a language tag to words, "" is the one without a tag."""

    versions: tuple[tuple[str, str], ...]

    def within(self, language: str) -> str:
        """The words for `language`, else the untagged ones, else the first."""
        table = dict(self.versions)
        return table.get(language) or table.get("") or self.versions[0][1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One typed field of a conversation's context."""

    name: str
    type: FieldType
    default: Value = None
    optional: bool = False
    sensitive: bool = False
    min: int | float | None = None
    max: int | float | None = None
    values: tuple[str, ...] = ()
    label: Text | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EventType:
    """A kind of event. `data` names its typed fields; `falls_back_to` is what it counts as where unknown (R2)."""

    name: str
    source: Source
    falls_back_to: str | None = None
    priority: int = 0
    data: Mapping[str, FieldType] = field(default_factory=dict)
    label: Text | None = None


@dataclass(frozen=True, slots=True)
class Debounce:
    """Trailing wait for a burst (R22): `quiet` after the newest message, never past `ceiling` after the oldest."""

    quiet: Millis = 5 * SECOND
    ceiling: Millis = 20 * SECOND


@dataclass(frozen=True, slots=True)
class PhraseRule:
    """One understanding rule: any of these phrases, none of those, means the event (R24)."""

    event: str
    any: tuple[str, ...]
    none: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Button:
    """A reply button, at most 20 characters of title on WhatsApp."""

    id: str
    title: Text


@dataclass(frozen=True, slots=True)
class ListRow:
    """One row of an interactive list."""

    id: str
    title: Text
    description: Text | None = None


@dataclass(frozen=True, slots=True)
class ListMenu:
    """An interactive list: the text of its opening button and its rows."""

    button: Text
    rows: tuple[ListRow, ...]


@dataclass(frozen=True, slots=True)
class Media:
    """A file sent by address. `kind` is image, audio, video or document."""

    kind: str
    url: str
    caption: Text | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """One bubble of a send of several parts: a text or a medium."""

    text: Text | None = None
    media: Media | None = None


@dataclass(frozen=True, slots=True)
class Template:
    """A template approved by the platform, the only thing that leaves outside 24 h (R28)."""

    name: str
    language: str
    params: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Send:
    """Say something to the lead. `parts` replaces `text` and `media` when there are several bubbles."""

    id: str
    text: Text | None = None
    template: Template | None = None
    buttons: tuple[Button, ...] = ()
    menu: ListMenu | None = None
    media: Media | None = None
    parts: tuple[Part, ...] = ()
    once_per: str | None = None
    repeat_ok: bool = False
    label: Text | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """An HTTP effect (R40 to R42); the engine acts on it from the effects capability on."""

    id: str
    url: str
    method: str = "POST"
    headers: Mapping[str, str] = field(default_factory=dict)
    body: str | None = None
    once_per: str | None = None
    undo: str | None = None
    verify: str | None = None
    timeout: Millis = 30 * SECOND
    on_ok: str | None = None
    on_error: str | None = None
    on_timeout: str | None = None
    label: Text | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """A language model answers (R50 to R53). Tools are split by what they may do."""

    id: str
    prompt: str
    tools: tuple[str, ...] = ()
    write_tools: tuple[str, ...] = ()
    fallback: str | None = None
    once_per: str | None = None
    label: Text | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Notify:
    """Tell a person of the team."""

    id: str
    text: Text
    to: str | None = None
    once_per: str | None = None
    label: Text | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tag:
    """Put tags on the contact, or take them off."""

    id: str
    add: tuple[str, ...] = ()
    remove: tuple[str, ...] = ()
    once_per: str | None = None
    label: Text | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SetPause:
    """Pause the robot for this contact (R74)."""

    id: str
    duration: Millis
    once_per: str | None = None
    label: Text | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OptIn:
    """Clear the contact's opt-out (R75)."""

    id: str
    once_per: str | None = None
    label: Text | None = None


Action: TypeAlias = Send | Call | Agent | Notify | Tag | SetPause | OptIn


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """What we are waiting for. `deadline` is the ladder of silences (R11), empty when silence may last."""

    name: str
    kind: StateKind = StateKind.NORMAL
    look: Look = Look.TALK
    deadline: tuple[Millis, ...] = ()
    jitter: Millis = 0
    waiting_for: Text | None = None
    resting: bool = False
    debounce: Debounce | None = None
    approvers: tuple[str, ...] = ()
    label: Text | None = None
    note: str | None = None
    phase: str | None = None


@dataclass(frozen=True, slots=True)
class Assignment:
    """`field = expression`, read from the old context (R6)."""

    field: str
    value: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Transition:
    """One arrow. `frm` is None for a global one, which `excepting` states do not take (R4).

    `when` is None for an arrow without a condition; `otherwise` marks the complement of its group (R3).
    """

    id: str
    frm: str | None
    on: str
    to: str
    when: Expr | None = None
    otherwise: bool = False
    set: tuple[Assignment, ...] = ()
    do: tuple[str, ...] = ()
    excepting: frozenset[str] = frozenset()
    keep_deadline: bool = False
    share: int | None = None
    label: Text | None = None
    note: str | None = None

    @property
    def is_global(self) -> bool:
        """Whether the arrow leaves from any state."""
        return self.frm is None


@dataclass(frozen=True, slots=True)
class Settings:
    """What a flow may set about the engine's manners; every value has a default."""

    quiet_hours: tuple[int, int] | None = (21 * 60, 8 * 60)
    """Minutes of the local day between which sends started by the clock wait (R37); None switches it off."""
    max_age: Millis = 6 * HOUR
    audio_wait: Millis = 30 * SECOND
    human_pause: Millis = 30 * MINUTE
    identical_replies: int = 3
    identical_within: Millis = 2 * MINUTE
    replies_in_a_row: int = 30


@dataclass(frozen=True, slots=True)
class Rule:
    """A safety rule as written; the model checker reads `body`."""

    kind: str
    body: Mapping[str, object]


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
    def hidden(self) -> frozenset[str]:
        """The sensitive fields, which no log keeps (R45)."""
        return frozenset(name for name, declared in self.context.items() if declared.sensitive)

    @cached_property
    def arrows(self) -> Mapping[str, Transition]:
        """Every transition, global or not, by id."""
        return {t.id: t for t in (*self.transitions, *self.globals)}

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
