"""Codes that change every 30 seconds: the vectors of RFC 6238, and which step a code belongs to (SEC-S9)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core import totp

SEED = b"12345678901234567890"
VECTORS = [
    (59, "94287082"), (1111111109, "07081804"), (1111111111, "14050471"), (1234567890, "89005924"),
    (2000000000, "69279037"), (20000000000, "65353130"),
]  # fmt: skip
NOW = 1_764_500_000_000


@pytest.mark.parametrize(("second", "eight"), VECTORS)
def test_the_codes_of_the_standard_come_out(second, eight):
    assert totp.code(SEED, second * 1000 // totp.STEP) == eight[-6:]


@given(seed=st.binary(min_size=20, max_size=20), now=st.integers(10**12, 10**13), off=st.integers(-5, 5))
def test_a_code_counts_one_step_before_and_after_its_own_and_no_longer(seed, now, off):
    step = now // totp.STEP + off
    found = totp.matching_step(seed, totp.code(seed, step), now, 0)

    if abs(off) <= 1:
        assert found is not None
        assert totp.code(seed, found) == totp.code(seed, step)
    else:
        near = {totp.code(seed, now // totp.STEP + by) for by in (-1, 0, 1)}
        assert (found is None) == (totp.code(seed, step) not in near)


def test_a_code_of_a_step_that_was_used_counts_no_more_nor_one_before_it():
    current = NOW // totp.STEP

    assert totp.matching_step(SEED, totp.code(SEED, current), NOW, current) is None
    assert totp.matching_step(SEED, totp.code(SEED, current - 1), NOW, current) is None
    assert totp.matching_step(SEED, totp.code(SEED, current + 1), NOW, current) == current + 1


@given(st.text(max_size=60))
def test_any_text_is_a_code_or_is_not_and_breaks_nothing(text):
    found = totp.matching_step(SEED, text, NOW, 0)

    assert (found is not None) == (
        "".join(text.split()) in {totp.code(SEED, NOW // totp.STEP + by) for by in (-1, 0, 1)}
    )


def test_spaces_in_a_code_mean_nothing():
    code = totp.code(SEED, NOW // totp.STEP)

    assert totp.matching_step(SEED, f" {code[:3]} {code[3:]} ", NOW, 0) == NOW // totp.STEP


def test_the_address_is_what_apps_scan_and_the_spelling_is_the_same_seed():
    address = totp.address(SEED, "ana+x@trilho.test", "Trilho")

    assert address == "otpauth://totp/Trilho:ana%2Bx@trilho.test?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Trilho"
    assert totp.spelled(SEED) == "GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ"
