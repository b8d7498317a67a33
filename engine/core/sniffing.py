"""What a file is, told by its first bytes: whoever sends it may call it anything (SEC-S20)."""

from collections.abc import Mapping

__all__ = ["FILES", "sniff", "suits"]

FILES = ("audio", "image", "video", "document", "sticker")
"""Kinds of messages that have a file."""

OLE = "application/x-ole-storage"
OOXML = "application/vnd.openxmlformats-officedocument"
_STARTS = (
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"OggS", "audio/ogg"),
    (b"ID3", "audio/mpeg"),
    (b"#!AMR", "audio/amr"),
    (b"%PDF-", "application/pdf"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", OLE),
)
_RIFF: Mapping[bytes, str] = {b"WEBP": "image/webp", b"WAVE": "audio/wav"}
_OFFICE: Mapping[bytes, str] = {
    b"word/": f"{OOXML}.wordprocessingml.document",
    b"xl/": f"{OOXML}.spreadsheetml.sheet",
    b"ppt/": f"{OOXML}.presentationml.presentation",
}
_ENDS = 32_768
"""The bytes of an archive's beginning and end that are searched."""
_MP4 = frozenset({b"isom", b"iso2", b"iso4", b"iso5", b"iso6", b"mp41", b"mp42", b"avc1", b"dash", b"M4V ", b"MSNV"})


def sniff(content: bytes) -> str | None:
    """The type of a file that we take, None for everything else: programs, archives, pages, drawings with scripts.

    Of old office files only the family is known (`application/x-ole-storage`); text without markup is `text/plain`.
    """
    for start, mime in _STARTS:
        if content.startswith(start):
            return mime
    if content.startswith(b"RIFF"):
        return _RIFF.get(content[8:12])
    if content[4:8] == b"ftyp":
        return _brand(content[8:12])
    if content.startswith(b"\x1aE\xdf\xa3"):
        return "video/webm" if b"webm" in content[:64] else None
    if content.startswith(b"PK\x03\x04"):
        return _office(content)
    return _frame(content[:3]) or ("text/plain" if _is_words(content) else None)


def suits(kind: str, mime: str) -> str | None:
    """The type to keep for a message of a kind, None when a file of this type is not what the message says it is.

    A container may hold sound alone: what came as an audio is kept as one.
    """
    family, _, what = mime.partition("/")
    if kind == "audio":
        return f"audio/{what}" if family == "audio" or mime in ("video/mp4", "video/webm", "video/3gpp") else None
    if kind in ("image", "sticker"):
        return mime if family == "image" else None
    if kind == "video":
        return mime if family == "video" else None
    return mime if kind == "document" else None


def _brand(brand: bytes) -> str | None:
    if brand in (b"M4A ", b"M4B "):
        return "audio/mp4"
    if brand.startswith((b"3gp", b"3g2")):
        return "video/3gpp"
    return "video/mp4" if brand in _MP4 else None


def _office(content: bytes) -> str | None:
    """An office document is an archive that lists its parts at its beginning or its end; no other archive is taken."""
    listed = content if len(content) <= 2 * _ENDS else content[:_ENDS] + content[-_ENDS:]
    if b"[Content_Types].xml" not in listed:
        return None
    return next((mime for folder, mime in _OFFICE.items() if folder in listed), None)


def _frame(start: bytes) -> str | None:
    """The head of a frame of AAC or MP3, which have no other mark."""
    if len(start) < 3 or start[0] != 0xFF or start[1] & 0xE0 != 0xE0:
        return None
    version, layer, rate, frequency = start[1] >> 3 & 3, start[1] >> 1 & 3, start[2] >> 4, start[2] >> 2 & 3
    if layer == 0:
        return "audio/aac" if start[1] & 0xF6 == 0xF0 else None
    return "audio/mpeg" if version != 1 and rate != 15 and frequency != 3 else None


def _is_words(content: bytes) -> bool:
    """Whether it is text for people: UTF-8 without control characters, and nothing that a browser would run."""
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return False
    start = text.lstrip("\ufeff \t\r\n")[:1]
    return bool(start) and start != "<" and not any(char < " " and char not in "\t\r\n\f" for char in text)
