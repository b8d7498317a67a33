"""New flows from a sample, from nothing, from a file, from another flow."""

import json

import pytest

from engine import samples
from engine.adapters.documents import read_bytes
from engine.core.checks.run import check_at_once
from engine.core.document import read
from engine.core.errors import InvalidDocument, NotFound, Refused
from engine.core.permissions import Actor
from engine.services import edit, new_flow, publish
from tests.services.small_flow import small

ANA = Actor("ana@example.com")


def test_the_empty_flow_has_nothing_that_the_checks_find():
    assert list(check_at_once(read(samples.tree(samples.EMPTY)))) == []


async def test_a_new_flow_has_its_own_title_and_an_address_made_of_it(runtime):
    slug = await new_flow.begin(runtime, "venda", "  Lançamento   Bolsa ", ANA)

    made = await edit.opened(runtime, slug)
    assert slug == "lancamento-bolsa"
    assert made.tree["title"] == made.draft.title == "Lançamento Bolsa"
    assert made.draft.live is None
    assert set(made.flow.states) == set(read(samples.tree("venda")).states)


@pytest.mark.parametrize("title", ["", "   ", "x" * 121, "a\x07b"])
async def test_a_title_that_cannot_be_shown_is_refused(runtime, title):
    with pytest.raises(Refused, match="title_unusable"):
        await new_flow.begin(runtime, samples.EMPTY, title, ANA)


async def test_a_taken_address_is_told_and_nothing_is_made(runtime):
    await new_flow.begin(runtime, samples.EMPTY, "Meu fluxo", ANA)

    with pytest.raises(Refused) as refused:
        await new_flow.begin(runtime, "venda", "meu FLUXO!", ANA)

    assert (refused.value.code, refused.value.facts["slug"]) == ("flow_exists", "meu-fluxo")
    assert len(await edit.drafts(runtime)) == 1
    assert await new_flow.free(runtime, "meu-fluxo") == "meu-fluxo-2"
    with pytest.raises(NotFound):
        await new_flow.begin(runtime, "nenhum", "Outro", ANA)


async def test_a_copy_is_the_draft_and_nothing_else(runtime):
    await publish.publish_tree(runtime, small(), "", ANA)
    await edit.edit(
        runtime, "pequeno", {"op": "set_state", "id": "NOVO", "field": "deadline", "value": "5h"}, actor=ANA
    )

    made = await edit.opened(runtime, await new_flow.copy(runtime, "pequeno", "Cópia", ANA))

    before = await edit.opened(runtime, "pequeno")
    assert {**made.tree, "slug": "pequeno", "title": "Pequeno"} == before.tree
    assert await publish.publications(runtime, made.draft.slug) == []


@pytest.mark.parametrize("name", [*samples.names(), samples.EMPTY])
async def test_what_is_exported_and_imported_again_is_the_same_document(runtime, name):
    await publish.add_draft(runtime, samples.tree(name), ANA)
    exported = (await publish.shown(runtime, name)).encode()
    await runtime.store.write("k", lambda tx: tx.run("DELETE FROM flow"))

    slug = await new_flow.take_in(runtime, read_bytes(exported), ANA)

    assert (await edit.opened(runtime, slug)).flow.sha256 == read(samples.tree(name)).sha256


async def test_a_file_is_taken_in_under_another_address_when_asked(runtime):
    tree = json.loads(json.dumps(small()))
    assert await new_flow.take_in(runtime, tree, ANA) == "pequeno"
    with pytest.raises(Refused, match="flow_exists"):
        await new_flow.take_in(runtime, tree, ANA)
    assert await new_flow.take_in(runtime, tree, ANA, "pequeno-2") == "pequeno-2"
    with pytest.raises(InvalidDocument):
        await new_flow.take_in(runtime, {"slug": "x"}, ANA)
