"""What the Cloud API's error codes mean for a send: who acts on it, and whether repeating may help."""

from collections.abc import Mapping

from engine.adapters.channels.protocol import ErrorClass, SendResult, refused, retry, unknown
from engine.adapters.reading import name, number
from engine.core.flow import SECOND, Millis

_RETRY: Mapping[int, tuple[ErrorClass, Millis, int]] = {
    # code: class, first wait, growth of the wait. 131056 (one person too often) asks for powers of four.
    4: ("rate", 5 * SECOND, 2),
    80007: ("rate", 5 * SECOND, 2),
    130429: ("rate", 1 * SECOND, 2),
    131056: ("rate", 4 * SECOND, 4),
    131016: ("server", 5 * SECOND, 2),
    133016: ("rate", 60 * SECOND, 2),
    131057: ("server", 60 * SECOND, 2),
}
_SERVER_TROUBLE = frozenset({1, 2, 131000, 135000})
"""Refused only if the HTTP status says so too; with a 5xx the message may have left."""

_CLASSES: Mapping[ErrorClass, frozenset[int]] = {
    "window": frozenset({131047}),
    "stop_marketing": frozenset({131049, 131050, 130472}),
    "contact": frozenset({131021, 131026, 131030, 131062}),
    "template": frozenset({132000, 132001, 132005, 132007, 132008, 132012, 132015, 132016, 132068, 132069}),
    "account": frozenset(
        {0, 3, 10, 190, 368, 130497, 131005, 131031, 131037, 131042, 131045, 131048, 131063, 131064, *range(200, 300)}
    ),
    "content": frozenset({100, 131008, 131009, 131051, 131052, 131053}),
}
_BY_CODE: Mapping[int, ErrorClass] = {code: kind for kind, codes in _CLASSES.items() for code in codes}


def error_class(code: int | None) -> ErrorClass | None:
    """The class of a code, wherever it was reported: in the answer to a send or later in a failed status."""
    if code is None:
        return None
    if code in _RETRY:
        return _RETRY[code][0]
    return "server" if code in _SERVER_TROUBLE else _BY_CODE.get(code)


def classify(status: int, error: Mapping[str, object]) -> SendResult:
    """An answer that is not 2xx. Only a provider's error or a 429 proves that nothing was sent."""
    code, detail = number(error.get("code")), name(error.get("message"))
    if code is not None and code in _RETRY:
        kind, delay, growth = _RETRY[code]
        return retry(kind, delay, detail, code, growth)
    if status == 429:
        return retry("rate", 5 * SECOND, detail, code)
    if code is not None and code in _BY_CODE:
        return refused(_BY_CODE[code], detail, code)
    if code is None or not 400 <= status < 500:
        return unknown(detail or f"http_{status}", code)
    if code in _SERVER_TROUBLE:
        return retry("server", 5 * SECOND, detail, code)
    return refused("account" if status in {401, 403} else "content", detail, code)
