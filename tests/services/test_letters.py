"""The payloads of a send: everything filled in, nothing longer than the platform takes, nothing lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core import limits
from engine.core.document import read
from engine.core.splitting import units
from engine.services.letters import letters
from tests.core.documents import small

VALUES = {"contact.name": "Ana", "contact.first_name": "Ana Carolina de Albuquerque"}


def written(language="pt-BR", values=VALUES, **action):
    """The payloads of one send of a document."""
    tree = small()
    tree["actions"]["oi"] = {"kind": "send", **action}
    flow = read(tree)
    made = list(letters(flow, flow.actions["oi"], values, language))
    assert [(number, total) for number, total, _ in made] == [(n, len(made)) for n in range(1, len(made) + 1)]
    return [payload for _, _, payload in made]


def test_gaps_are_filled_wherever_there_is_a_text():
    (payload,) = written(
        text="Oi {{contact.name}}",
        list={"button": "Ver {{contact.name}}", "rows": [{"id": "a", "title": "{{contact.name}}", "description": "de {{contact.name}}"}]},
        template={
            "name": "m", "language": "pt_BR", "params": ["{{contact.name}}"], "header": "{{contact.name}}!",
            "buttons": [{"payload": "p-{{contact.name}}"}, {}, {"url": "u-{{contact.name}}"}],
        },
    )  # fmt: skip
    assert payload == {
        "text": "Oi Ana",
        "menu": {"title": "Ver Ana", "rows": [{"id": "a", "title": "Ana", "description": "de Ana"}]},
        "template": {
            "name": "m", "language": "pt_BR", "params": ["Ana"], "header": "Ana!",
            "buttons": [{"payload": "p-Ana"}, {}, {"url": "u-Ana"}],
        },
    }  # fmt: skip


def test_a_file_s_address_may_come_from_the_event():
    (payload,) = written(media={"document": "https://x.test/{{contact.name}}.pdf"})
    assert payload == {"media": {"kind": "document", "url": "https://x.test/Ana.pdf", "caption": None}, "text": None}


def test_titles_are_in_the_person_s_language_and_cut_where_a_name_makes_them_too_long():
    title = {"pt-BR": "Oi {{contact.first_name}}", "en": "Hi"}
    (payload,) = written(text="x", buttons=[{"id": "a", "title": title}])
    assert payload["buttons"] == [{"id": "a", "title": "Oi Ana Carolina de…"}]
    (payload,) = written("en", text="x", buttons=[{"id": "a", "title": title}])
    assert payload["buttons"] == [{"id": "a", "title": "Hi"}]


def test_a_caption_that_is_too_long_goes_on_as_a_text():
    words = "Aula com exercícios. " * 100
    first, *rest = written(media={"image": "https://x.test/a.jpg", "caption": words}, text="Quer?")
    assert units(first["media"]["caption"]) <= limits.CAPTION
    assert [piece["text"] for piece in rest][-1] == "Quer?"
    said = " ".join([first["media"]["caption"], *(piece["text"] for piece in rest)])
    assert said.split() == [*words.split(), "Quer?"]


def test_the_words_of_an_audio_go_as_a_text_because_an_audio_has_none():
    audio, text = written(media={"audio": "https://x.test/a.ogg", "caption": "Escute"})
    assert (audio["media"]["caption"], text) == (None, {"text": "Escute"})


@given(st.text(alphabet="ab .\n👍", min_size=1, max_size=6_000).filter(str.strip))
def test_a_text_above_buttons_leaves_in_pieces_of_which_the_last_is_short_enough(words):
    payloads = written(values={"contact.name": words}, text="{{contact.name}}", buttons=[{"id": "a", "title": "Sim"}])
    assert all(units(payload["text"]) <= limits.TEXT for payload in payloads)
    assert units(payloads[-1]["text"]) <= limits.BODY
    assert "".join("".join(payload["text"].split()) for payload in payloads) == "".join(words.split())
    assert ["buttons" in payload for payload in payloads] == [False] * (len(payloads) - 1) + [True]


@pytest.mark.parametrize("more", [{"buttons": [{"id": "a", "title": "Sim"}]}, {}])
def test_the_parts_of_a_send_are_bubbles_of_their_own(more):
    first, second = written(parts=[{"image": "https://x.test/a.jpg"}, {"text": "Quer?"}], **more)
    assert first["media"]["kind"] == "image"
    assert (second["text"], "buttons" in second) == ("Quer?", bool(more))
