"""The simulator through its pages: forms without scripts, fragments with them, saved tests, and who may not."""

import json

import pytest

from engine.core.permissions import Role
from engine.services import edit, publish, saved_tests
from tests.services.small_flow import small
from tests.web.conftest import ACTOR
from tests.web.pages_read import read

START = "/flows/pequeno/simulator"
HTMX = {"hx-request": "true"}


async def _begun(person, **form):
    answer = await person.post(START, form)
    assert answer.status_code == 303
    return answer.headers["location"]


async def test_a_message_is_answered_by_the_engine_and_told_with_its_reason(editor, flow):
    place = await _begun(editor)

    answer = await editor.post(f"{place}/message", {"text": "bom dia"})

    assert answer.status_code == 303
    page = (await editor.get(place)).text
    assert "bom dia" in page
    assert "Oi!" in page
    assert 'class="node estado k-conversa cur' in page or "CONVERSA" in page
    print(page[:100])


async def test_without_a_draft_there_is_no_simulator(editor):
    assert (await editor.post("/flows/nada/simulator", {})).status_code == 404
