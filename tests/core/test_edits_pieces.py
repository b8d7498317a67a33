"""Edits of what a message consists of: buttons, options of a list, parts, files, the head of a template."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core import edits
from engine.core.document import read
from engine.core.edit_targets import name_of, value_now, whole_now
from engine.core.errors import NotFound, Refused
from engine.core.patching import applied, inverse, patch
from tests.services.small_flow import small

SIM, NAO, VER = {"id": "sim", "title": "Sim"}, {"id": "nao", "title": "Não"}, {"id": "ver", "title": "Ver"}
PHOTO = {"image": "https://x.test/a.jpg"}


def tree(**fields):
    made = small()
    return {**made, "actions": {"oi": {"kind": "send", "text": "Oi!", **fields}}}


def edit(op, piece, **more):
    return {"op": f"{op}_piece", "id": "oi", "piece": piece, **more}


def action(made):
    read(made)
    return made["actions"]["oi"]


def changed(before, op, piece, **more):
    return action(edits.apply(before, edit(op, piece, **more)))


def test_a_button_is_changed_where_its_author_saw_it_wherever_it_stands_by_now():
    before = tree(buttons=[NAO, VER, SIM])

    after = changed(before, "set", "buttons", number=0, was=SIM, value={**SIM, "title": "Quero"})

    assert after["buttons"] == [NAO, VER, {"id": "sim", "title": "Quero"}]
    assert action(before)["buttons"] == [NAO, VER, SIM], "the tree that was given stays"


def test_a_piece_that_is_gone_is_not_written_over_its_neighbour():
    for op, more in (("set", {"value": VER}), ("delete", {}), ("move", {"by": 1})):
        with pytest.raises(Refused, match="piece_changed"):
            changed(tree(buttons=[NAO]), op, "buttons", number=0, was=SIM, **more)
    with pytest.raises(Refused, match="piece_changed"):
        changed(tree(buttons=[NAO]), "set", "buttons", number=0, value=VER)
    with pytest.raises(Refused, match="piece_changed"):
        changed(tree(), "set", "opener", value="Ver")


def test_the_first_option_makes_a_list_and_the_last_one_takes_it_along():
    first = edits.apply(tree(), edit("add", "rows", value=SIM, opener="Escolher"))
    assert action(first)["list"] == {"button": "Escolher", "rows": [SIM]}
    assert changed(tree(), "add", "rows", value=SIM)["list"]["button"] == "Sim", "what opens it always has words"

    assert "list" not in changed(first, "delete", "rows", number=0, was=SIM)


def test_there_are_no_more_buttons_and_options_than_whatsapp_shows():
    with pytest.raises(Refused, match="too_many_pieces"):
        changed(tree(buttons=[SIM, NAO, VER]), "add", "buttons", value={"id": "x", "title": "X"})
    rows = [{"id": f"r{n}", "title": "x"} for n in range(10)]
    with pytest.raises(Refused, match="too_many_pieces"):
        changed(tree(list={"button": "Ver", "rows": rows}), "add", "rows", value={"id": "x", "title": "X"})


def test_a_message_of_a_text_and_a_file_becomes_one_of_parts_that_leaves_as_before():
    after = changed(tree(media={**PHOTO, "caption": "A foto"}), "add", "parts", value={"text": "E mais"})

    assert after == {"kind": "send", "parts": [{**PHOTO, "caption": "A foto"}, {"text": "Oi!"}, {"text": "E mais"}]}


def test_a_file_that_is_added_stays_above_the_text_with_the_buttons():
    assert changed(tree(buttons=[SIM]), "add", "parts", value=PHOTO)["parts"] == [PHOTO, {"text": "Oi!"}]
    assert changed(tree(), "add", "parts", value=PHOTO)["parts"] == [{"text": "Oi!"}, PHOTO]


def test_pieces_change_places_with_their_neighbours_and_stop_at_the_ends():
    before = tree(buttons=[SIM, NAO])
    assert changed(before, "move", "buttons", number=0, was=SIM, by=1)["buttons"] == [NAO, SIM]
    assert changed(before, "move", "buttons", number=1, was=NAO, by=-1)["buttons"] == [NAO, SIM]
    assert changed(before, "move", "buttons", number=0, was=SIM, by=-1)["buttons"] == [SIM, NAO]


def test_what_stands_alone_is_changed_and_taken_out():
    menu = {"button": "Ver", "rows": [SIM]}
    assert changed(tree(list=menu), "set", "opener", value="Escolher")["list"]["button"] == "Escolher"
    assert changed(tree(media=PHOTO), "set", "media", value={**PHOTO, "caption": "x"})["media"]["caption"] == "x"
    assert "media" not in changed(tree(media=PHOTO), "delete", "media")
    template = {"name": "volta", "language": "pt_BR", "header": "Oi"}
    assert changed(tree(template=template), "set", "header", value="Olá")["template"]["header"] == "Olá"
    assert "header" not in changed(tree(template=template), "delete", "header")["template"]


def test_what_there_is_none_of_is_refused():
    with pytest.raises(NotFound):
        edits.apply(tree(), {**edit("add", "buttons", value=SIM), "id": "nada"})
    for op, piece in (("set", "words"), ("add", "words"), ("add", "media"), ("delete", "x"), ("move", [])):
        with pytest.raises(Refused, match="unknown_field"):
            edits.apply(tree(), edit(op, piece, value=SIM))
    with pytest.raises(Refused, match="bad_edit"):
        edits.apply(tree(), edit("add", "buttons", value="Sim"))


def test_what_an_edit_is_about_is_the_piece_with_its_id_and_nothing_when_it_is_gone():
    now = {**SIM, "title": "Quero"}
    change = edit("set", "buttons", number=0, was=SIM, value=VER)
    assert value_now(tree(buttons=[NAO, now]), change) == now
    assert value_now(tree(buttons=[NAO]), change) is None
    assert whole_now(tree(buttons=[SIM]), edit("delete", "buttons", number=0, was=SIM)) == SIM
    parts = tree(parts=[{"text": "novo"}])
    assert value_now(parts, edit("set", "parts", number=0, was={"text": "velho"})) == {"text": "novo"}
    assert value_now(tree(media=PHOTO), edit("set", "media")) == PHOTO
    assert name_of(change) == "piece oi"


KINDS = st.sampled_from(("set", "add", "delete", "move"))


@given(
    st.lists(
        st.tuples(KINDS, st.sampled_from(("buttons", "parts", "rows")), st.integers(0, 3), st.sampled_from((-1, 1)))
    ),
    st.sampled_from(({"buttons": [SIM, NAO]}, {"list": {"button": "Ver", "rows": [SIM, NAO]}}, {"media": PHOTO})),
)
def test_whatever_is_done_each_step_is_one_place_of_the_document_and_is_taken_back_whole(steps, fields):
    made = tree(**fields)
    for number, (op, piece, at, by) in enumerate(steps):
        value = {"text": f"t{number}"} if piece == "parts" else {"id": f"i{number}", "title": f"t{number}"}
        rows = made["actions"]["oi"].get(piece) or made["actions"]["oi"].get("list", {}).get(piece) or []
        was = rows[at] if at < len(rows) else None
        try:
            after = edits.apply(made, edit(op, piece, number=at, was=was, by=by, value=value))
        except Refused:
            continue
        there = patch(made, after)
        assert all(step.place[:2] == ("actions", "oi") for step in there)
        assert applied(after, inverse(there)) == made
        made = after
