"""The search of the editor as a page and as a fragment, and the list of shortcuts with its switch."""

import pytest

from engine.core.permissions import Role

BASE = "/flows/pequeno/draft"
HTMX = {"hx-request": "true"}


async def test_without_scripts_the_search_is_a_page_with_links(editor, flow):
    page = (await editor.get(f"{BASE}/search", params={"q": "cônvers"})).text

    assert "<html" in page and f'href="{BASE}?sel=s:CONVERSA"' in page and "<mark>CONVERS</mark>A" in page
    assert f'href="{BASE}?sel=new:transition&amp;from=CONVERSA"' in page


async def test_with_scripts_it_is_a_fragment(editor, flow):
    part = (await editor.get(f"{BASE}/search", params={"q": "FIM"}, headers=HTMX)).text

    assert "<html" not in part and 'id="search-r"' in part and "sel=s:FIM" in part


@pytest.mark.parametrize("asked", ["novo estado", "NEW STATE", "estado novo"])
async def test_a_command_is_found_by_its_name_in_either_language(editor, flow, asked):
    page = (await editor.get(f"{BASE}/search", params={"q": asked})).text

    assert f'href="{BASE}?sel=new:state"' in page


async def test_who_may_only_look_is_offered_no_edits(signed_in, flow):
    viewer = await signed_in(Role.READONLY)

    page = (await viewer.get(f"{BASE}/search")).text

    assert "new:state" not in page and 'href="/flows/pequeno/publish"' not in page
    assert f'href="{BASE}?view=table"' in page


@pytest.mark.parametrize("asked", ["zzz", "<script>", "a" * 5000, "' OR 1"])
async def test_what_finds_nothing_says_so_and_is_escaped(editor, flow, asked):
    answer = await editor.get(f"{BASE}/search", params={"q": asked})

    assert answer.status_code == 200 and "<script>" not in answer.text
    assert "Nada com esse nome neste fluxo." in answer.text


@pytest.mark.parametrize("asked", ["", "\x00", "%", "  …"])
async def test_no_words_find_the_commands_alone(editor, flow, asked):
    answer = await editor.get(f"{BASE}/search", params={"q": asked})

    assert answer.status_code == 200 and "Comandos" in answer.text and "sel=s:" not in answer.text


async def test_a_flow_that_is_not_there_is_404(editor, flow):
    assert (await editor.get("/flows/nada/draft/search")).status_code == 404


async def test_the_letter_keys_are_switched_off_and_on_again_with_plain_forms(editor, flow):
    page = (await editor.get("/shortcuts")).text
    assert "data-letters" not in page
    assert '<button class="btn" name="letters" value="off">' in page

    answer = await editor.post("/preferences", {"letters": "off", "back": "/shortcuts"})

    assert answer.headers["location"] == "/shortcuts"
    assert 'data-letters="off"' in (await editor.get("/flows")).text
    await editor.post("/preferences", {"letters": "on"})
    assert "data-letters" not in (await editor.get("/flows")).text
