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
        leaving = sorted({at for _, at, _, _ in messages if at is not None})
        heard, stopped = arrived.get(conversation, ()), opted_out.get(conversation, ())
        for first, at, news, refusals in messages:
            text = text_of(first)
            fate = found.get(text) or found.setdefault(text, Fate())
            if refusals:
                fate.blocked += not BLOCKED.isdisjoint(refusals)
                fate.failed += not refusals <= BLOCKED
            if at is not None:
                fate.sent += 1
                fate.delivered += not _DELIVERED.isdisjoint(news)
                fate.read += not _READ.isdisjoint(news)
                fate.answered += _within(heard, at, _next(leaving, at))
                fate.stopped += bool(stopped) and _within(stopped, at, None)
    return found


_Message = tuple[Bubble, Millis | None, set[str | None], set[str | None]]
"""The first of its bubbles, when the first of them left, the news of them, and why some were refused."""


def _messages(bubbles: Iterable[Bubble]) -> Iterable[_Message]:
    """The bubbles of one action for one event are one message."""
    told: dict[tuple[object, str], _Message] = {}
    for number, bubble in enumerate(bubbles):
        name = (bubble.event_id or number, bubble.action)
        refusals = {bubble.reason} if bubble.status == "failed" else set[str | None]()
        known = told.get(name)
        if known is None:
            told[name] = (bubble, bubble.sent_at, {bubble.delivery}, refusals)
            continue
        first, at, news, before = known
        left = bubble.sent_at if at is None else at if bubble.sent_at is None else min(at, bubble.sent_at)
        told[name] = (first, left, news | {bubble.delivery}, before | refusals)
    return told.values()


def _next(leaving: Sequence[Millis], sent_at: Millis) -> Millis | None:
    """When the next message left, of those that left later. What leaves together is answered together."""
    at = bisect_right(leaving, sent_at)
    return leaving[at] if at < len(leaving) else None


def _within(moments: Sequence[Millis], after: Millis, before: Millis | None) -> int:
    """1 when something came after it, before the next one and within 24 hours."""
    at = bisect_right(moments, after)
    end = after + DAY if before is None else min(before, after + DAY)
    return int(at < len(moments) and moments[at] <= end)
