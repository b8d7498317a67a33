"""What became of each message of the flow: sent, delivered, read, answered, and who stopped after it (R53, R75)."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
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


@dataclass(slots=True)
class Fate:
    """Of one text: messages, not bubbles. `stopped`: the person asked to stop within 24 hours after it."""

    sent: int = 0
    delivered: int = 0
    read: int = 0
    answered: int = 0
    stopped: int = 0
    blocked: int = 0
    failed: int = 0


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
    for conversation, group in groupby(bubbles, key=attrgetter("conversation")):
        messages = _messages(group)
        left = [_left(mine) for mine in messages]
        leaving = sorted({at for at in left if at is not None})
        for mine, at in zip(messages, left, strict=True):
            fate = found.setdefault(text_of(mine[0]), Fate())
            _failed(fate, mine)
            if at is not None:
                _arrived(fate, mine)
                fate.answered += _within(arrived.get(conversation, ()), at, _next(leaving, at))
                fate.stopped += _within(opted_out.get(conversation, ()), at, None)
    return found


def _messages(bubbles: Iterable[Bubble]) -> list[list[Bubble]]:
    """The bubbles of one action for one event are one message."""
    told: dict[tuple[object, str], list[Bubble]] = {}
    for number, bubble in enumerate(bubbles):
        told.setdefault((bubble.event_id or number, bubble.action), []).append(bubble)
    return list(told.values())


def _left(mine: Sequence[Bubble]) -> Millis | None:
    return min((bubble.sent_at for bubble in mine if bubble.sent_at is not None), default=None)


def _failed(fate: Fate, mine: Sequence[Bubble]) -> None:
    why = {bubble.reason for bubble in mine if bubble.status == "failed"}
    if why:
        fate.blocked += not BLOCKED.isdisjoint(why)
        fate.failed += not why <= BLOCKED


def _arrived(fate: Fate, mine: Sequence[Bubble]) -> None:
    news = {bubble.delivery for bubble in mine}
    fate.sent += 1
    fate.delivered += not _DELIVERED.isdisjoint(news)
    fate.read += not _READ.isdisjoint(news)


def _next(leaving: Sequence[Millis], sent_at: Millis) -> Millis | None:
    """When the next message left, of those that left later. What leaves together is answered together."""
    at = bisect_right(leaving, sent_at)
    return leaving[at] if at < len(leaving) else None


def _within(moments: Sequence[Millis], after: Millis, before: Millis | None) -> int:
    """1 when something came after it, before the next one and within 24 hours."""
    at = bisect_right(moments, after)
    end = after + DAY if before is None else min(before, after + DAY)
    return int(at < len(moments) and moments[at] <= end)
