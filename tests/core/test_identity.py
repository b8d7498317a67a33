import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.identity import display, key, mask, national, same, variants


@pytest.mark.parametrize(
    ("spelled", "canonical"),
    [
        ("5521980000003", "5521980000003"),
        ("2180000003", "5521980000003"),
        ("21980000003", "5521980000003"),
        ("552180000003", "5521980000003"),
        ("+55 (21) 98000-0003", "5521980000003"),
        ("021 98000-0003", "5521980000003"),
        ("005521980000003", "5521980000003"),
        ("5541900000001", "5541900000001"),
        ("41900000001", "5541900000001"),
        ("554133330001", "554133330001"),
        ("4133330001", "554133330001"),
        ("5541933330001", "5541933330001"),
        ("55999990001", "5555999990001"),
        ("5555999990001", "5555999990001"),
        ("08001234567", "08001234567"),
        ("558001234567", "558001234567"),
        ("40040001", "40040001"),
        ("190", "190"),
        ("12125550100", "12125550100"),
        ("+1 212 555 0100", "12125550100"),
        ("351912345678", "351912345678"),
        ("5491123456789", "5491123456789"),
        ("+51 987 654 321", "51987654321"),
        ("BR.9000000000000001", "BR.9000000000000001"),
        ("900000000000001@lid", "900000000000001@lid"),
        ("", ""),
        ("+", "+"),
    ],
)
def test_every_spelling_has_its_key(spelled, canonical):
    """R70."""
    assert key(spelled) == canonical


def test_a_landline_and_a_mobile_that_differ_by_the_nine_are_two_people():
    """R70."""
    assert not same("554133330001", "5541933330001")
    assert variants("554133330001") == ("554133330001",)
    assert variants("5541933330001") == ("5541933330001",)


def test_a_mobile_has_an_older_spelling():
    """R70."""
    assert variants("2180000003") == ("5521980000003", "552180000003")
    assert variants("5541900000001") == ("5541900000001",)


def test_the_national_digits_tell_the_spellings_apart():
    assert national("5521980000003") == "21980000003"
    assert national("+55 21 8000-0003") == "2180000003"
    assert national("12125550100") == "12125550100"


@pytest.mark.parametrize(
    ("spelled", "shown", "hidden"),
    [
        ("5511900000142", "+55 11 90000-0142", "+55 11 •••••-0142"),
        ("554133330001", "+55 41 3333-0001", "+55 41 ••••-0001"),
        ("12125550100", "+12125550100", "•••••••0100"),
        ("190", "190", "••••"),
        ("BR.9000000000000001", "BR.9000000000000001", "••••"),
    ],
)
def test_people_read_a_number_and_logs_do_not(spelled, shown, hidden):
    assert display(spelled) == shown
    assert mask(spelled) == hidden


@settings(deadline=None)
@given(st.text(alphabet="0123456789+ ()-@.abc", max_size=20))
def test_the_key_of_a_key_is_itself(spelled):
    """R70: however often it is applied, one person has one key."""
    assert key(key(spelled)) == key(spelled)


@settings(deadline=None)
@given(st.sampled_from(["11", "21", "41", "55", "85"]), st.integers(60_000_000, 99_999_999))
def test_all_spellings_of_a_mobile_are_one_person(area, line):
    """R70."""
    spellings = (f"55{area}9{line}", f"55{area}{line}", f"{area}9{line}", f"+55 {area} 9{line}")

    assert len({key(s) for s in spellings}) == 1
