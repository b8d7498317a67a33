"""The service that turns audios into words: one for the installation, set by an administrator, its key sealed (R23)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.adapters.reading import number
from engine.adapters.secrets import Vault
from engine.adapters.transcription import Service
from engine.core.errors import NotFound, Refused
from engine.core.flow import MINUTE, SECOND, Millis
from engine.core.permissions import Actor
from engine.runtime import Runtime
from engine.services.connections import is_address
from engine.store import audit, installation, media_counts
from engine.store.connection import Tx

__all__ = ["Report", "is_there", "remove", "service_within", "set_service", "show"]

NAME = "transcription"
SEALED = "setting/transcription/key"
FRESH: Mapping[str, object] = {
    "base_url": "",
    "model": "gpt-transcribe",
    "language": "pt",
    "key": "",
    "timeout": 30 * SECOND,
}
"""A service of which nothing has been said yet."""
LONGEST_TIMEOUT = 2 * MINUTE
LONGEST = 400
"""Characters of any value."""


@dataclass(frozen=True, slots=True)
class Report:
    """The service, if there is one, and what came of the audios so far: their number by state, and how long they were."""

    service: Service | None
    audios: Mapping[str, int]
    duration: Millis


def is_there(tx: Tx) -> bool:
    """Whether words are to be expected at all."""
    return installation.value(tx, NAME) is not None


def service_within(tx: Tx, vault: Vault) -> Service | None:
    """The service with its key in clear, None when there is none. Raises BadSettings when the vault's key is another."""
    stored: Any = installation.value(tx, NAME)
    if stored is None:
        return None
    key = vault.open(stored["key"], SEALED) if stored["key"] else None
    return Service(stored["base_url"], stored["model"], stored["language"] or None, stored["timeout"], key)


async def show(runtime: Runtime) -> Report:
    """What is configured and what it did."""

    def unit(tx: Tx) -> Report:
        return Report(service_within(tx, runtime.vault), *media_counts.audios(tx))

    return await runtime.store.read(unit)


async def set_service(runtime: Runtime, actor: Actor, values: Mapping[str, str]) -> Service:
    """Make or change the service. Keys are base_url, model, language, timeout (seconds) and key, the service's secret;
    what is not given stays as it was, and an empty language or key goes.

    Raises Refused: key_unknown, base_url_missing, base_url_unreadable, transcription_unusable, transcription_timeout.
    """
    given = {name: _usable(name, value.strip()) for name, value in values.items()}

    def unit(tx: Tx) -> Service | None:
        stored: Any = installation.value(tx, NAME) or FRESH
        if "key" in given:
            given["key"] = runtime.vault.seal(values["key"].strip(), SEALED) if values["key"].strip() else ""
        changed = {**stored, **given}
        if not changed["base_url"]:
            raise Refused("base_url_missing")
        installation.set_value(tx, NAME, changed)
        _audited(tx, runtime, actor, "transcription.changed", {"keys": sorted(given)})
        return service_within(tx, runtime.vault)

    made = await runtime.store.write("settings", unit)
    if made is None:
        raise NotFound("transcription service", NAME)
    return made


def _usable(name: str, value: str) -> str | Millis:
    """A value as it is stored. Raises Refused."""
    if name not in FRESH:
        raise Refused("key_unknown", key=name, keys=sorted(FRESH))
    if len(value) > LONGEST or not value.isprintable() or '"' in value or (name == "model" and not value):
        raise Refused("transcription_unusable", key=name, longest=LONGEST)
    if name == "base_url" and not is_address(value):
        raise Refused("base_url_unreadable")
    if name == "timeout":
        seconds = number(value)
        if seconds is None or not 1 <= seconds <= LONGEST_TIMEOUT // SECOND:
            raise Refused("transcription_timeout", most=LONGEST_TIMEOUT // SECOND)
        return seconds * SECOND
    return value


async def remove(runtime: Runtime, actor: Actor) -> None:
    """No service any more: audios are shown and not heard. Raises NotFound when there was none."""

    def unit(tx: Tx) -> None:
        if not is_there(tx):
            raise NotFound("transcription service", "to remove")
        installation.set_value(tx, NAME, None)
        _audited(tx, runtime, actor, "transcription.removed", {})

    await runtime.store.write("settings", unit)


def _audited(tx: Tx, runtime: Runtime, actor: Actor, what: str, facts: Mapping[str, object]) -> None:
    audit.note(tx, runtime.clock.now(), actor, what, subject=NAME, facts=facts)
