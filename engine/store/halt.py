"""The switch that holds every send of the installation: one row, read before each claim and again before each call."""

from dataclasses import dataclass

from engine.core.flow import Millis
from engine.store import installation
from engine.store.connection import Tx

__all__ = ["Halt", "halt", "halted", "lift"]

NAME = "sending_stopped"


@dataclass(frozen=True, slots=True)
class Halt:
    """Since when nothing leaves, who said so and why."""

    at: Millis
    who: str
    reason: str


def halted(tx: Tx) -> Halt | None:
    """The stop that is on, None while messages leave."""
    found = installation.value(tx, NAME)
    return Halt(int(found["at"]), str(found["who"]), str(found["reason"])) if isinstance(found, dict) else None


def halt(tx: Tx, stop: Halt) -> None:
    """Nothing leaves from here on."""
    installation.set_value(tx, NAME, {"at": stop.at, "who": stop.who, "reason": stop.reason})


def lift(tx: Tx) -> None:
    """Messages may leave again."""
    installation.set_value(tx, NAME, None)
