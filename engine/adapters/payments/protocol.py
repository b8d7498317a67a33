"""What a payment platform declares and can do: one value of `Platform` for each."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias

from engine.adapters.http import HttpRequest
from engine.adapters.timestamps import DEFAULT_ZONE
from engine.core.flow import Millis
from engine.core.inbound import Parsed


@dataclass(frozen=True, slots=True)
class SourceConfig:
    """One configured payment source. `settings` and `secrets` have the platform's own keys."""

    id: int
    platform: str
    name: str
    settings: Mapping[str, str] = field(default_factory=dict)
    secrets: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def zone(self) -> str:
        """Whose clock a text without a zone was read from."""
        return self.settings.get("zone") or DEFAULT_ZONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """One post as it came in. `body` is None where the bytes could not be read; `headers` have names in any case."""

    raw: bytes
    body: Mapping[str, object] | None
    received_at: Millis
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    query: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def content(self) -> Mapping[str, object]:
        """The body, or an empty one."""
        return self.body or {}

    @classmethod
    def kept(cls, tree: Mapping[str, object], received_at: Millis) -> "Notice":
        """A notice as it was kept, to be read again: the body alone, or with the query that spoke beside it."""
        query, body = tree.get("query"), tree.get("body")
        if set(tree) == {"query", "body"} and isinstance(query, Mapping) and isinstance(body, Mapping):
            plain = {str(name): str(value) for name, value in query.items()}
            return cls(raw=b"", body=body, received_at=received_at, query=plain)
        return cls(raw=b"", body=tree, received_at=received_at)


class Proof(Protocol):
    """How the senders of a platform prove who they are."""

    @property
    def about(self) -> str:
        """The same in half a sentence, for the documentation."""

    def verify(self, config: SourceConfig, notice: Notice) -> None:
        """Return when the sender has proved who it is; raise BadSignature otherwise (SEC-S1)."""

    def prove(self, config: SourceConfig, notice: Notice) -> Notice:
        """The notice with what is missing of its proof, as the platform would post it: for scenarios and tests."""


@dataclass(frozen=True, slots=True)
class Key:
    """A key that a source of the platform takes, with its meaning in half a sentence.

    `takes` says what its value must be. A `prefix` stands for every key that begins with it.
    """

    name: str
    about: str
    secret: bool = False
    takes: Literal["text", "zone", "outcome"] = "text"
    prefix: bool = False


ZONE = Key("zone", f"time zone of its dates without one ({DEFAULT_ZONE})", takes="zone")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetch:
    """That a platform can be asked back, and how; both functions are pure.

    `request` is None when the source has not got what asking needs. `answer` reads a 2xx body; Unknown items in it mean
    that it does not say what was asked for. Neither ever raises.
    """

    about: str
    request: Callable[[SourceConfig, Mapping[str, object]], HttpRequest | None]
    answer: Callable[[SourceConfig, Mapping[str, object], Mapping[str, object], Millis], Parsed]


Parse: TypeAlias = Callable[[SourceConfig, Notice], Parsed]


@dataclass(frozen=True, slots=True, kw_only=True)
class Platform:
    """A payment platform that posts notices.

    `parse` makes payments of a notice, and Ignored, Unknown or Inquiry of what is none. It is pure and never raises
    (R20). `phone` and `reference` say where the buyer's phone and our own tracking code stand, `unverified` what no
    document confirms. `answer` is the status that the platform takes for "received".
    """

    name: str
    title: str
    keys: tuple[Key, ...]
    proof: Proof
    parse: Parse
    outcomes: frozenset[str]
    phone: str | None
    reference: str | None
    answer: int = 200
    fetch: Fetch | None = None
    unverified: tuple[str, ...] = ()

    @property
    def secrets(self) -> tuple[str, ...]:
        """The names of its keys that are secret."""
        return tuple(key.name for key in self.keys if key.secret)
