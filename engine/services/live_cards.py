"""One conversation as a card of the desk: what a row says, and its place among others."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.adapters.channels.registry import CHANNELS
from engine.core.flow import SECOND, Flow, Millis
from engine.core.windows import WINDOW
from engine.store import tags

__all__ = ["LATE_AFTER", "Card", "card", "has_window"]

LATE_AFTER = 5 * SECOND
"""The sweep looks ten times a second: a deadline older than this is late for a reason worth seeing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """One conversation on the board. `phone` is whole: the page masks it by role. `windowed`: its channel has 24 h;
    `followed`: another talk took its place, and it stands on no board any more.
    """

    id: int
    flow: str
    state: str
    name: str | None
    phone: str | None
    last_text: str | None
    last_kind: str | None
    entered_at: Millis
    armed_at: Millis
    deadline_at: Millis | None
    rung: int
    ladder: int
    attention: str | None
    paused_until: Millis | None
    paused_by: str | None
    opted_out: bool
    held: int
    writing: bool
    late: bool
    windowed: bool
    window_closes_at: Millis
    updated_at: Millis
    followed: bool = False
    approval: bool = False
    owner: str = ""
    tags: tuple[tuple[str, int], ...] = ()

    @property
    def order(self) -> tuple[int, Millis, Millis]:
        """The place in a column: needs a person, late, nearest silence, newest; small comes first."""
        rank = 0 if self.attention or self.approval else 1 if self.late else 2
        return rank, self.deadline_at if self.deadline_at is not None else 10**14, 10**14 - self.updated_at


def has_window(kind: str | None) -> bool:
    """Whether a kind of channel has the 24-hour rule (R28)."""
    return kind is not None and kind in CHANNELS and CHANNELS[kind].capabilities.window


def card(
    row: Mapping[str, Any], now: Millis, flow: Flow | None = None, colours: Mapping[str, int] | None = None
) -> Card:
    """A row of the board as a card; `colours` are those of tags."""
    deadline, paused, kind = row["deadline_at"], row["paused_until"], row["channel_kind"]
    state = flow.states.get(row["state"]) if flow is not None else None
    return Card(
        id=int(row["id"]),
        flow=row["flow"],
        state=row["state"],
        name=row["name"],
        phone=row["phone"],
        last_text=row["last_text"],
        last_kind=row["last_kind"],
        entered_at=row["entered_at"],
        armed_at=row["armed_at"],
        deadline_at=deadline,
        rung=row["rung"],
        ladder=len(state.deadline) if state is not None else 0,
        attention=row["attention"],
        paused_until=paused,
        paused_by=row["paused_by"] if paused is not None else None,
        opted_out=row["opt_out_at"] is not None,
        held=int(row["held"]),
        writing=row["due_at"] is not None,
        late=deadline is not None and deadline <= now - LATE_AFTER and paused is None and row["due_at"] is None,
        windowed=has_window(kind),
        window_closes_at=row["last_inbound_at"] + WINDOW,
        updated_at=row["updated_at"],
        followed=row["followed_by"] is not None,
        approval=bool(row["approvals"]),
        owner=row["owner"] or "",
        tags=tags.of(row["tags"], colours or {}),
    )
