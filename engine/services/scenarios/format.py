"""The scenario format: which keys exist, read strictly. A key that nobody knows is an error, never skipped."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine.core.errors import InvalidDocument, Mistake

EPOCH = 1_785_589_200_000
"""T0: 2026-08-01 13:00:00 UTC, in milliseconds."""

SETUP = {"flow", "set", "channel", "more_channels", "sources", "conversations", "outbox", "inbound", "faults"}
CHANNEL = {
    "kind", "instance", "apikey", "app_secret", "number", "phone_number_id", "coexistence", "throughput", "max_body",
}  # fmt: skip
CONVERSATION = {
    "id", "contact", "name", "state", "entered_at", "last_inbound_at", "deadline_at", "ladder_step", "paused_until",
    "opt_out", "context", "identities", "reference", "flow", "flow_version", "count",
}  # fmt: skip
OUTBOX = {"id", "contact", "action", "status", "provider_id", "at", "parts"}
INBOUND = {"id", "contact", "at", "processed"}
FAULTS = {
    "send_timeout_after_accept", "send_answer_delayed", "outbox_worker_delay", "send_uses_stale_identifier",
    "action_slow", "workers", "transcript_fails", "no_transcription_service", "server_down", "all_down",
    "channel_down", "no_acknowledgement",
}  # fmt: skip
INPUT = {
    "at", "kind", "payload", "parallel", "headers", "path", "fetch", "fault", "generate", "route", "raw_body",
    "body_file", "content_type", "headers_from",
}  # fmt: skip
CHANNEL_KINDS = ("whatsapp_cloud", "evolution", "phone")
OTHER_KINDS = ("http_raw", "send_result", "operator", "clock", "restart", "transcript", "fixture", "parse")
EXPECT = {"conversations", "replies", "actions", "log", "http", "must_not"}
TOP = {"case", "source", "symptom", "given", "setup", "inputs", "expect", "why", "note", "source_note"}


@dataclass(frozen=True, slots=True)
class Scenario:
    """One file, read."""

    path: Path
    setup: Mapping[str, Any]
    inputs: tuple[Mapping[str, Any], ...]
    expect: Mapping[str, Any]
    mistakes: tuple[Mistake, ...] = field(default=())


def load(path: Path, platforms: frozenset[str]) -> Scenario:
    """Read a file. Raises InvalidDocument with every mistake in it."""
    try:
        tree = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise InvalidDocument([Mistake("", f"cannot be read: {error}")]) from error
    if not isinstance(tree, dict):
        raise InvalidDocument([Mistake("", "must be an object")])
    mistakes = _unknown("", tree, TOP)
    setup, inputs, expect = tree.get("setup", {}), tree.get("inputs", []), tree.get("expect", {})
    for place, part, kind in (("setup", setup, dict), ("inputs", inputs, list), ("expect", expect, dict)):
        if not isinstance(part, kind):
            raise InvalidDocument([Mistake(place, "has the wrong type")])
    mistakes += _unknown("setup", setup, SETUP) + _unknown("expect", expect, EXPECT)
    for name, keys in (("conversations", CONVERSATION), ("outbox", OUTBOX), ("inbound", INBOUND)):
        for index, row in enumerate(setup.get(name) or []):
            mistakes += _unknown(f"setup.{name}[{index}]", row, keys)
    for index, row in enumerate([setup.get("channel") or {}, *(setup.get("more_channels") or [])]):
        mistakes += _unknown(f"setup.channel[{index}]", row, CHANNEL)
    for index, row in enumerate(setup.get("faults") or []):
        if row.get("what") not in FAULTS:
            mistakes.append(Mistake(f"setup.faults[{index}].what", f"nobody knows {row.get('what')!r}"))
    for index, row in enumerate(inputs):
        mistakes += _unknown(f"inputs[{index}]", row, INPUT)
        if row.get("kind") not in {*CHANNEL_KINDS, *OTHER_KINDS, *platforms}:
            mistakes.append(Mistake(f"inputs[{index}].kind", f"nobody knows {row.get('kind')!r}"))
        if not isinstance(row.get("at"), int | float):
            mistakes.append(Mistake(f"inputs[{index}].at", "must be a number of seconds"))
    if mistakes:
        raise InvalidDocument(mistakes)
    ordered = sorted(enumerate(inputs), key=lambda pair: (pair[1]["at"], pair[0]))
    return Scenario(path, setup, tuple({**row, "index": index} for index, row in ordered), expect)


def instant(seconds: float) -> int:
    """Seconds from T0 as milliseconds since the epoch."""
    return EPOCH + round(seconds * 1_000)


def _unknown(place: str, row: object, keys: set[str]) -> list[Mistake]:
    if not isinstance(row, dict):
        return [Mistake(place, "must be an object")]
    return [Mistake(f"{place}.{key}".lstrip("."), "is not a key of the format") for key in sorted(set(row) - keys)]
