"""Codes of six digits that change every 30 seconds (RFC 6238 with SHA-1, as every authenticator app knows them)."""

import hmac
from base64 import b32encode
from urllib.parse import quote, urlencode

from engine.core.flow import SECOND, Millis

__all__ = ["DIGITS", "SEED_BYTES", "STEP", "address", "code", "matching_step", "spelled"]

DIGITS = 6
STEP = 30 * SECOND
SEED_BYTES = 20
NEAR = (0, -1, 1)
"""Steps around now whose codes count: clocks differ, and people type slowly."""


def code(seed: bytes, step: int) -> str:
    """The code of a step since the epoch."""
    digest = hmac.digest(seed, step.to_bytes(8, "big"), "sha1")
    start = digest[-1] & 0x0F
    number = int.from_bytes(digest[start : start + 4], "big") & 0x7FFFFFFF
    return f"{number % 10**DIGITS:0{DIGITS}}"


def matching_step(seed: bytes, given: str, now: Millis, last: int) -> int | None:
    """The step whose code was given, one of those near `now` and after `last`; None when it is none of them.

    Every code is compared in the same time. Spaces are how people copy codes, and mean nothing.
    """
    plain = "".join(given.split()).encode("utf-8", "replace")
    current, found = now // STEP, None
    for step in (current + by for by in NEAR):
        if hmac.compare_digest(code(seed, step).encode(), plain) and step > last:
            found = step
    return found


def spelled(seed: bytes) -> str:
    """The seed as apps take it when it is typed: groups of four letters and digits."""
    plain = b32encode(seed).decode().rstrip("=")
    return " ".join(plain[at : at + 4] for at in range(0, len(plain), 4))


def address(seed: bytes, account: str, issuer: str) -> str:
    """What the picture says: `otpauth://totp/…`."""
    label = f"{quote(issuer, safe='')}:{quote(account, safe='@')}"
    query = urlencode({"secret": b32encode(seed).decode().rstrip("="), "issuer": issuer}, quote_via=quote)
    return f"otpauth://totp/{label}?{query}"
