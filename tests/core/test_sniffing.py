"""What a file is by its bytes: what browsers run, archives and programs are nothing that we take (SEC-S20)."""

import io
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.sniffing import FILES, OLE, OOXML, sniff, suits


def archive(*names: str) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as made:
        for name in names:
            made.writestr(name, "x")
    return packed.getvalue()


WORD = archive("_rels/.rels", "[Content_Types].xml", "word/document.xml")
GOOD = [
    (b"\xff\xd8\xff\xe0\x00\x10JFIF", "image/jpeg"),
    (b"\x89PNG\r\n\x1a\n\x00", "image/png"),
    (b"GIF89a\x01\x00", "image/gif"),
    (b"RIFF\x00\x00\x00\x00WEBPVP8 ", "image/webp"),
    (b"OggS\x00\x02", "audio/ogg"),
    (b"ID3\x04\x00", "audio/mpeg"),
    (b"\xff\xfb\x90\x00", "audio/mpeg"),
    (b"\xff\xf1\x50\x80", "audio/aac"),
    (b"#!AMR\n", "audio/amr"),
    (b"RIFF\x00\x00\x00\x00WAVEfmt ", "audio/wav"),
    (b"\x00\x00\x00\x1cftypM4A \x00", "audio/mp4"),
    (b"\x00\x00\x00\x18ftypisom\x00", "video/mp4"),
    (b"\x00\x00\x00\x14ftyp3gp5\x00", "video/3gpp"),
    (b"\x1aE\xdf\xa3\x9fB\x86\x81\x01webm", "video/webm"),
    (b"%PDF-1.7\n", "application/pdf"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", OLE),
    (WORD, f"{OOXML}.wordprocessingml.document"),
    (archive("[Content_Types].xml", "xl/workbook.xml"), f"{OOXML}.spreadsheetml.sheet"),
    ("Olá, segue o endereço:\r\nRua A, 1".encode(), "text/plain"),
]
BAD = [
    b"",
    b" ",
    b"\x00\x01\x02",
    b"MZ\x90\x00\x03",
    b"\x7fELF\x02",
    b"#!\x00/bin/sh",
    b"Rar!\x1a\x07\x00",
    b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
    b"\xef\xbb\xbf\n <html><script>alert(1)</script>",
    b"<?xml version='1.0'?><svg/>",
    b"\xff\xfe<\x00s\x00v\x00g\x00",
    b"\x00\x00\x00\x18ftypqt  \x00",
    b"\x00\x00\x00\x18ftypheic\x00",
    b"\x1aE\xdf\xa3matroska",
    b"RIFF\x00\x00\x00\x00AVI LIST",
    archive("a.txt"),
    archive("[Content_Types].xml", "evil.exe"),
    archive("word/document.xml"),
]


@pytest.mark.parametrize(("content", "mime"), GOOD, ids=[mime for _, mime in GOOD])
def test_a_file_is_what_its_first_bytes_say(content: bytes, mime: str) -> None:
    assert sniff(content) == mime


@pytest.mark.parametrize("content", BAD, ids=range(len(BAD)))
def test_everything_else_is_nothing(content: bytes) -> None:
    assert sniff(content) is None


@pytest.mark.parametrize(
    ("kind", "mime", "kept"),
    [
        ("audio", "audio/ogg", "audio/ogg"),
        ("audio", "video/mp4", "audio/mp4"),
        ("audio", "video/webm", "audio/webm"),
        ("audio", "image/png", None),
        ("audio", "application/pdf", None),
        ("image", "image/png", "image/png"),
        ("image", "video/mp4", None),
        ("image", f"{OOXML}.wordprocessingml.document", None),
        ("sticker", "image/webp", "image/webp"),
        ("video", "video/3gpp", "video/3gpp"),
        ("video", "audio/mpeg", None),
        ("document", "application/pdf", "application/pdf"),
        ("document", "image/jpeg", "image/jpeg"),
        ("location", "image/jpeg", None),
    ],
)
def test_a_message_keeps_only_what_it_says_it_is(kind: str, mime: str, kept: str | None) -> None:
    assert suits(kind, mime) == kept


@given(st.binary(max_size=200), st.sampled_from([b"", *(content for content, _ in GOOD)]), st.sampled_from(FILES))
def test_no_bytes_make_it_fail_or_become_what_browsers_run(rest: bytes, start: bytes, kind: str) -> None:
    found = sniff(start + rest)
    kept = None if found is None else suits(kind, found)
    assert kept is None or kept.partition("/")[0] in ("audio", "image", "video", "application") or kept == "text/plain"
    assert kept not in ("image/svg+xml", "text/html", "application/xhtml+xml", "application/javascript")
