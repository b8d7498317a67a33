import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core import durations
from engine.core.flow import DAY, HOUR, MINUTE, SECOND


@pytest.mark.parametrize(
    ("text", "ms"),
    [
        ("30s", 30 * SECOND),
        ("5m", 5 * MINUTE),
        ("2h", 2 * HOUR),
        ("1d", DAY),
        ("1d12h", 36 * HOUR),
        ("250ms", 250),
        ("0s", 0),
    ],
)
def test_a_duration_of_the_document_is_read(text, ms):
    assert durations.parse(text) == ms


@pytest.mark.parametrize("text", ["", "2", "h", "2 h", "2H", "-2h", "1.5h", "2w", "9999d", "٣h", "2h "])
def test_what_is_no_duration_is_none(text):
    assert durations.parse(text) is None


@pytest.mark.parametrize(
    ("text", "ms"),
    [
        ("2 dias", 2 * DAY),
        ("30 minutos", 30 * MINUTE),
        ("2 h", 2 * HOUR),
        ("1 dia e 2 h", 26 * HOUR),
        ("1,5 hora", 90 * MINUTE),
        ("1 Hora e 30 min", 90 * MINUTE),
        ("2 weeks", 14 * DAY),
        ("90m", 90 * MINUTE),
        ("1h30m", 90 * MINUTE),
        (" 45 seg ", 45 * SECOND),
    ],
)
def test_a_person_may_type_a_duration_in_words(text, ms):
    assert durations.parse_human(text) == ms


@pytest.mark.parametrize("text", ["", "dois dias", "2 luas", "2", "dia", "2 dias atrás", "e 2 h", "100000 dias"])
def test_words_that_are_no_duration_are_none(text):
    assert durations.parse_human(text) is None


@pytest.mark.parametrize(
    ("ms", "spelled"), [(2 * HOUR, "2h"), (90 * MINUTE, "90m"), (25 * HOUR, "25h"), (0, "0s"), (1_500, "1500ms")]
)
def test_the_compact_spelling_uses_the_largest_unit_that_divides(ms, spelled):
    assert durations.compact(ms) == spelled


@pytest.mark.parametrize(
    ("ms", "portuguese", "english"),
    [
        (2 * HOUR, "2 h", "2 h"),
        (30 * MINUTE, "30 min", "30 min"),
        (DAY, "1 dia", "1 day"),
        (50 * HOUR, "2 dias e 2 h", "2 days and 2 h"),
        (DAY + HOUR + MINUTE, "1 dia e 1 h", "1 day and 1 h"),
        (0, "0 s", "0 s"),
    ],
)
def test_people_read_a_duration_in_their_language(ms, portuguese, english):
    assert durations.human(ms, "pt-BR") == portuguese
    assert durations.human(ms, "en") == english


@settings(deadline=None)
@given(st.integers(0, durations.LONGEST))
def test_the_compact_spelling_reads_back(ms):
    assert durations.parse(durations.compact(ms)) == ms


@settings(deadline=None)
@given(st.text(max_size=40))
def test_no_text_makes_the_readers_raise(text):
    durations.parse(text)
    durations.parse_human(text)
