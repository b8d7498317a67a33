"""Which files a person may send, told by their bytes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.sent_kinds import LIMITS, TYPES, seen_as
from tests.core.test_picture_size import png

OPUS = b"OggS" + bytes(24) + b"OpusHead" + bytes(100)
MP3 = b"ID3" + bytes(100)


@pytest.mark.parametrize(
    ("content", "seen"),
    [
        (png(64, 48), ("image", "image/png")),
        (OPUS, ("audio", "audio/ogg")),
        (MP3, ("audio", "audio/mpeg")),
        (b"#!AMR\n" + bytes(20), ("audio", "audio/amr")),
        (bytes(4) + b"ftypM4A " + bytes(20), ("audio", "audio/mp4")),
        (b"", "no_file_chosen"),
        (b"OggS" + bytes(24) + b"\x01vorbis" + bytes(100), "file_kind"),
        (b"GIF89a" + bytes(20), "file_kind"),
        (b"%PDF-1.7", "file_kind"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "file_kind"),
        (b"<html><script>alert(1)</script>", "file_kind"),
        (b"MZ" + bytes(100), "file_kind"),
        (b"\x89PNG\r\n\x1a\n" + bytes(100), "file_kind"),
        (png(60_000, 60_000), "file_pixels"),
        (png(64, 48) + bytes(LIMITS["image"]), "file_large"),
        (MP3 + bytes(LIMITS["audio"]), "file_large"),
        (MP3 + bytes(LIMITS["image"]), ("audio", "audio/mpeg")),
    ],
)
def test_a_file_is_what_its_bytes_say_and_nothing_that_a_browser_runs_is_sent(content, seen):
    assert seen_as(content) == seen


@given(st.binary(max_size=300))
def test_any_bytes_are_a_kind_that_may_be_sent_or_refused_by_name(content):
    seen = seen_as(content)
    if isinstance(seen, tuple):
        kind, mime = seen
        assert mime in TYPES[kind]
    else:
        assert seen in {"no_file_chosen", "file_kind", "file_large", "file_pixels"}
