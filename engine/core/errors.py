"""Every exception that is raised on purpose. Expected outcomes are values; these are broken rules or bad input."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


class TrilhoError(Exception):
    """The root; its message is one sentence."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """One thing wrong in an input: where (`transitions[4].to`) and what, in one sentence.

    `code` and `facts` (names and values) say the same for a catalogue; empty where nobody translates.
    """

    place: str
    message: str
    code: str = ""
    facts: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        return f"{self.place}: {self.message}" if self.place else self.message


class InvalidDocument(TrilhoError):
    """A flow document with mistakes; all of them, not the first."""

    def __init__(self, mistakes: Sequence[Mistake]) -> None:
        self.mistakes = tuple(mistakes)
        super().__init__("; ".join(map(str, self.mistakes)))


class GuardError(TrilhoError):
    """A condition or expression that cannot be read. `position` counts characters from 0.

    `code` is stable and names the sentence in the catalogues; `facts` fill its placeholders.
    """

    def __init__(
        self, message: str, position: int = 0, *, code: str = "unreadable", facts: Mapping[str, object] | None = None
    ) -> None:
        self.position = position
        self.code = code
        self.facts = dict(facts or {})
        super().__init__(message)


class NotPublishable(TrilhoError):
    """A draft with blocking findings; `findings` holds them."""

    def __init__(self, findings: Sequence[object]) -> None:
        self.findings = tuple(findings)
        super().__init__(f"{len(self.findings)} findings block publishing")


class Stale(TrilhoError):
    """Somebody else changed the same thing first. `mine` and `theirs` are both values, for a person to choose."""

    def __init__(self, what: str, mine: object = None, theirs: object = None, version: int | None = None) -> None:
        self.what, self.mine, self.theirs, self.version = what, mine, theirs, version
        super().__init__(f"{what} was changed by somebody else")


class StaleConversation(TrilhoError):
    """A decision was made on a version that is no longer the conversation's (R26): read again and decide again."""


class NotFound(TrilhoError):
    """A thing that is not there; `kind` and `name` say which."""

    def __init__(self, kind: str, name: object) -> None:
        self.kind, self.name = kind, name
        super().__init__(f"{kind} {name} does not exist")


class Refused(TrilhoError):
    """A request that is understood and not allowed; `code` names the sentence in the catalogues."""

    def __init__(self, code: str, **facts: object) -> None:
        self.code, self.facts = code, facts
        super().__init__(code)


class BadSignature(TrilhoError):
    """A webhook whose sender could not prove who it is; `reason` is signature or auth."""

    def __init__(self, reason: str = "signature") -> None:
        self.reason = reason
        super().__init__(f"bad {reason}")


class UnreadableBody(TrilhoError):
    """A body that cannot be read at all: cut, not JSON, not an object, too deep (R20)."""


class BodyTooLarge(TrilhoError):
    """A body over its route's limit, in bytes."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        super().__init__(f"the body is over {limit} bytes")


class StoreUnavailable(TrilhoError):
    """The database is away or full: nothing was stored, the same call may succeed later."""


class BadSettings(TrilhoError):
    """An unknown or unreadable setting at start."""


class Conflict(TrilhoError):
    """Something with this key is already there (a unique index said so); `detail` is the database's own sentence."""

    def __init__(self, detail: str = "") -> None:
        self.detail = detail
        super().__init__(f"already there: {detail}" if detail else "already there")


class DrawingFailed(TrilhoError):
    """A diagram that cannot be drawn; the page shows the table instead.

    `reason` is too_large, timeout, memory, engine (it refused or complained) or unsupported (a format or a character).
    """

    def __init__(self, reason: str, message: str) -> None:
        self.reason = reason
        super().__init__(message)


class NotSent(TrilhoError):
    """An outgoing request that certainly never reached its server: name lookup, connection or TLS failed before it."""


class AnswerLost(TrilhoError):
    """An outgoing request that may have been carried out, and whose answer nobody will ever read."""


class AnswerTooLarge(AnswerLost):
    """An answer over the limit of its request, of which nothing was kept."""
