"""Notices of payment platforms in a scenario: what their senders would post, and the answers to what we ask them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from engine.adapters.http import HttpAnswer
from engine.adapters.payments.protocol import Notice
from engine.adapters.payments.registry import PLATFORMS
from engine.core.errors import AnswerLost, NotSent
from engine.core.flow import Millis
from engine.services.scenarios.format import UNANSWERED
from engine.services.sources import SourceRecord

__all__ = ["Answers", "body_of", "posted", "posted_raw"]

WHOLE = {"query", "headers", "body"}
"""The keys of a payload that is a whole request."""
_PLACEHOLDER = "(valid"
"""Stands in a header for the value that its sender would have put there."""
_OK, _NOBODY = 200, 404


def posted(source: SourceRecord, payload: Mapping[str, Any], headers: Mapping[str, Any] | None, now: Millis) -> Notice:
    """The request behind a payload, proved as its platform does unless the scenario gives `headers`."""
    whole = {"query", "body"} <= set(payload) <= WHOLE
    body = payload["body"] if whole else payload
    own = {name: value for name, value in (payload.get("headers") or {}).items() if _PLACEHOLDER not in str(value)}
    notice = Notice(
        raw=body_of(body),
        body=body,
        headers=_texts(own if whole and headers is None else headers or {}),
        query=_texts(payload["query"]) if whole else {},
        received_at=now,
    )
    return notice if headers is not None else PLATFORMS[source.config.platform].proof.prove(source.config, notice)


def posted_raw(source: SourceRecord, raw: bytes, headers: Mapping[str, Any] | None, now: Millis) -> Notice:
    """The same for bytes, which stay as they are: what belongs into the body is not added."""
    notice = Notice(raw=raw, body=None, headers=_texts(headers or {}), received_at=now)
    if headers is not None:
        return notice
    return replace(PLATFORMS[source.config.platform].proof.prove(source.config, notice), raw=raw, body=None)


def body_of(payload: object) -> bytes:
    """A payload as a provider would post it."""
    text = json.dumps(payload, ensure_ascii=False)
    try:
        return text.encode()
    except UnicodeEncodeError:
        return json.dumps(payload).encode()  # half of a surrogate pair only travels escaped


@dataclass(slots=True)
class Answers:
    """What platforms answer to our questions, in order; afterwards they know nothing of what is asked for."""

    left: list[Mapping[str, Any]] = field(default_factory=list)

    def script(self, given: Mapping[str, Any] | list[Mapping[str, Any]] | None) -> None:
        """Add the `fetch` of an input: one answer, or several."""
        self.left += given if isinstance(given, list) else [given] if given is not None else []

    def answer(self) -> HttpAnswer:
        """The next one. Raises NotSent and AnswerLost where the scenario says so."""
        given = self.left.pop(0) if self.left else {"http": _NOBODY}
        status = given.get("http", _OK)
        if status in UNANSWERED:
            raise NotSent("the connection was refused") if status == "not_sent" else AnswerLost("it never came")
        body = given.get("body", {}) if "http" in given else given
        raw = body.encode() if isinstance(body, str) else body_of(body)
        return HttpAnswer(status=int(status), headers={}, body=raw)


def _texts(given: Mapping[str, Any]) -> dict[str, str]:
    return {str(name).lower(): str(value) for name, value in given.items()}
