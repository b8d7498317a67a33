"""The scenario format: every key there is, with the type of its value. `reading` holds files against these tables."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

EPOCH = 1_785_589_200_000
"""T0: 2026-08-01 13:00:00 UTC, in milliseconds."""

Keys: TypeAlias = Mapping[str, tuple[type, ...]]
"""Names of keys and the types that their values may have; null stands for "not given" where it is listed."""

NONE = type(None)
NUMBER = (int, float)
TEXT = (str,)
MAYBE_NUMBER = (int, float, NONE)
MAYBE_TEXT = (str, NONE)
TIME = (int, float, list, NONE)
"""Seconds from T0, or the first and the last of them, spread evenly over a `count` of people."""
ANY = (str, int, float, bool, list, dict, NONE)

TOP: Keys = {
    "case": TEXT, "source": ANY, "symptom": TEXT, "given": TEXT, "setup": (dict,), "inputs": (list,), "expect": (dict,),
    "why": ANY, "note": ANY, "source_note": ANY,
}  # fmt: skip
SETUP: Keys = {
    "flow": (str, dict), "more_flows": (list, NONE), "set": (dict, NONE), "channel": (dict, NONE), "more_channels": (list, NONE),
    "sources": (list, NONE), "conversations": (list, NONE), "outbox": (list, NONE), "inbound": (list, NONE),
    "faults": (list, NONE),
}  # fmt: skip
CHANNEL: Keys = {
    "kind": TEXT, "instance": MAYBE_TEXT, "apikey": MAYBE_TEXT, "app_secret": MAYBE_TEXT, "number": MAYBE_TEXT,
    "phone_number_id": MAYBE_TEXT, "coexistence": (bool, NONE), "throughput": MAYBE_NUMBER, "max_body": MAYBE_NUMBER,
    "webhook_secret": MAYBE_TEXT, "pacing": MAYBE_TEXT, "gap_seconds": MAYBE_NUMBER, "jitter_seconds": MAYBE_NUMBER,
    "contact_gap_seconds": MAYBE_NUMBER, "contact_daily": MAYBE_NUMBER, "strangers_daily": MAYBE_NUMBER, "hours": MAYBE_TEXT,
    "flow": MAYBE_TEXT,
}  # fmt: skip
CONVERSATION: Keys = {
    "id": TEXT, "contact": TEXT, "name": MAYBE_TEXT, "state": TEXT, "entered_at": TIME, "last_inbound_at": TIME,
    "deadline_at": TIME, "ladder_step": (int, NONE), "paused_until": TIME, "opt_out": (bool, NONE), "context": (dict, NONE), "identities": (dict, NONE),
    "reference": MAYBE_TEXT, "flow": MAYBE_TEXT, "flow_version": (int, NONE), "count": (int, NONE),
}  # fmt: skip
IDENTITIES: Keys = {"lid": TEXT, "bsuid": TEXT, "wa_id": TEXT}
OUTBOX: Keys = {
    "id": (int,), "contact": TEXT, "action": TEXT, "status": TEXT, "provider_id": MAYBE_TEXT, "at": NUMBER,
    "parts": (int, NONE),
}  # fmt: skip
OUTBOX_STATUSES = ("pending", "sending", "sent", "failed", "uncertain", "review", "held")
INBOUND: Keys = {"id": TEXT, "contact": TEXT, "at": NUMBER, "processed": (bool,)}

_SPAN: Keys = {"at": NUMBER, "what": TEXT, "until": NUMBER, "seconds": NUMBER}
_SEND: Keys = {"outbox": (int,), "action": TEXT, "contact": TEXT, "part": (int,), "times": (int,)}
FAULTS: Mapping[str, Keys] = {
    "send_timeout_after_accept": {**_SPAN, **_SEND, "provider_id": TEXT},
    "send_answer_delayed": {**_SPAN, **_SEND},
    "send_uses_stale_identifier": {**_SPAN, **_SEND},
    "no_acknowledgement": {**_SPAN, **_SEND},
    "action_slow": {**_SPAN, **_SEND},
    "outbox_worker_delay": _SPAN,
    "workers": {**_SPAN, "count": (int,)},
    "no_transcription_service": _SPAN,
    "transcript_fails": {**_SPAN, "message": TEXT},
    "server_down": _SPAN,
    "all_down": _SPAN,
    "channel_down": {**_SPAN, "channel": TEXT},
}
LASTING = ("outbox_worker_delay", "server_down", "all_down", "channel_down")
"""Faults that mean nothing without their end: `until`, or `seconds` from `at`."""
WAITING = ("send_timeout_after_accept", "send_answer_delayed", "action_slow")
"""Faults of one send, which take `seconds` (or last until `until`)."""

INPUT: Keys = {
    "at": NUMBER, "kind": TEXT, "payload": (dict, NONE), "parallel": (str, int, NONE), "headers": (dict, NONE),
    "path": TEXT, "fetch": (dict, list, NONE), "fault": (dict, NONE), "generate": (dict, NONE), "route": TEXT, "raw_body": TEXT,
    "body_file": TEXT, "content_type": TEXT, "headers_from": TEXT,
}  # fmt: skip
UNANSWERED = ("timeout", "not_sent")
"""What stands for the status of an answer that never came."""
GENERATE: Keys = {"field": TEXT, "bytes": (int,)}
INPUT_FAULT: Keys = {"on": TEXT, "error": TEXT, "times": (int,)}
CHANNEL_KINDS = ("whatsapp_cloud", "evolution", "phone")
OTHER_KINDS = ("http_raw", "event", "send_result", "operator", "clock", "restart", "fixture", "parse", "transcript")

PAYLOADS: Mapping[str, Keys] = {
    "send_result": {
        "outbox": (int,), "part": (int,), "to": TEXT, "status": (int, str), "body": (dict, NONE), "times": (int,),
        "match": TEXT,
    },
    "operator": {
        "action": TEXT, "conversation": TEXT, "text": TEXT, "form_token": TEXT, "minutes": NUMBER, "send_held": (bool,),
        "state": TEXT, "deadline": TEXT, "outbox": (int,), "arrived": (bool,), "contact": TEXT, "other": TEXT,
        "transaction": TEXT, "by": TEXT,
    },
    "event": {"id": TEXT, "contact": TEXT, "flow": TEXT, "type": TEXT, "data": (dict,), "at": ANY},
    "clock": {"advance_to": NUMBER},
    "restart": {"what": (list,)},
    "transcript": {"message": TEXT, "text": TEXT},
}  # fmt: skip
REQUIRED: Mapping[str, tuple[str, ...]] = {"transcript": ("message", "text"), "event": ("id", "contact", "type")}
"""Keys of payloads that may not be left out."""
PROCESSES = ("web", "worker", "redis", "redis flush", "all")

EXPECT: Keys = {
    "conversations": (list,), "replies": (int,), "actions": (list,), "texts": (list,), "log": (list,), "http": (list,), "must_not": (list,),
}  # fmt: skip
EXPECTED_CONVERSATION: Keys = {
    "contact": TEXT, "state": TEXT, "flow": TEXT, "flow_version": (int,), "context": (dict,), "deadline": MAYBE_NUMBER,
    "ladder_step": (int,), "needs_attention": (bool,), "name": MAYBE_TEXT, "phone": MAYBE_TEXT, "opt_out": (bool,),
    "paused": (bool,), "followed": (bool,), "tags": (list,), "identifiers": (list,), "count": (int,),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Scenario:
    """One file, read. Each input has its place in the file under `index`; they are ordered by time."""

    path: Path
    setup: Mapping[str, Any]
    inputs: tuple[Mapping[str, Any], ...]
    expect: Mapping[str, Any]


def instant(seconds: float) -> int:
    """Seconds from T0 as milliseconds since the epoch."""
    return EPOCH + round(seconds * 1_000)


def ends(fault: Mapping[str, Any]) -> int:
    """When a fault that lasts is over, in milliseconds since the epoch."""
    begin = fault.get("at", 0)
    return instant(fault["until"] if "until" in fault else begin + fault.get("seconds", 0))
