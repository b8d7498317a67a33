"""What the fields of a message say, as the document has it: words change, everything else of a message stays."""

import pytest

from engine.core.errors import Refused
from web import i18n
from web.message_edits import added, dropped, filed, listed, parted, titled

BUTTONS = [{"id": "sim", "title": {"pt-BR": "Sim", "en": "Yes"}}, {"id": "nao", "title": "Não"}]
LIST = {
    "button": {"pt-BR": "Ver", "en": "See"},
    "rows": [{"id": "a", "title": "Combo", "description": "3 meses"}, {"id": "b", "title": {"en": "Alone"}}],
}
PARTS = [{"video": "https://x/v"}, {"audio": "https://x/a"}, {"text": {"pt-BR": "Oi", "en": "Hi"}}]


@pytest.fixture(autouse=True)
def portuguese():
    with i18n.speaking("pt-BR"):
        yield


def refused(change, *given) -> str:
    with pytest.raises(Refused) as found:
        change(*given)
    return found.value.code


def test_titles_change_in_the_language_that_is_read_and_ids_stay():
    assert titled(BUTTONS, ["Quero", "Agora não"]) == [
        {"id": "sim", "title": {"pt-BR": "Quero", "en": "Yes"}},
        {"id": "nao", "title": "Agora não"},
    ]


def test_a_list_changes_in_all_its_words_and_an_empty_line_is_none():
    assert listed(LIST, [" Abrir ", "Kit", "", "Só o curso", "hoje"]) == {
        "button": {"pt-BR": "Abrir", "en": "See"},
        "rows": [
            {"id": "a", "title": "Kit"},
            {"id": "b", "title": {"en": "Alone", "pt-BR": "Só o curso"}, "description": "hoje"},
        ],
    }


@pytest.mark.parametrize("values", [[], ["Ver"], ["", "a", "", "b", ""], ["Ver", "a", "", " ", ""], ["x"] * 6])
def test_a_list_needs_its_word_and_a_title_for_each_option(values):
    assert refused(listed, LIST, values) == "text_missing"


def test_a_file_has_an_address_and_words_under_it():
    before = {"image": "https://x/1", "caption": {"pt-BR": "Veja", "en": "Look"}}

    assert filed(before, [" https://x/2 ", "Olhe"]) == {
        "image": "https://x/2",
        "caption": {"pt-BR": "Olhe", "en": "Look"},
    }
    assert filed({"image": "https://x/1", "caption": "Veja"}, ["https://x/1", ""]) == {"image": "https://x/1"}
    assert filed({"audio": "https://x/1"}, ["https://x/2"]) == {"audio": "https://x/2"}
    assert refused(filed, before, ["  ", "Veja"]) == "address_missing"


def test_parts_change_their_words_in_their_order_and_a_voice_has_none():
    assert parted(PARTS, ["Assista", "Olá"]) == [
        {"video": "https://x/v", "caption": "Assista"},
        {"audio": "https://x/a"},
        {"text": {"pt-BR": "Olá", "en": "Hi"}},
    ]
    assert refused(parted, PARTS, ["Assista", "  "]) == "text_missing"
    assert refused(parted, PARTS, ["Assista"]) == "text_missing"


def test_one_more_gets_an_id_of_its_own_made_of_its_words():
    assert added("buttons", None, " Quero já ") == [{"id": "quero_ja", "title": "Quero já"}]
    assert added("buttons", BUTTONS, "Sim!")[-1] == {"id": "sim_2", "title": "Sim!"}
    assert added("list", LIST, "Outra")["rows"][-1] == {"id": "outra", "title": "Outra"}
    assert added("list", LIST, "Outra", "ignorado")["button"] == LIST["button"]
    assert added("list", None, "Combo", "Ver") == {"button": "Ver", "rows": [{"id": "combo", "title": "Combo"}]}


@pytest.mark.parametrize(
    ("given", "code"),
    [
        (("buttons", BUTTONS, "  "), "text_missing"),
        (("list", None, "Combo"), "text_missing"),
        (("buttons", [*BUTTONS, {"id": "c", "title": "c"}], "d"), "buttons_full"),
        (("list", {"button": "v", "rows": [{"id": str(n), "title": "x"} for n in range(10)]}, "d"), "rows_full"),
        (("buttons", BUTTONS, "🙂"), "word_missing"),
    ],
)
def test_what_cannot_be_added_says_why(given, code):
    assert refused(added, *given) == code


def test_what_is_taken_away_is_named_by_its_id_and_the_last_one_takes_the_rest_along():
    assert dropped(BUTTONS, "sim") == BUTTONS[1:]
    assert dropped(LIST, "a") == {**LIST, "rows": LIST["rows"][1:]}
    assert dropped(BUTTONS[:1], "sim") is None
    assert dropped({**LIST, "rows": LIST["rows"][:1]}, "a") is None
    assert refused(dropped, BUTTONS, "talvez") == "choice_gone"
    assert refused(dropped, None, "sim") == "choice_gone"
