"""How large a picture is, read from its head: one that claims to be huge is a trap for whoever looks at it (SEC-S20)."""

from collections.abc import Callable, Mapping

__all__ = ["MOST_PIXELS", "pixels"]

MOST_PIXELS = 50_000_000
_MARKERS = 10_000
"""Segments of a JPEG that are looked at."""


def pixels(content: bytes, mime: str) -> int | None:
    """Width times height, None when the head does not say or the type is no picture's."""
    read = _READERS.get(mime)
    size = None if read is None else read(content)
    return None if size is None or not all(size) else size[0] * size[1]


def _png(content: bytes) -> tuple[int, int] | None:
    return (_big(content[16:20]), _big(content[20:24])) if content[12:16] == b"IHDR" and len(content) >= 24 else None


def _gif(content: bytes) -> tuple[int, int] | None:
    return (_little(content[6:8]), _little(content[8:10])) if len(content) >= 10 else None


def _jpeg(content: bytes) -> tuple[int, int] | None:
    """The frame's header, found by going from segment to segment."""
    at = 2
    for _ in range(_MARKERS):
        if at + 9 > len(content) or content[at] != 0xFF:
            return None
        marker = content[at + 1]
        if marker in (0xFF, 0x01) or 0xD0 <= marker <= 0xD8:  # padding, and markers that stand alone
            at += 1 if marker == 0xFF else 2
        elif 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            return _big(content[at + 7 : at + 9]), _big(content[at + 5 : at + 7])
        else:
            at += 2 + _big(content[at + 2 : at + 4])
    return None


def _webp(content: bytes) -> tuple[int, int] | None:
    if len(content) < 30:
        return None
    part = content[12:16]
    if part == b"VP8X":
        return _little(content[24:27]) + 1, _little(content[27:30]) + 1
    if part == b"VP8L":
        packed = _little(content[21:25])
        return (packed & 0x3FFF) + 1, (packed >> 14 & 0x3FFF) + 1
    return (_little(content[26:28]) & 0x3FFF, _little(content[28:30]) & 0x3FFF) if part == b"VP8 " else None


def _big(raw: bytes) -> int:
    return int.from_bytes(raw, "big")


def _little(raw: bytes) -> int:
    return int.from_bytes(raw, "little")


_READERS: Mapping[str, Callable[[bytes], tuple[int, int] | None]] = {
    "image/gif": _gif,
    "image/jpeg": _jpeg,
    "image/png": _png,
    "image/webp": _webp,
}
