"""Reading the bytes of a webhook (R20, R35) (SEC-S4)."""

import pytest

from engine.adapters.bodies import decode, storable
from engine.core.errors import BodyTooLarge, UnreadableBody

LIMIT = 1024 * 1024


def nested(levels: int) -> bytes:
    return b'{"a":' * levels + b"1" + b"}" * levels


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"   ",
        b"null",
        b"[]",
        b'"texto"',
        b"1",
        b"<html>502</html>",
        b'{"a":1',
        b'{"a":1}}',
        b'{"a":"linha 1\nlinha 2"}',
        b'{"a":NaN}',
        b'{"a":Infinity}',
        b'{"a":1e400}',
        b'{"a":-1e400}',
        b'{"a":"\xff"}',
        b'{"a":"\xed\xa0\xbd"}',
        '{"a":"ção"}'.encode("latin-1"),
        '{"a":1}'.encode("utf-16"),
        b"{'a':1}",
        b'{"a":1,}',
        b"[" * 200_000,
        b'{"a":' * 200_000,
        nested(33),
        b'{"a":' + b"9" * 5_000 + b"}",
        b'{"half":"\\ud83d","a":NaN}',
        b'{"half":"\\ud83d","a":1e400}',
        b'{"half":"\\ud83d","a":' + b"[" * 200_000,
        b'{"half":"\\ud83d","a":' + b"9" * 5_000 + b"}",
        b'{"half":"\\ud83d"',
        b'["\\ud83d"]',
    ],
    ids=lambda body: body[:24].decode("ascii", "backslashreplace"),
)
def test_a_body_that_is_not_one_finite_object_is_unreadable(body: bytes) -> None:
    with pytest.raises(UnreadableBody):
        decode(body, LIMIT)


def test_the_limit_counts_bytes_and_its_last_byte_is_allowed() -> None:
    body = b'{"a":"' + b"x" * 92 + b'"}'
    assert decode(body, len(body))["a"] == "x" * 92
    with pytest.raises(BodyTooLarge) as caught:
        decode(body, len(body) - 1)
    assert caught.value.limit == len(body) - 1


def test_thirty_two_levels_are_read() -> None:
    assert "a" in decode(nested(32), LIMIT)


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (b'{"a":"oi \\ud83d tudo"}', "oi \ufffd tudo"),
        (b'{"a":"\\ude00"}', "\ufffd"),
        (b'{"a":"\\ud83d\\ude00"}', "\U0001f600"),
        (b'{"a":"\\ude00\\ud83d"}', "\ufffd\ufffd"),
    ],
)
def test_half_an_emoji_is_replaced_and_the_message_stays(body: bytes, text: str) -> None:
    assert decode(body, LIMIT) == {"a": text}


def test_half_surrogates_in_names_and_lists_are_replaced_too() -> None:
    assert decode(b'{"\\ud83d":[{"b":"\\ud83d"}]}', LIMIT) == {"\ufffd": [{"b": "\ufffd"}]}


def test_a_byte_order_mark_is_no_content() -> None:
    assert decode(b'\xef\xbb\xbf{"a":1}', LIMIT) == {"a": 1}


def test_what_is_kept_holds_no_nul_no_secret_and_no_endless_number() -> None:
    body = {"a": "x\x00y", "ApiKey": "s", "list": [{"apikey": "s", "b": 1 << 70, "n\x00": True}]}
    kept, removed = storable(body, without=("apikey",))
    assert kept == {"a": "x\ufffdy", "list": [{"b": str(1 << 70), "n\ufffd": True}]}
    assert removed == ("ApiKey", "apikey")
    assert body["ApiKey"] == "s", "the body itself is left as it was"
