"""The table of security in the documents says what the tests say."""

from tests import security_table
from tests.security_requirements import REASONS, REQUIREMENTS


def test_the_table_of_requirements_is_as_the_tests_cite_them():
    """Made again by `python -m tests.security_table`."""
    now = security_table.PAGE.read_text()

    assert security_table.page(now) == now


def test_every_requirement_has_a_test_or_a_reason_in_words():
    found = security_table.citations()

    assert [number for number in REQUIREMENTS if not found[number] and len(REASONS.get(number, "")) < 20] == []
    assert sorted(number for number in found if found[number]) == [n for n in REQUIREMENTS if found[n]], "unknown ids"


def test_citations_are_read_from_names_docstrings_and_files():
    assert security_table._numbers("test_sec_s11_every_role") == {11}
    assert security_table._numbers("Sessions (SEC-S10, SEC-S13).") == {10, 13}
    assert security_table._numbers("test_seconds_s3") == set()
