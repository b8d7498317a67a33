"""A range is whole days of the flow's own time zone."""

from datetime import UTC, date, datetime

import pytest

from engine.core.analysis.spans import span

ZONE = "America/Sao_Paulo"
NOW = round(datetime(2026, 11, 30, 1, 30, tzinfo=UTC).timestamp() * 1000)
"""Half past ten in the evening of the 29th in São Paulo."""


def utc(ms):
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat()


def test_seven_days_are_today_there_and_the_six_before():
    found = span("7d", ZONE, NOW)
    assert (found.first, found.last) == (date(2026, 11, 23), date(2026, 11, 29))
    assert utc(found.window.since) == "2026-11-23T03:00:00+00:00"
    assert found.window.until == NOW + 1, "what happens now is in it, what is to come is not"


def test_days_from_and_to_are_both_in_it():
    found = span("2026-11-01..2026-11-02", ZONE, NOW)
    assert (utc(found.window.since), utc(found.window.until)) == (
        "2026-11-01T03:00:00+00:00",
        "2026-11-03T03:00:00+00:00",
    )
    assert found.asked
    assert not found.preset


def test_a_day_when_the_clocks_change_has_its_own_length():
    """New York goes back an hour on 1 November 2026."""
    found = span("2026-11-01..2026-11-01", "America/New_York", NOW)
    assert found.window.until - found.window.since == 25 * 3_600_000


@pytest.mark.parametrize(
    "text",
    [
        "8d",
        "abc",
        "2026-11-03..2026-11-01",
        "2026-02-30..2026-03-01",
        "0001-01-01..9999-12-31",
        "\x00",
        "１２d",
        "..",
        "7d ",
    ],
)
def test_what_is_no_range_is_told_and_the_last_seven_days_stand_for_it(text):
    found = span(text, ZONE, NOW)
    assert (found.key, found.asked) == ("7d", False)


def test_nothing_asked_is_the_usual_range_and_days_to_come_are_empty():
    assert span("", ZONE, NOW).asked
    found = span("2030-01-01..2030-01-02", ZONE, NOW)
    assert found.window.since == found.window.until
