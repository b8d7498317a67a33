"""What a gateway says of its connection, and which of its news says most."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.troubles import OK, Trouble, newer, trouble


@pytest.mark.parametrize(
    ("state", "code", "expected"),
    [
        ("open", 200, None), ("close", 401, Trouble.LOGGED_OUT), ("closed", 403, Trouble.BLOCKED),
        ("close", 440, Trouble.REPLACED), ("close", 428, Trouble.CLOSED), ("close", None, Trouble.CLOSED),
        ("connecting", 200, Trouble.CONNECTING), ("refused", 428, Trouble.QR_EXPIRED), ("qr", None, Trouble.AWAITS_QR),
        ("whatever", None, Trouble.CLOSED), ("missing", None, Trouble.MISSING),
    ],
)  # fmt: skip
def test_every_state_has_one_meaning(state: str, code: int | None, expected: Trouble | None) -> None:
    assert trouble(state, code) == expected


@given(st.text(), st.one_of(st.none(), st.integers()))
def test_only_open_is_open(state: str, code: int | None) -> None:
    assert (trouble(state, code) is None) is (state == "open")


@given(st.sampled_from([OK, *Trouble]), st.lists(st.sampled_from(list(Trouble))))
def test_what_needs_a_code_to_be_read_is_never_forgotten_before_the_number_is_open(
    before: str, news: list[Trouble]
) -> None:
    """However many closings and reconnections follow, except that the gateway lost the instance or our key."""
    state, needed = before, False
    for one in news:
        state = newer(state, one)
        needed = (needed and one not in (Trouble.MISSING, Trouble.UNAUTHORIZED)) or one.needs_qr
        assert Trouble(state).needs_qr or not needed


def test_a_blocked_number_that_is_then_logged_out_stays_blocked() -> None:
    assert newer(Trouble.BLOCKED, Trouble.LOGGED_OUT) is Trouble.BLOCKED
    assert newer("a word of an older version", Trouble.CLOSED) is Trouble.CLOSED
