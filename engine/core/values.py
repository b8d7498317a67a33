"""The smallest words of a flow: times, values, kinds, texts.

Durations and instants are integer milliseconds (instants since the Unix epoch, UTC); money is integer cents.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

Millis: TypeAlias = int
Value: TypeAlias = bool | int | float | str | tuple[str, ...] | None
"""What a field may hold; None is "not set"."""

TIMEOUT = "timeout"
EXHAUSTED = "exhausted"
APPROVED, REJECTED = "approved", "rejected"
"""What a person says to a flow that has a state of the kind approval (R7)."""
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
