"""The first steps of an installation, read from what was really done, and whether somebody wants to see them."""

from dataclasses import dataclass

from engine.runtime import Runtime
from engine.services.install import AUTHOR
from engine.services.phone_page import KIND
from engine.store import channels, first_steps, flows, installation, sources
from engine.store.connection import Tx

__all__ = ["STEPS", "Progress", "dismiss", "opened", "progress", "seen"]

STEPS = ("sample", "phone", "channel", "payments", "publish")


@dataclass(frozen=True, slots=True)
class Progress:
    """`done` are the names of the steps that are made; `sample` is the flow to look at and `phone` the address of its
    test phone, None where there is none. `dismissed` and `met` are one person's: waved away, shown once already.
    """

    done: frozenset[str]
    sample: str | None
    phone: str | None
    met: bool
    dismissed: bool

    @property
    def complete(self) -> bool:
        """Whether every step is made."""
        return len(self.done) == len(STEPS)


async def progress(runtime: Runtime, account_id: int) -> Progress:
    """How far the installation and this person are."""

    def unit(tx: Tx) -> Progress:
        mine = _mine(tx, account_id)
        in_use = channels.TABLE.everything(tx)
        phone = next((one for one in in_use if one.kind == KIND), None)
        made = {
            "sample": "opened" in mine,
            "phone": first_steps.said_on(tx, KIND),
            "channel": any(one.kind != KIND for one in in_use),
            "payments": bool(sources.TABLE.everything(tx)),
            "publish": first_steps.published_by_somebody(tx, AUTHOR.who),
        }
        known = [draft.slug for draft in flows.drafts(tx) if draft.archived_at is None]
        sample = phone.flow if phone is not None and phone.flow in known else known[0] if known else None
        return Progress(
            frozenset(name for name, is_made in made.items() if is_made),
            sample,
            None if phone is None else phone.token,
            "met" in mine,
            "dismissed" in mine,
        )

    return await runtime.store.read(unit)


async def opened(runtime: Runtime, account_id: int) -> None:
    """Somebody looked at a flow in the editor."""
    await _mark(runtime, account_id, "opened")


async def seen(runtime: Runtime, account_id: int) -> None:
    """The first steps were shown: from now on nobody is led there unasked."""
    await _mark(runtime, account_id, "met")


async def dismiss(runtime: Runtime, account_id: int) -> None:
    """They do not want to see them; they stay in the menu."""
    await _mark(runtime, account_id, "dismissed")


def _name(account_id: int) -> str:
    return f"first_steps:{account_id}"


def _mine(tx: Tx, account_id: int) -> frozenset[str]:
    found = installation.value(tx, _name(account_id))
    return frozenset(map(str, found)) if isinstance(found, list) else frozenset()


async def _mark(runtime: Runtime, account_id: int, mark: str) -> None:
    if mark in await runtime.store.read(lambda tx: _mine(tx, account_id)):
        return

    def unit(tx: Tx) -> None:
        installation.set_value(tx, _name(account_id), sorted({*_mine(tx, account_id), mark}))

    await runtime.store.write(_name(account_id), unit)
