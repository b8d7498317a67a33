"""Documents may be anybody's: what can neither be shown nor stored is refused, and every refusal can be shown."""

import json

import pytest

from engine.core.canonical import digest
from engine.core.document import read
from engine.core.errors import InvalidDocument
from tests.services.small_flow import small

ODD = ["\x00", "\x07", "\x1b[31m", "\x7f", "\ud800", "\udc00x", "a\ud83d b"]


def mistakes(tree: object) -> dict[str, str]:
    """Place to code. Raises when one of them could not be written on a page."""
    with pytest.raises(InvalidDocument) as caught:
        read(tree)
    json.dumps([(m.place, m.message, m.facts) for m in caught.value.mistakes], ensure_ascii=False).encode()
    return {made.place: made.code for made in caught.value.mistakes}


@pytest.mark.parametrize("text", ODD)
def test_a_text_with_an_odd_character_is_refused_at_its_place(text: str) -> None:
    assert mistakes(small(title=f"x{text}")) == {"title": "odd_character"}
    assert mistakes(small(actions={"oi": {"kind": "send", "text": f"Oi {text}"}})) == {
        "actions.oi.text": "odd_character"
    }


@pytest.mark.parametrize("text", ODD)
def test_a_key_or_a_name_with_one_is_refused_in_words_that_can_be_shown(text: str) -> None:
    assert mistakes(small() | {text: 1})
    assert mistakes(small(states=small()["states"] | {text: {}}))
    assert mistakes(small(initial=text))
    assert mistakes(small(slug=text))
    assert mistakes(small(timezone=text))


def test_line_breaks_tabs_and_emoji_are_texts() -> None:
    assert read(small(title="Olá\n\t👩‍👩‍👧‍👦 \u202e")).title.within("pt-BR").startswith("Olá")


@pytest.mark.parametrize("number", [float("inf"), float("-inf"), float("nan")])
def test_no_infinity_becomes_part_of_a_flow(number: float) -> None:
    field = {"type": "double", "default": number}

    assert mistakes(small(context=small()["context"] | {"x": field}))


def test_what_cannot_be_stored_has_no_digest() -> None:
    with pytest.raises(ValueError, match="surrogates"):
        digest({"a": "\ud800"})


def test_a_place_never_takes_a_whole_page() -> None:
    assert all(len(place) < 200 for place in mistakes(small(states={"N" * 100_000: {}})))
