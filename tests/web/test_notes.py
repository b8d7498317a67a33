"""Notes of the team on states and arrows: part of the draft, shown in the panel and the drawing, in no export."""

import pytest

from engine.services import edit
from tests.web.pages_read import read

BASE = "/flows/pequeno/draft"


@pytest.mark.parametrize(("sel", "section"), [("s:NOVO", "states"), ("t:t1", "transitions")])
async def test_a_note_is_written_seen_in_the_drawing_and_taken_away_again(runtime, editor, flow, sel, section):
    form = read((await editor.get(f"{BASE}?sel={sel}")).text).form(ident="f-note")

    await editor.post(form.action, form.data(value="combinar com a Lia"))

    page = (await editor.get(f"{BASE}?sel={sel}")).text
    assert read(page).form(ident="f-note").fields["value"] == ["combinar com a Lia"]
    assert "✎ combinar com a Lia" in page
    assert "combinar com a Lia" in str((await edit.opened(runtime, "pequeno")).tree[section])
    assert "combinar" not in (await editor.get("/flows/pequeno/diagram.svg")).text
    form = read(page).form(ident="f-note")
    await editor.post(form.action, form.data(value=""))
    assert "combinar" not in str((await edit.opened(runtime, "pequeno")).tree)
