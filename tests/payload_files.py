"""The sample bodies in tests/payloads, and items as plain data to compare them with (bytes as base64)."""

import base64
import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "payloads"
ARRIVAL = 1_785_600_000_000
"""When a test says that a body arrived; sample bodies without a time of their own get it."""


def names(under: str) -> list[str]:
    """The files of a folder, as `whatsapp_cloud/in/text.json`."""
    return sorted(path.relative_to(FOLDER).as_posix() for path in (FOLDER / under).rglob("*.json"))


def raw(name: str) -> bytes:
    return (FOLDER / name).read_bytes()


def load(name: str) -> dict[str, Any]:
    body: dict[str, Any] = json.loads(raw(name))
    return body


def plain(value: object) -> Any:
    """A dataclass as a mapping of its kind and what is set in it."""
    if is_dataclass(value) and not isinstance(value, type):
        set_fields = {f.name: plain(getattr(value, f.name)) for f in fields(value)}
        return {"is": type(value).__name__, **{k: v for k, v in set_fields.items() if v not in (None, {}, ())}}
    if isinstance(value, Mapping):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    return list(value) if isinstance(value, tuple) else value
