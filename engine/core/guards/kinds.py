"""The kinds of values that the guard language knows, their ranges, and what a name may be declared as."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

INT_MIN = -(2**63)
INT_MAX = 2**63 - 1

# Instants are milliseconds since 1970. Results of arithmetic may lie in the wider range, values of fields only in the
# narrower one, so that `field + 30d` can never leave the range and no guard is called undefined for year 9999.
INSTANT_MIN = -2_208_988_800_000  # 1900-01-01
INSTANT_MAX = 7_258_118_400_000  # 2200-01-01
FIELD_INSTANT_MIN = 0
FIELD_INSTANT_MAX = 4_102_444_800_000  # 2100-01-01
NOW_MIN = 946_684_800_000  # 2000-01-01: a clock before that is broken, not early

# A difference of two instants always fits; a field holds at most a century.
DURATION_MAX = INSTANT_MAX - INSTANT_MIN
FIELD_DURATION_MAX = 3_155_760_000_000


class Kind(StrEnum):
    """What an expression is. An enum is TEXT with declared values, money is INT cents.

    NULL is only the kind of the literal `null`, which is "not set".
    """

    INT = "int"
    DOUBLE = "double"
    BOOL = "bool"
    TEXT = "text"
    TIMESTAMP = "timestamp"
    DURATION = "duration"
    LIST = "list"
    NULL = "null"


@dataclass(frozen=True, slots=True)
class Declared:
    """How a name may be used. `min` and `max` bound numbers (durations and instants in ms), `values` an enum.

    `past` marks an instant that is never later than now.
    """

    kind: Kind
    optional: bool = False
    min: int | float | None = None
    max: int | float | None = None
    values: tuple[str, ...] = ()
    past: bool = False


Scope: TypeAlias = Mapping[str, Declared]
"""Flat names to their declarations: "toques", "event.valor", "contact.name", "state_age"."""

RESULT_RANGE: Mapping[Kind, tuple[int, int]] = {
    Kind.INT: (INT_MIN, INT_MAX),
    Kind.TIMESTAMP: (INSTANT_MIN, INSTANT_MAX),
    Kind.DURATION: (-DURATION_MAX, DURATION_MAX),
}
"""Where the result of arithmetic has a value; outside it is undefined."""

FIELD_RANGE: Mapping[Kind, tuple[int, int]] = {
    Kind.INT: (INT_MIN, INT_MAX),
    Kind.TIMESTAMP: (FIELD_INSTANT_MIN, FIELD_INSTANT_MAX),
    Kind.DURATION: (-FIELD_DURATION_MAX, FIELD_DURATION_MAX),
}
"""What a field may hold; anything else counts as not set."""
