"""What is approved: its digest is that of every byte, edits keep to what a platform takes, and who may decide (R7)."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.approval import Approver, Bubble, can_name, digest_of, edited, packed, unpacked
from engine.core.errors import Refused

TEMPLATE = {"name": "n", "language": "pt_BR", "params": ["Ana"]}
TEXT = Bubble(0, "oferecer", 1, 2, {"text": "Oi"})
CAPTION = Bubble(0, "oferecer", 2, 2, {"text": None, "media": {"kind": "image", "url": "https://x", "caption": "Veja"}})
AUDIO = Bubble(1, "falar", 1, 1, {"text": None, "media": {"kind": "audio", "url": "https://x", "caption": None}})
BUTTONS = Bubble(
    2, "perguntar", 1, 1, {"text": "Quer?", "buttons": [{"id": "a", "title": "Sim"}], "template": TEMPLATE}
)
ALL = (TEXT, CAPTION, AUDIO, BUTTONS)


@given(st.lists(st.sampled_from(ALL), max_size=4), st.text(max_size=40))
def test_the_digest_is_of_every_byte_that_leaves(bubbles, words):
    other = [*bubbles, Bubble(9, "a", 1, 1, {"text": words})]
    assert digest_of(bubbles) == digest_of(tuple(bubbles))
    assert digest_of(other) != digest_of(bubbles)
    assert digest_of(other) != digest_of([*bubbles, Bubble(9, "a", 1, 1, {"text": words + "."})])


def test_what_is_stored_is_what_was_packed():
    assert unpacked(json.loads(packed(ALL))) == ALL


def test_words_change_where_they_stand_and_nothing_else_does():
    text, caption, audio, buttons = edited(
        ALL, {0: "  Olá\r\nAna ", 1: "Olhe", 2: "não tem lugar", 3: "E então?", 7: "x"}
    )
    assert text.payload == {"text": "Olá\nAna"}
    assert caption.payload["media"] == {"kind": "image", "url": "https://x", "caption": "Olhe"}
    assert audio is AUDIO
    assert buttons.payload == {**BUTTONS.payload, "text": "E então?"}


def test_the_same_words_are_no_edit():
    assert edited(ALL, {0: "Oi", 1: "Veja", 3: "Quer?"}) == ALL


@pytest.mark.parametrize(("place", "most"), [(0, 4_096), (1, 1_024), (3, 1_024)])
def test_no_words_are_longer_than_the_platform_takes_in_one_piece(place, most):
    """Counted as it counts: an emoji is two."""
    assert edited(ALL, {place: "😀" * (most // 2)})[place].words == "😀" * (most // 2)
    with pytest.raises(Refused) as refused:
        edited(ALL, {place: "😀" * (most // 2) + "."})
    assert refused.value.facts == {"limit": most, "length": most + 1}


@pytest.mark.parametrize("words", ["", "  \n", "\x00"])
def test_an_edit_cannot_take_all_words_away(words):
    with pytest.raises(Refused, match="empty_message"):
        edited(ALL, {0: words})


@pytest.mark.parametrize(
    ("role", "email", "named", "may"),
    [
        ("supervisor", "a@x", (), True),
        ("readonly", "a@x", (), False),
        ("marketer", "a@x", ("marketer", "a@x"), False),
        ("supervisor", "a@x", ("publisher",), False),
        ("supervisor", "a@x", ("publisher", " A@X "), True),
        ("admin", "b@x", ("publisher",), False),
        ("publisher", "b@x", ("Publisher",), True),
        ("", "", (), False),
        ("supervisor", "", ("",), False),
    ],
)
def test_who_may_decide(role, email, named, may):
    assert Approver(role, email).may_decide(named) is may


@pytest.mark.parametrize(("name", "can"), [("publisher", True), ("a@x", True), ("gerente", False), ("marketer", False)])
def test_an_approver_is_a_role_that_approves_or_an_address(name, can):
    assert can_name(name) is can
