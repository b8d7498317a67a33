"""The numbers of the live desk: how many stand in each state, who needs a person and why, what cannot send (R29)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from types import MappingProxyType
from zoneinfo import ZoneInfo

from engine.core.flow import MINUTE, SECOND, Flow, Millis, StateKind
from engine.services.live_cards import LATE_AFTER
from engine.services.loop_guard import LOOP
from engine.services.pairing import can_pair
from engine.store import board as desk
from engine.store import channels as stored_channels
from engine.store import collisions, orphans, views
from engine.store.connection import Tx

__all__ = ["FINAL", "NEEDS", "SOON", "Down", "Figures", "Marks", "counted", "down", "finals", "needs", "newest"]

SOON = 10 * MINUTE
FINAL = (StateKind.FINAL, StateKind.OPTOUT)
NEEDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "failed": ("send_failed", "window_closed_no_template", "not_available"),
        "review": ("send_unknown", "not_confirmed"),
        "person": ("asked_for_person",),
        "ambiguous": ("two_transitions",),
        "robot": (LOOP,),
    }
)
"""Why somebody is needed, in groups that a supervisor works off together; `late` and `held` are two more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """The counts of one state. `today` is told of the ends alone: how many came there since midnight."""

    people: int = 0
    late: int = 0
    soon: int = 0
    today: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Down:
    """A channel that cannot send: in which trouble (`engine/core/troubles.py`), since when, and whether reading a code
    or connecting it again may mend it.
    """

    id: int
    name: str
    state: str
    since: Millis
    pairs: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """How far a page has read: the ends of the log and of the arrivals, and the moment."""

    log: int
    arrivals: int
    at: Millis

    def __str__(self) -> str:
        return f"{self.log}.{self.arrivals}.{self.at}"


def newest(tx: Tx, now: Millis) -> Marks:
    """Where everything ends now."""
    return Marks(log=views.newest_log(tx), arrivals=views.newest_arrival(tx), at=now)


def counted(tx: Tx, flow: Flow, slug: str, now: Millis) -> dict[str, Figures]:
    """The counts of each state that has anybody."""
    rows = desk.counts(tx, slug, now, now - LATE_AFTER, now + SOON)
    today = desk.reached(tx, slug, sorted(finals(flow)), _midnight(now, flow.timezone))
    return {
        row["state"]: Figures(
            people=int(row["people"]),
            late=int(row["late"]),
            soon=int(row["soon"]),
            today=today.get(row["state"], 0),
        )
        for row in rows
    }


def finals(flow: Flow) -> Iterable[str]:
    """The states in which a conversation is over."""
    return (name for name, state in flow.states.items() if state.kind in FINAL)


def needs(tx: Tx, slug: str, figures: Mapping[str, Figures]) -> dict[str, int]:
    """How many need a person, by group; groups without anybody are there with 0. `pairs` that may be one person and
    `strays`, payments without a person, belong to no flow and are the same on every desk.
    """
    reasons = {row["attention"]: int(row["people"]) for row in desk.needing(tx, slug)}
    groups = {name: sum(reasons.get(reason, 0) for reason in group) for name, group in NEEDS.items()}
    of_nobody = {"pairs": collisions.waiting(tx), "strays": orphans.waiting(tx)}
    return {"late": sum(f.late for f in figures.values()), **groups, "held": desk.holding(tx, slug), **of_nobody}


def down(tx: Tx) -> tuple[Down, ...]:
    """The channels that cannot send, as the team was told."""
    return tuple(
        Down(id=one.id, name=one.name, state=one.state, since=one.state_at, pairs=can_pair(one.kind))
        for one in stored_channels.down(tx)
    )


def _midnight(now: Millis, zone: str) -> Millis:
    here = datetime.fromtimestamp(now / SECOND, UTC).astimezone(ZoneInfo(zone))
    return int(here.replace(hour=0, minute=0, second=0, microsecond=0).timestamp()) * SECOND
