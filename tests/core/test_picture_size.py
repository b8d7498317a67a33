"""How large a picture is, from its head alone (SEC-S20)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.picture_size import pixels


def png(width: int, height: int) -> bytes:
    return b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + width.to_bytes(4, "big") + height.to_bytes(4, "big")


def jpeg(width: int, height: int, before: bytes = b"\xff\xe0\x00\x04ab") -> bytes:
    return b"\xff\xd8" + before + b"\xff\xc2\x00\x11\x08" + height.to_bytes(2, "big") + width.to_bytes(2, "big")


def gif(width: int, height: int) -> bytes:
    return b"GIF89a" + width.to_bytes(2, "little") + height.to_bytes(2, "little")


def webp(part: bytes, size: bytes) -> bytes:
    return b"RIFF\x00\x00\x00\x00WEBP" + part + size.ljust(14, b"\x00")


@pytest.mark.parametrize(
    ("content", "mime", "expected"),
    [
        (png(640, 480), "image/png", 307_200),
        (png(100_000, 100_000), "image/png", 10**10),
        (jpeg(640, 480), "image/jpeg", 307_200),
        (jpeg(640, 480, b"\xff\xff\xff\xd0\xff\xc4\x00\x02"), "image/jpeg", 307_200),
        (gif(640, 480), "image/gif", 307_200),
        (webp(b"VP8X", bytes(8) + (639).to_bytes(3, "little") + (479).to_bytes(3, "little")), "image/webp", 307_200),
        (webp(b"VP8L", bytes(5) + (639 | 479 << 14).to_bytes(4, "little")), "image/webp", 307_200),
        (webp(b"VP8 ", bytes(10) + (640).to_bytes(2, "little") + (480).to_bytes(2, "little")), "image/webp", 307_200),
        (png(0, 480), "image/png", None),
        (png(640, 480)[:20], "image/png", None),
        (b"\xff\xd8\xff\xda", "image/jpeg", None),
        (b"\xff\xd8" + b"\xff\xd0" * 20_000, "image/jpeg", None),
        (b"GIF89a", "image/gif", None),
        (webp(b"ICCP", b""), "image/webp", None),
        (b"%PDF-1.7", "application/pdf", None),
    ],
)
def test_the_head_says_how_large_it_is(content: bytes, mime: str, expected: int | None) -> None:
    assert pixels(content, mime) == expected


@given(st.binary(max_size=100), st.sampled_from(["image/png", "image/jpeg", "image/gif", "image/webp"]))
def test_no_bytes_make_it_fail(content: bytes, mime: str) -> None:
    found = pixels(b"\xff\xd8" + content if mime == "image/jpeg" else content, mime)
    assert found is None or found > 0
