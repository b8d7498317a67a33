"""The faults of a scenario's setup: who is down when, who is slow, and what becomes of single sends."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.adapters.http import TOTAL_TIMEOUT
from engine.core.flow import SECOND, Millis
from engine.services.scenarios.format import WAITING, ends, instant
from engine.services.scenarios.network import Network, Script
from engine.store import observing
from engine.store.connection import Tx

FOREVER = 1 << 62
TAKEN = "send_timeout_after_accept"
SEVERAL = 2
"""Workers, where a fault does not say how many."""


@dataclass(frozen=True, slots=True)
class Slow:
    """An action that takes `wait` milliseconds from its decision to its send; None means every action."""

    begin: Millis
    end: Millis
    action: str | None
    wait: Millis


@dataclass(slots=True)
class Faults:
    """What the driver has to know: spans of time, each with its end not included."""

    stopped: list[tuple[Millis, Millis]] = field(default_factory=list)
    unheard: list[tuple[Millis, Millis]] = field(default_factory=list)
    not_sending: list[tuple[Millis, Millis]] = field(default_factory=list)
    slow: list[Slow] = field(default_factory=list)
    crowds: list[tuple[Millis, Millis, int]] = field(default_factory=list)

    def is_stopped(self, now: Millis) -> bool:
        """Whether no worker of ours runs."""
        return _within(self.stopped, now)

    def is_unheard(self, now: Millis) -> bool:
        """Whether nobody answers a post or a click."""
        return _within(self.unheard, now)

    def is_not_sending(self, now: Millis) -> bool:
        """Whether every letter is kept back."""
        return _within(self.not_sending, now)

    def workers(self, now: Millis) -> int:
        """How many workers do the same work at the same time."""
        return max([1, *(count for begin, end, count in self.crowds if begin <= now < end)])

    def slow_until(self, tx: Tx, conversation_id: int, now: Millis) -> Millis | None:
        """Until when a slow action keeps this conversation's letters back, None when it does not."""
        moments = [
            letter.created_at + fault.wait
            for letter in observing.untried(tx, conversation_id)
            for fault in self.slow
            if fault.begin <= letter.created_at < fault.end and fault.action in (None, letter.action)
        ]
        return max((m for m in moments if m > now), default=None)

    def changes(self, now: Millis) -> list[Millis]:
        """When the spans that hold now are over."""
        return [end for begin, end in (*self.stopped, *self.not_sending) if begin <= now < end]


def faults(rows: Sequence[Mapping[str, Any]], scripted: Sequence[Mapping[str, Any]], network: Network) -> Faults:
    """Read the faults; those of a channel or of single sends go to the network.

    `scripted` are the payloads of the `send_result` inputs: where one speaks of the same send, it is the answer.
    """
    found = Faults()
    for row in rows:
        what, begin = row["what"], instant(row.get("at", 0))
        lasts = ends(row) if {"until", "seconds"} & set(row) else FOREVER
        if what in ("all_down", "server_down"):
            found.unheard.append((begin, lasts))
        if what == "all_down":
            found.stopped.append((begin, lasts))
        elif what == "outbox_worker_delay":
            found.not_sending.append((begin, lasts))
        elif what == "channel_down":
            network.down.append((begin, lasts, row.get("channel")))
        elif what == "workers":
            found.crowds.append((begin, lasts, int(row.get("count", SEVERAL))))
        elif what == "action_slow":
            wait = round(row.get("seconds", 0) * SECOND)
            found.slow.append(
                Slow(begin, instant(row["until"]) if "until" in row else FOREVER, row.get("action"), wait)
            )
        elif what in WAITING and not any(_same_send(row, payload) for payload in scripted):
            network.scripts.append(_answer(row))
        elif what == TAKEN:
            for script in network.scripts:
                script.taken = str(row.get("provider_id", "")) if _same_send(row, script.payload) else script.taken
    return found


def _answer(row: Mapping[str, Any]) -> Script:
    """A fault of one send as the provider's answer to it."""
    waits = round(row["seconds"] * SECOND) if "seconds" in row else TOTAL_TIMEOUT
    wanted = {name: row[name] for name in ("outbox", "action", "contact", "part") if name in row}
    times, begin = int(row.get("times", 1)), instant(row.get("at", 0))
    if row["what"] == TAKEN:
        taken = str(row.get("provider_id", ""))
        return Script({**wanted, "status": "timeout"}, times, wait=waits, begin=begin, taken=taken)
    return Script(wanted, times, wait=waits, begin=begin)


def _same_send(fault: Mapping[str, Any], payload: Mapping[str, Any]) -> bool:
    shared = [name for name in ("outbox", "part") if name in fault and name in payload]
    return all(fault[name] == payload[name] for name in shared)


def _within(spans: Sequence[tuple[Millis, Millis]], now: Millis) -> bool:
    return any(begin <= now < end for begin, end in spans)
