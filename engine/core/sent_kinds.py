"""Which files a person may send: kinds, types and sizes that WhatsApp takes, told by the bytes themselves (SEC-S20)."""

from collections.abc import Mapping

from engine.core.picture_size import MOST_PIXELS, pixels
from engine.core.sniffing import sniff, suits

__all__ = ["ACCEPT", "LARGEST", "LIMITS", "seen_as"]

MB = 1024 * 1024
LIMITS: Mapping[str, int] = {"image": 5 * MB, "audio": 16 * MB}
"""Bytes of a file of each kind."""
LARGEST = max(LIMITS.values())
TYPES: Mapping[str, frozenset[str]] = {
    "image": frozenset({"image/jpeg", "image/png"}),
    "audio": frozenset({"audio/aac", "audio/amr", "audio/mp4", "audio/mpeg", "audio/ogg"}),
}
ACCEPT = ".jpg,.jpeg,.png,.aac,.amr,.m4a,.mp3,.ogg,.opus"
"""What a form offers to choose from."""
_OPUS = b"OpusHead"


def seen_as(content: bytes) -> tuple[str, str] | str:
    """(kind, type) of a file that may be sent; else why not: no_file_chosen, file_kind, file_large, file_pixels."""
    if not content:
        return "no_file_chosen"
    mime = sniff(content)
    for kind, types in TYPES.items():
        fits = None if mime is None else suits(kind, mime)
        if fits is None or fits not in types or (fits == "audio/ogg" and _OPUS not in content[:64]):
            continue
        if len(content) > LIMITS[kind]:
            return "file_large"
        if kind == "image":
            size = pixels(content, fits)
            if size is None:
                return "file_kind"
            if size > MOST_PIXELS:
                return "file_pixels"
        return kind, fits
    return "file_kind"
