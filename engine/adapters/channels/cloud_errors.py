"""What WhatsApp's error codes mean, in one table: who acts on it, and whether the same letter may be tried again.

The codes come as the answer to a send or later in a failed status, and mean the same in both places.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.adapters.channels.protocol import ErrorClass, SendResult, refused, retry, unknown
from engine.adapters.reading import name, number
from engine.core.flow import SECOND, Millis


@dataclass(frozen=True, slots=True)
class Meaning:
    """`wait` is how long to wait before the first further attempt, 0 where none helps; it grows by `growth`."""

    kind: ErrorClass
    wait: Millis = 0
    growth: int = 2


_AGAIN: Mapping[int, Meaning] = {
    4: Meaning("rate", 5 * SECOND),
    80007: Meaning("rate", 5 * SECOND),
    130429: Meaning("rate", 1 * SECOND),
    131056: Meaning("pair_rate", 4 * SECOND, 4),  # one person too often: the platform asks for powers of four
    133016: Meaning("rate", 60 * SECOND),
    131016: Meaning("server", 5 * SECOND),
    131057: Meaning("server", 60 * SECOND),
}
_NEVER: Mapping[ErrorClass, frozenset[int]] = {
    "window": frozenset({131047}),
    # The person's own word, and the platform's cap or experiment, which says nothing about what the person wants.
    "stop_marketing": frozenset({131050}),
    "marketing_limit": frozenset({131049, 130472}),
    "contact": frozenset({131021, 131026, 131030, 131062}),
    # What one letter put into a template, and what is wrong with the template itself, so with all of its letters.
    "template": frozenset({132000, 132005, 132008, 132012}),
    "template_off": frozenset({132001, 132007, 132015, 132016, 132068, 132069}),
    "account": frozenset(
        {0, 3, 10, 190, 368, 130497, 131005, 131031, 131037, 131042, 131045, 131048, 131063, 131064, *range(200, 300)}
    ),
    "content": frozenset({100, 131008, 131009, 131051, 131052, 131053}),
    # Refused only if the HTTP status says so too; with a 5xx the message may have left.
    "server": frozenset({1, 2, 131000, 135000}),
}
_MEANINGS: Mapping[int, Meaning] = {
    **_AGAIN,
    **{code: Meaning(kind) for kind, codes in _NEVER.items() for code in codes},
}


def meaning(code: int | None) -> Meaning | None:
    """What a code means; None for one that nobody knows."""
    return None if code is None else _MEANINGS.get(code)


def classify(status: int, error: Mapping[str, object]) -> SendResult:
    """An answer that is not 2xx. Only a provider's error or a 429 proves that nothing was sent."""
    code, detail = number(error.get("code")), name(error.get("message"))
    known = meaning(code)
    if known is not None and known.wait:
        return retry(known.kind, known.wait, detail, code, known.growth)
    if status == 429:
        return retry("rate", 5 * SECOND, detail, code)
    if known is not None and known.kind != "server":
        return refused(known.kind, detail, code)
    if code is None or not 400 <= status < 500:
        return unknown(detail or f"http_{status}", code)
    if known is not None:
        return retry(known.kind, 5 * SECOND, detail, code)
    return refused("account" if status in {401, 403} else "content", detail, code)
