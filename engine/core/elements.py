"""What a flow is made of: fields, events, states, arrows, rules and manners, as frozen data."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.core.guards.language import Expr
from engine.core.values import HOUR, MINUTE, SECOND, FieldType, Look, Millis, Source, StateKind, Text, Value


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
    """One understanding rule: any of these phrases, none of those, means the event; so does a tap on one of these
    buttons or rows, by their ids (R24).
    """

    event: str
    any: tuple[str, ...] = ()
    none: tuple[str, ...] = ()
    buttons: tuple[str, ...] = ()


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
class Entry:
    """What leads a message to this flow, whatever else the person talks about (R71): words, and ids of adverts."""

    words: tuple[str, ...] = ()
    ads: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Rule:
    """A safety rule as written; the model checker reads `body`."""

    kind: str
    body: Mapping[str, object]
