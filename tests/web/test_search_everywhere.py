"""The search of every page: flows, conversations and places, by role, with masked numbers, and every text as text."""

import pytest

from engine.core.permissions import Role
from engine.services import edit
from tests.web.conftest import ACTOR
from tests.web.leads import phone_for
from tests.web.pages_read import read

HTMX = {"HX-Request": "true"}


async def links(client, asked):
    return read((await client.get("/search", params={"q": asked}, headers=HTMX)).text).links


async def test_every_page_has_its_button_and_box_and_the_editor_asks_its_flow_first(editor, flow):
    for path, place in (
        ("/flows", "/search"),
        ("/live", "/search"),
        (f"/flows/{flow}/draft", f"/flows/{flow}/draft/search"),
    ):
        page = (await editor.get(path)).text
        assert page.count('id="search-q"') == 1
        assert f'hx-get="{place}"' in page
        assert 'href="/search" data-search' in page
    assert "/search?q=oi" in read((await editor.get(f"/flows/{flow}/draft/search", params={"q": "oi"})).text).links


async def test_flows_are_found_by_words_without_accents_and_say_what_is_live(runtime, editor, flow):
    await edit.edit(runtime, flow, {"op": "set_title", "value": "Promoção de Verão"}, actor=ACTOR)

    answer = await editor.get("/search", params={"q": "promocao verao"}, headers=HTMX)

    assert f"/flows/{flow}/draft" in read(answer.text).links
    assert "v1 no ar" in answer.text
    assert "<mark>Promoção</mark>" in answer.text


async def test_people_are_found_by_name_and_number_and_who_may_not_see_numbers_needs_the_whole(
    runtime, signed_in, flow
):
    leads = await phone_for(runtime, flow)
    one = await leads.say("5541988887777", "oi", "Maria Ângela")
    supervisor, reader = await signed_in(Role.SUPERVISOR), await signed_in(Role.READONLY)

    for person in (supervisor, reader):
        assert f"/conversations/{one}" in await links(person, "angela")
        assert f"/conversations/{one}" in await links(person, "5541988887777")
    assert f"/conversations/{one}" in await links(supervisor, "98888")
    assert f"/conversations/{one}" not in await links(reader, "98888")
    assert "8888" not in (await reader.get("/search", params={"q": "angela"}, headers=HTMX)).text


@pytest.mark.parametrize(
    ("role", "there"),
    [(Role.ADMIN, True), (Role.PUBLISHER, False), (Role.SUPERVISOR, False), (Role.READONLY, False)],
)
async def test_places_are_offered_to_whom_they_are_open(signed_in, flow, role, there):
    person = await signed_in(role)

    found = await links(person, "")

    assert ("/settings/audit" in found) is there
    assert ("/settings/audit" in await links(person, "auditoria")) is there
    for path in found:
        assert (await person.get(path)).status_code in (200, 303), path


async def test_commands_are_found_in_any_language(editor, flow):
    assert "/analytics" in await links(editor, "analysis")
    assert "/analytics" in await links(editor, "análise")


@pytest.mark.parametrize(
    "asked", ["<script>alert(1)</script>", "%", "_", "\x00", "a" * 5_000, "'; DROP TABLE contact; --"]
)
async def test_whatever_is_asked_for_is_text_and_nothing_found_is_said(runtime, editor, flow, asked):
    await edit.edit(runtime, flow, {"op": "set_title", "value": "<script>alert(1)</script>"}, actor=ACTOR)

    answer = await editor.get("/search", params={"q": asked})

    assert answer.status_code == 200
    assert "<script>alert" not in answer.text
    if asked.startswith("a"):
        assert "Nada com esse nome." in answer.text


async def test_nobody_searches_without_signing_in(stranger):
    assert (await stranger.get("/search", params={"q": "a"})).status_code in (303, 401)
