"""What the installation asks of its people beyond a password: a second factor, a second person, the password again."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from engine.core.errors import Refused
from engine.core.permissions import Actor, Role
from engine.runtime import Runtime
from engine.store import audit, installation
from engine.store.connection import Tx

__all__ = ["FACTOR_FOR", "Safeguards", "change", "show", "within"]

NAME = "safeguards"
OFF, ADMINS, EVERYBODY = "off", "admins", "everybody"
FACTOR_FOR = (OFF, ADMINS, EVERYBODY)


@dataclass(frozen=True, slots=True)
class Safeguards:
    """`second_factor`: of whom one is required; `four_eyes`: publishing needs a second person; `ask_to_publish`: and the
    password of the last ten minutes.
    """

    second_factor: str = OFF
    four_eyes: bool = False
    ask_to_publish: bool = False

    def requires_factor(self, role: str) -> bool:
        """Whether somebody of this role has to have a second factor."""
        return self.second_factor == EVERYBODY or (self.second_factor == ADMINS and role == Role.ADMIN)


def within(tx: Tx) -> Safeguards:
    """As they are set."""
    stored: Any = installation.value(tx, NAME)
    return Safeguards(**stored) if stored else Safeguards()


async def show(runtime: Runtime) -> Safeguards:
    """As they are set."""
    return await runtime.store.read(within)


async def change(runtime: Runtime, actor: Actor, wanted: Safeguards) -> None:
    """From now on. Raises Refused("choice_unreadable")."""
    if wanted.second_factor not in FACTOR_FOR:
        raise Refused("choice_unreadable", key="second_factor", choices=FACTOR_FOR)

    def unit(tx: Tx) -> None:
        before = within(tx)
        if before == wanted:
            return
        installation.set_value(tx, NAME, asdict(wanted))
        facts: Mapping[str, object] = {"before": asdict(before), "after": asdict(wanted)}
        audit.note(tx, runtime.clock.now(), actor, "safeguards.changed", subject=NAME, facts=facts)

    await runtime.store.write("settings", unit)
