"""What every payment platform can do."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from engine.core.flow import Millis
from engine.core.inbound import Parsed


@dataclass(frozen=True, slots=True)
class SourceConfig:
    """One configured payment source. `secrets` has the platform's own keys."""

    id: int
    platform: str
    name: str
    settings: Mapping[str, str] = field(default_factory=dict)
    secrets: Mapping[str, str] = field(default_factory=dict, repr=False)


class Platform(Protocol):
    """A payment platform that posts notices. Pure."""

    @property
    def name(self) -> str:
        """The name that configurations use."""

    @property
    def secrets(self) -> tuple[str, ...]:
        """The secrets that a source needs."""

    def verify(
        self,
        config: SourceConfig,
        headers: Mapping[str, str],
        query: Mapping[str, str],
        raw: bytes,
        body: Mapping[str, object] | None,
    ) -> None:
        """Return when the sender has proved who it is; raise BadSignature otherwise (S1).

        `body` is None when the bytes could not be read; only platforms that put their secret into it look at it.
        """

    def parse(self, config: SourceConfig, body: Mapping[str, object], received_at: Millis) -> Parsed:
        """Payments, and Ignored or Unknown for the rest. Never raises (R20)."""
