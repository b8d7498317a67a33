"""How a sender proves who it is: shared secrets and signatures, compared in constant time."""

import hmac
from collections.abc import Mapping, Sequence

from engine.core.errors import BadSignature


def header(headers: Mapping[str, str], name: str) -> str:
    """The value of a header whatever the case of its name, or an empty text."""
    wanted = name.lower()
    return next((value for key, value in headers.items() if key.lower() == wanted), "")


def in_rotation(configured: str) -> tuple[str, ...]:
    """The secrets of a setting: one, or while it is being changed several with commas between them."""
    return tuple(part for piece in configured.split(",") if (part := piece.strip()))


def same(given: str, expected: str) -> bool:
    """Whether two texts are equal; an empty expectation is never met, so that no secret means no entry (S1)."""
    return bool(expected) and hmac.compare_digest(given.encode("utf-8", "replace"), expected.encode("utf-8", "replace"))


def matches(given: str, expected: Sequence[str]) -> bool:
    """Whether it equals one of them; all are compared, so that the time says nothing about which."""
    results = [same(given, one) for one in expected]
    return any(results)


def require_shared(given: str, configured: str) -> None:
    """Raise BadSignature("auth") unless `given` is one of the configured secrets."""
    if not matches(given, in_rotation(configured)):
        raise BadSignature("auth")


def hmac_hex(secret: str, message: bytes, algorithm: str) -> str:
    """The hex HMAC of a message; `algorithm` is sha1 or sha256."""
    return hmac.new(secret.encode(), message, algorithm).hexdigest()


def require_hmac_sha256(given: str, configured: str, raw: bytes, prefix: str = "") -> None:
    """Raise BadSignature unless `given` is the prefix and the hex HMAC-SHA256 of the raw bytes under one secret."""
    expected = [prefix + hmac_hex(secret, raw, "sha256") for secret in in_rotation(configured)]
    if not matches(given, expected):
        raise BadSignature("signature")
