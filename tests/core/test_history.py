"""A conversation's past from its log alone (R46)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.events import Snapshot
from engine.core.history import rebuild, without

OPENED = {
    "state": "A", "previous": None, "context": {"n": 1, "tags": ["x"]}, "deadline_at": 5, "rung": 0, "entered_at": 1,
    "last_inbound_at": 0,
}  # fmt: skip


def test_each_row_changes_what_it_says_and_nothing_else():
    rows = [
        {"flow": "f", "after": OPENED},
        {"actions": ["hi"]},
        {"after": {"state": "B", "previous": "A", "deadline_at": None, "last_inbound_at": 7}},
        {"after": {"context": {"n": 2}}},
    ]
    assert rebuild(rows) == Snapshot(
        state="B", previous="A", context={"n": 2}, deadline_at=None, rung=0, entered_at=1, last_inbound_at=7
    )
    assert rebuild(rows[:2]).context == {"n": 1, "tags": ("x",)}


@pytest.mark.parametrize("missing", sorted(OPENED))
def test_without_its_beginning_there_is_no_past(missing):
    beginning = {name: value for name, value in OPENED.items() if name != missing}
    with pytest.raises(ValueError, match=missing):
        rebuild([{"after": beginning}])


def test_an_empty_log_is_no_past():
    with pytest.raises(ValueError, match="whole snapshot"):
        rebuild([])


def test_what_the_log_may_not_know_is_left_out_of_the_comparison():
    snapshot = rebuild([{"after": OPENED}])
    assert without(snapshot, frozenset({"n"})).context == {"tags": ("x",)}
    assert without(snapshot, frozenset()) == snapshot


DELTAS = st.dictionaries(
    st.sampled_from(["state", "previous", "deadline_at", "rung", "entered_at", "last_inbound_at"]), st.integers(0, 9)
)


@given(st.lists(DELTAS, max_size=8), st.integers(0, 8))
def test_the_past_at_any_row_is_the_last_word_on_each_field_up_to_there(deltas, n):
    rows = [{"after": OPENED}, *({"after": delta} for delta in deltas)]
    moment = rebuild(rows[: n + 1])
    for name in DELTAS_NAMES:
        said = [delta[name] for delta in deltas[:n] if name in delta]
        assert getattr(moment, name) == (said[-1] if said else OPENED[name])


DELTAS_NAMES = ("state", "previous", "deadline_at", "rung", "entered_at", "last_inbound_at")
