"""What became of each message of the flow: sent, delivered, read, answered, and who stopped after it (R53, R75)."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import groupby
from typing import NamedTuple

from engine.core.values import DAY, Millis

__all__ = ["Bubble", "Fate", "fates"]

BLOCKED = frozenset({"stop_marketing"})
"""Refusals by which a platform says that this person stopped us."""
_DELIVERED, _READ = frozenset({"delivered", "read", "played"}), frozenset({"read", "played"})


class Bubble(NamedTuple):
    """A row of the outbox: one bubble of a message, or one more attempt at it."""

    conversation: int
    event_id: str | None
    action: str
    cause: str
    status: str
    reason: str | None
    sent_at: Millis | None
    delivery: str | None


@dataclass(frozen=True, slots=True)
class Fate:
    """Of one text: messages, not bubbles. `stopped`: the person asked to stop within 24 hours after it."""

    sent: int = 0
    delivered: int = 0
    read: int = 0
    answered: int = 0
    stopped: int = 0
    blocked: int = 0
    failed: int = 0


@dataclass(frozen=True, slots=True)
class _Message:
    """The bubbles of one action for one event."""

    conversation: int
    text: tuple[str, object]
    sent_at: Millis | None
    fate: Fate


def fates(
    bubbles: Iterable[Bubble],
    text_of: Callable[[Bubble], tuple[str, object]],
    arrived: Mapping[int, Sequence[Millis]],
    opted_out: Mapping[int, Sequence[Millis]],
) -> dict[tuple[str, object], Fate]:
    """By text, as `text_of` tells them apart. `bubbles` are in the order of their conversations and numbers, `arrived`
    and `opted_out` the moments of each conversation, oldest first.
    """
    found: dict[tuple[str, object], Fate] = {}
    for conversation, group in groupby(bubbles, key=lambda bubble: bubble.conversation):
        messages = _messages(conversation, list(group), text_of)
        leaving = sorted({one.sent_at for one in messages if one.sent_at is not None})
        for one in messages:
            fate = one.fate
            if one.sent_at is not None:
                fate = replace(
                    fate,
                    answered=_within(arrived.get(conversation, ()), one.sent_at, _next(leaving, one.sent_at)),
                    stopped=_within(opted_out.get(conversation, ()), one.sent_at, None),
                )
            found[one.text] = _sum(found.get(one.text, Fate()), fate)
    return found


def _messages(
    conversation: int, bubbles: list[Bubble], text_of: Callable[[Bubble], tuple[str, object]]
) -> list[_Message]:
    told: dict[tuple[object, str], list[Bubble]] = {}
    for number, bubble in enumerate(bubbles):
        told.setdefault((bubble.event_id or number, bubble.action), []).append(bubble)
    return [_message(conversation, text_of(mine[0]), mine) for mine in told.values()]


def _message(conversation: int, text: tuple[str, object], mine: Sequence[Bubble]) -> _Message:
    left = [bubble for bubble in mine if bubble.sent_at is not None]
    lost = [bubble for bubble in mine if bubble.status == "failed"]
    fate = Fate(
        sent=int(bool(left)),
        delivered=int(any(bubble.delivery in _DELIVERED for bubble in left)),
        read=int(any(bubble.delivery in _READ for bubble in left)),
        blocked=int(any(bubble.reason in BLOCKED for bubble in lost)),
        failed=int(any(bubble.reason not in BLOCKED for bubble in lost)),
    )
    return _Message(conversation, text, min((b.sent_at for b in left if b.sent_at is not None), default=None), fate)


def _next(leaving: Sequence[Millis], sent_at: Millis) -> Millis | None:
    """When the next message left, of those that left later. What leaves together is answered together."""
    at = bisect_right(leaving, sent_at)
    return leaving[at] if at < len(leaving) else None


def _within(moments: Sequence[Millis], after: Millis, before: Millis | None) -> int:
    """1 when something came after it, before the next one and within 24 hours."""
    at = bisect_right(moments, after)
    end = after + DAY if before is None else min(before, after + DAY)
    return int(at < len(moments) and moments[at] <= end)


def _sum(one: Fate, other: Fate) -> Fate:
    return Fate(*(getattr(one, each.name) + getattr(other, each.name) for each in fields(Fate)))
