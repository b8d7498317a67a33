"""What channels and payment sources have in common: keys that are allowed, secrets sealed in their place (SEC-S21)."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from engine.adapters.reading import number
from engine.adapters.secrets import Vault
from engine.core.errors import NotFound, Refused
from engine.core.windows import read_hours
from engine.runtime import Runtime
from engine.store import flows
from engine.store.connection import Tx

__all__ = [
    "TOKEN_BYTES",
    "Keys",
    "is_address",
    "merged",
    "opened",
    "sealed",
    "sorted_out",
    "usable_flow",
    "usable_name",
    "usable_token",
]

TOKEN_BYTES = 24
_LONGEST = 4_096
_WHOLE = (
    "max_body", "throughput", "gap_seconds", "jitter_seconds", "contact_gap_seconds", "contact_daily", "strangers_daily",
)  # fmt: skip
"""Settings that are whole numbers from 1."""
_CHOICES = {"pacing": ("on", "off")}


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys that a kind of channel or a payment platform takes; of settings also every one that begins so."""

    settings: tuple[str, ...] = ()
    secrets: tuple[str, ...] = ()
    prefixes: tuple[str, ...] = ()

    def takes(self, key: str) -> bool:
        """Whether there is such a setting."""
        return key in self.settings or any(key.startswith(start) and key != start for start in self.prefixes)


def sorted_out(values: Mapping[str, str], keys: Keys) -> tuple[dict[str, str], dict[str, str]]:
    """Given values as settings and secrets.

    Raises Refused: key_unknown, value_too_long, base_url_unreadable, number_unreadable, choice_unreadable,
    hours_unreadable.
    """
    for key, value in values.items():
        if not keys.takes(key) and key not in keys.secrets:
            known = {*keys.settings, *keys.secrets, *(f"{start}…" for start in keys.prefixes)}
            raise Refused("key_unknown", key=key, keys=sorted(known))
        if len(value) > _LONGEST:
            raise Refused("value_too_long", key=key, longest=_LONGEST)
        if key == "base_url" and value and not is_address(value):
            raise Refused("base_url_unreadable")
        if key in _WHOLE and value and not number(value):
            raise Refused("number_unreadable", key=key)
        if key in _CHOICES and value and value not in _CHOICES[key]:
            raise Refused("choice_unreadable", key=key, choices=_CHOICES[key])
        if key == "hours" and value and read_hours(value) is None:
            raise Refused("hours_unreadable", key=key)
    plain = {key: value for key, value in values.items() if keys.takes(key)}
    return plain, {key: value for key, value in values.items() if key in keys.secrets}


def merged(old: Mapping[str, str], new: Mapping[str, str]) -> dict[str, str]:
    """The old values with the new ones over them; an empty one takes the key away."""
    return {key: value for key, value in {**old, **new}.items() if value != ""}


def sealed(vault: Vault, table: str, row: int, secrets: Mapping[str, str]) -> dict[str, str]:
    """Each secret sealed for its table, row and field, so that it opens nowhere else; an empty one stays empty."""
    return {key: vault.seal(value, f"{table}/{row}/{key}") if value else "" for key, value in secrets.items()}


def opened(vault: Vault, table: str, row: int, secrets: Mapping[str, str]) -> dict[str, str]:
    """The secrets of a row in clear. Raises BadSettings when the key is another one."""
    return {key: vault.open(value, f"{table}/{row}/{key}") for key, value in secrets.items()}


def usable_name(name: str) -> str:
    """A name without outer blanks. Raises Refused("name_unusable")."""
    plain = name.strip()
    if not plain or len(plain) > 80 or not plain.isprintable():
        raise Refused("name_unusable", longest=80)
    return plain


def usable_token(runtime: Runtime, given: str | None) -> str:
    """The token of a webhook address: the given one, or a fresh secret. Raises Refused("token_unusable")."""
    if given is None:
        return runtime.ids.token(TOKEN_BYTES)
    if not 1 <= len(given) <= 128 or not all(
        letter.isascii() and (letter.isalnum() or letter in "-_.~") for letter in given
    ):
        raise Refused("token_unusable")
    return given


def usable_flow(tx: Tx, slug: str) -> str:
    """The flow's name if there is such a flow, or while there is none at all. Raises NotFound, Refused("flow_archived")."""
    # One look: between two of them another process may make its first flow, which would then seem to be another one.
    there = {draft.slug: draft for draft in flows.drafts(tx)}
    if there and slug not in there:
        raise NotFound("flow", slug)
    if slug in there and there[slug].archived_at is not None:
        raise Refused("flow_archived")
    return slug


def is_address(text: str) -> bool:
    """Whether it is an address that an administrator may write: http or https, to anywhere."""
    try:
        parts = urlsplit(text)
        _ = parts.port
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname)
