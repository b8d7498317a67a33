"""Texts with gaps: `{{contact.first_name|default:tudo bem}}` and nothing cleverer (SEC-S18).

There are no calls, loops or filters. A path is a context field, `event.x` or `contact.x`; what is not set and has no
default leaves nothing behind; `conversation.left_at` is where the person left off (R72); anything else between braces is just text. A value is data: it is put in once and never
read for gaps again. Money, instants and durations are written the way people of the flow's time zone write them.
"""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from engine.core import durations
from engine.core.action_texts import texts
from engine.core.flow import FieldType, Flow, Value
from engine.core.splitting import split_text

__all__ = [
    "LEFT_AT",
    "MEMORY",
    "TRACKING",
    "mentions",
    "money",
    "parameter",
    "placeholders",
    "render",
    "shown",
    "split_text",
    "types_of",
    "with_path",
    "without_gap",
]

LEFT_AT, TRACKING = "conversation.left_at", "contact.tracking"
MEMORY = frozenset({LEFT_AT})
"""What only texts may use: it is looked up when something is said."""
_GAP = re.compile(r"\{\{[ \t]*(?P<path>[^\W\d]\w*(?:\.[^\W\d]\w*)?)[ \t]*(?:\|[ \t]*default:(?P<default>[^{}]*))?\}\}")
_CLOCK = {"state_age": FieldType.DURATION, "last_inbound": FieldType.TIMESTAMP}
_GAPS_IN_PARAMETER = re.compile(r"[\r\n\t]+| {5,}")


def render(flow: Flow, template: str, values: Mapping[str, Value]) -> str:
    """The text with its gaps filled. `values` has flat names (`toques`, `event.transacao`, `contact.name`)."""
    types = types_of(flow)

    def fill(gap: re.Match[str]) -> str:
        path = gap["path"]
        written = shown(values.get(path), types.get(path), flow.timezone)
        return written or _default(gap["default"])

    return _GAP.sub(fill, template)


def placeholders(template: str) -> tuple[str, ...]:
    """The paths of all gaps, in order, each once."""
    return tuple(dict.fromkeys(gap["path"] for gap in _GAP.finditer(template)))


def without_gap(template: str, path: str) -> str:
    """The text with the default, or nothing, in the place of a path's gaps, and no double blanks where they stood."""
    filled = _GAP.sub(lambda gap: _default(gap["default"]) if gap["path"] == path else gap[0], template)
    return (
        filled if filled == template else re.sub(r"(?<=\S) +(?= |[,.;:!?]|$)", "", filled, flags=re.MULTILINE).strip()
    )


def with_path(template: str, path: str, to: str) -> str:
    """The text with the gaps of one path turned into gaps of another; defaults and spacing stay."""

    def renamed(gap: re.Match[str]) -> str:
        start, end = gap.start("path") - gap.start(), gap.end("path") - gap.start()
        return gap[0][:start] + to + gap[0][end:] if gap["path"] == path else gap[0]

    return _GAP.sub(renamed, template)


def parameter(text: str) -> str:
    """A rendered text as a platform takes it in an approved template: no line breaks, tabs or long runs of blanks."""
    return _GAPS_IN_PARAMETER.sub(" ", text).strip()


@lru_cache(maxsize=256)
def mentions(flow: Flow) -> Mapping[str, frozenset[str]]:
    """For each action the paths that its texts use."""
    return {
        name: frozenset(path for text in texts(action) for path in placeholders(text))
        for name, action in flow.actions.items()
    }


@lru_cache(maxsize=256)
def types_of(flow: Flow) -> Mapping[str, FieldType]:
    """The type of every path that has one. A name that two events give different types is shown as it is."""
    types = {**_CLOCK, **{field.name: field.type for field in flow.context.values()}}
    seen: dict[str, set[FieldType]] = {}
    for event in flow.events.values():
        for name, kind in event.data.items():
            seen.setdefault(f"event.{name}", set()).add(kind)
    return types | {name: next(iter(kinds)) for name, kinds in seen.items() if len(kinds) == 1}


def shown(value: Value, kind: FieldType | None, timezone: str) -> str:
    """One value as people write it: "R$ 1.234,56", "01/08 10:00", "2 h", "sim"; nothing for what is not set."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "sim" if value else "não"
    if isinstance(value, tuple | list):
        return ", ".join(str(entry) for entry in value)
    if isinstance(value, int):
        return _number(value, kind, timezone)
    return f"{value:.10g}".replace(".", ",") if isinstance(value, float) else value


def _number(value: int, kind: FieldType | None, timezone: str) -> str:
    if kind is FieldType.MONEY:
        return money(value)
    if kind is FieldType.DURATION:
        return durations.human(value) if value >= 0 else ""
    if kind is FieldType.TIMESTAMP:
        return _instant(value, timezone)
    return str(value)


def money(cents: int) -> str:
    """Integer cents as reais: 123456 is "R$ 1.234,56"."""
    reais, rest = divmod(abs(cents), 100)
    return f"{'-' if cents < 0 else ''}R$ {reais:,}".replace(",", ".") + f",{rest:02d}"


def _instant(value: int, timezone: str) -> str:
    if value <= 0:
        return ""
    try:
        moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=value)
        return moment.astimezone(ZoneInfo(timezone)).strftime("%d/%m %H:%M")
    except OverflowError:
        return ""


def _default(written: str | None) -> str:
    words = (written or "").strip()
    if len(words) >= 2 and words[0] == words[-1] == '"':
        return words[1:-1]
    return words
