"""What a call to another server is, and what comes back. Who carries it over real sockets is `http_client`."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from engine.core.flow import SECOND, Millis

CONNECT_TIMEOUT = 5 * SECOND
TOTAL_TIMEOUT = 20 * SECOND
MAX_ANSWER = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpRequest:
    """One call. `trusted` addresses were written by an admin and may be plain http and private (S19)."""

    method: str
    url: str
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    json: Mapping[str, object] | None = None
    body: bytes | None = None
    trusted: bool = False
    timeout: Millis = TOTAL_TIMEOUT
    max_answer: int = MAX_ANSWER
    """Bytes of the answer's body."""


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """What came back; `headers` have lower-case names."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Transport(Protocol):
    """Whatever carries a request: `Http`, or a stand-in that never leaves the process."""

    async def request(self, request: HttpRequest) -> HttpAnswer:
        """Carry it once. Raises NotSent or AnswerLost, nothing else."""
