"""One range of bytes, as players ask for it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from web.ranges import Unsatisfiable, wanted


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("bytes=0-", (0, 99)),
        ("bytes=10-19", (10, 19)),
        ("bytes=90-200", (90, 99)),
        ("bytes=-10", (90, 99)),
        ("bytes=-1000", (0, 99)),
        ("bytes=99-99", (99, 99)),
        ("", None),
        ("bytes=-", None),
        ("bytes=5-2", None),
        ("bytes=0-1,5-6", None),
        ("lines=0-1", None),
        ("bytes=a-b", None),
        ("bytes=１-", None),
        ("bytes=" + "9" * 30 + "-", None),
    ],
)
def test_a_part_is_first_and_last_byte_and_what_nobody_understands_is_the_whole(
    header: str, expected: tuple[int, int] | None
) -> None:
    assert wanted(header, 100) == expected


@pytest.mark.parametrize("header", ["bytes=100-", "bytes=500-600", "bytes=-0"])
def test_a_part_behind_the_end_cannot_be_had(header: str) -> None:
    with pytest.raises(Unsatisfiable):
        wanted(header, 100)


@given(st.text(max_size=30) | st.from_regex(r"bytes=\d{0,6}-\d{0,6}", fullmatch=True), st.integers(1, 10**6))
def test_a_part_always_lies_inside(header: str, size: int) -> None:
    try:
        found = wanted(header, size)
    except Unsatisfiable:
        return
    assert found is None or 0 <= found[0] <= found[1] < size
