"""Requests to a platform's API, as every platform that is asked back makes them."""

from collections.abc import Mapping
from urllib.parse import quote

from engine.adapters.http import HttpRequest
from engine.adapters.payments.protocol import SourceConfig
from engine.core.flow import SECOND

TIMEOUT = 10 * SECOND


def api_root(config: SourceConfig, default: str) -> str:
    """Where the API is: as the source says, else where the platform has it."""
    return (config.settings.get("base_url") or default).rstrip("/")


def segment(value: object) -> str | None:
    """What a notice names as one part of a path; None when it would be another path."""
    text = value if isinstance(value, str) else ""
    return None if text in {"", ".", ".."} else quote(text, safe="")


def get(url: str, headers: Mapping[str, str]) -> HttpRequest:
    """A question. The address comes from an administrator or from this program, never from a notice (SEC-S19)."""
    return HttpRequest(method="GET", url=url, headers=headers, trusted=True, timeout=TIMEOUT)
