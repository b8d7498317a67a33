"""SEC-S23: the audit page in words, its filters, its file, and the check of the chains."""

import re
from pathlib import Path

import pytest
import pytest_asyncio

from engine.core.permissions import Role
from engine.services import anchoring, edit, publish
from engine.store import audit
from tests.services.small_flow import small
from tests.web.conftest import ACTOR
from tests.web.pages_read import read
from web import audit_words, i18n

PATH = "/settings/audit"
ROOT = Path(__file__).parent.parent.parent


@pytest_asyncio.fixture
async def admin(signed_in, flow):
    return await signed_in(Role.ADMIN)


async def test_what_was_done_stands_there_in_words_with_a_link_to_it(runtime, admin):
    await publish.publish_tree(runtime, small(slug="outro"), "segunda", ACTOR)

    page = (await admin.get(PATH)).text

    assert "publicou uma versão" in page and "convidou alguém" in page
    assert "/flows/outro/versions" in read(page).links
    assert "teste" in page


@pytest.mark.parametrize(
    ("query", "there", "missing"),
    [
        ("kind=flow", "publicou uma versão", "<b>convidou alguém</b>"),
        ("kind=account", "convidou alguém", "<b>publicou uma versão</b>"),
        ("q=PEQUENO", "publicou uma versão", "<b>convidou alguém</b>"),
        ("q=100%25_nada", "Nada combina com estes filtros", "<b>convidou alguém</b>"),
        ("kind=odd&days=99999999999999999999&before=x&q=%00", "convidou alguém", "Nada combina"),
    ],
)
async def test_the_filters_are_in_the_address(admin, query, there, missing):
    page = (await admin.get(f"{PATH}?{query}")).text
    assert there in page and missing not in page


async def test_older_rows_are_a_page_away_and_none_is_shown_twice(runtime, admin):
    for number in range(120):
        await runtime.store.write(
            "n", lambda tx, n=number: audit.note(tx, runtime.clock.now(), ACTOR, "flow.edited", subject=f"s{n}")
        )
    seen: list[str] = []
    path = f"{PATH}?kind=flow"
    while path:
        page = (await admin.get(path)).text
        seen += re.findall(r"<bdi>(s\d+)</bdi>", page)
        path = next((link for link in read(page).links if "before=" in link), "")
    assert len(seen) == len(set(seen)) == 120


async def test_the_file_holds_the_same_rows_and_no_formula(runtime, admin):
    await runtime.store.write(
        "n", lambda tx: audit.note(tx, runtime.clock.now(), ACTOR, "flow.edited", subject="=cmd|' /C calc'!A0")
    )
    answer = await admin.get(f"{PATH}.csv?kind=flow")
    assert answer.headers["content-type"].startswith("text/csv")
    assert "'=cmd" in answer.text and ";=cmd" not in answer.text
    assert "publicou uma versão" in answer.text and "convidou alguém" not in answer.text


async def test_the_chains_are_computed_on_demand_and_the_anchors_are_a_file(runtime, admin):
    await anchoring.anchoring(runtime)
    form = read((await admin.get(PATH)).text).form(f"{PATH}/check#chain")
    page = (await admin.post(f"{PATH}/check", form.data())).text
    assert "Tudo certo" in page and "Âncoras: 1." in page
    lines = (await admin.get(f"{PATH}/anchors.txt")).text.splitlines()
    assert len(lines) == 1 and re.fullmatch(r"\d{4}-\d\d-\d\d audit \d+ [0-9a-f]{64} log \d+ \S+", lines[0])


@pytest.mark.parametrize("role", [role for role in Role if role is not Role.ADMIN])
async def test_nobody_else_reads_it(signed_in, flow, role):
    person = await signed_in(role)
    for path in (PATH, f"{PATH}.csv", f"{PATH}/anchors.txt"):
        assert (await person.get(path)).status_code == 403


def test_everything_that_the_product_writes_down_has_words():
    """A code of a service without a sentence would stand on the page as it is."""
    found = set()
    for path in (ROOT / "engine" / "services").rglob("*.py"):
        for call in re.findall(r"audit\.(?:note|append)\((?:[^()]|\([^()]*\))*\)", path.read_text()):
            found |= set(re.findall(r'"([a-z_]+\.[a-z_]+)"', call))
    found |= {f"{topic}.{deed}" for topic in ("channel", "source") for deed in ("added", "changed", "removed")}
    i18n.use("en")
    assert len(found) > 40
    assert {code for code in found if audit_words.deed(code) == code} == set()


async def test_an_edit_of_a_draft_says_what_it_was(runtime, admin, flow):
    await edit.edit(runtime, flow, {"op": "set_state", "id": "NOVO", "field": "deadline", "value": "4h"}, actor=ACTOR)
    page = (await admin.get(f"{PATH}?kind=flow")).text
    assert "editou um rascunho" in page and "set_state" in page
