"""Why a number cannot send: the gateway's own words for its connection, as one of a few troubles."""

from enum import StrEnum

__all__ = ["OK", "Trouble", "newer", "trouble"]

OK = "ok"
"""The state of a channel without a trouble."""


class Trouble(StrEnum):
    """What is wrong. Those that need a person stay until the number is connected again."""

    CONNECTING = "connecting"
    CLOSED = "closed"
    REPLACED = "replaced"
    """Another session of the same telephone took over."""
    LOGGED_OUT = "logged_out"
    BLOCKED = "blocked"
    """The platform ended the session and takes it no more."""
    AWAITS_QR = "awaits_qr"
    QR_EXPIRED = "qr_expired"
    MISSING = "missing"
    """The gateway has no such instance."""
    UNAUTHORIZED = "unauthorized"
    """The gateway does not take our key."""
    UNREACHED = "unreached"
    """The gateway itself does not answer."""

    @property
    def final(self) -> bool:
        """Whether it does not pass by itself: a person has to read a QR code, or to mend a setting."""
        return self in _FINAL

    @property
    def needs_qr(self) -> bool:
        """Whether reading a QR code is what mends it."""
        return self in _NEEDS_QR


_NEEDS_QR = frozenset({Trouble.LOGGED_OUT, Trouble.BLOCKED, Trouble.AWAITS_QR, Trouble.QR_EXPIRED})
_FINAL = _NEEDS_QR | {Trouble.MISSING, Trouble.UNAUTHORIZED}
_CODES = {
    401: Trouble.LOGGED_OUT,
    402: Trouble.BLOCKED,
    403: Trouble.BLOCKED,
    406: Trouble.BLOCKED,
    440: Trouble.REPLACED,
}
_STATES = {
    "connecting": Trouble.CONNECTING,
    "qr": Trouble.AWAITS_QR,
    "refused": Trouble.QR_EXPIRED,
    "missing": Trouble.MISSING,
    "unauthorized": Trouble.UNAUTHORIZED,
    "unreached": Trouble.UNREACHED,
}


def trouble(state: str, code: int | None = None) -> Trouble | None:
    """What a connection's state and its reason mean; None when it is open. What is not known counts as closed."""
    if state == "open":
        return None
    return _STATES.get(state) or _CODES.get(code or 0, Trouble.CLOSED)


def newer(before: str, now: Trouble) -> Trouble:
    """The trouble to remember when `now` is told about a channel in the state `before`.

    "Closed" and "connecting" say less than a reason that only a person can mend, and follow it in the gateway's news.
    """
    known = Trouble(before) if before in list(Trouble) else None
    if known is None or not known.needs_qr:
        return now
    if known is Trouble.BLOCKED and now is Trouble.LOGGED_OUT:
        return known
    return known if now in (Trouble.CLOSED, Trouble.CONNECTING, Trouble.REPLACED, Trouble.UNREACHED) else now
