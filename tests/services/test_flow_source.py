"""Which flow somebody means: a file, a version, a draft, a sample, in that order."""

import json

import pytest

from engine import samples
from engine.core.errors import InvalidDocument, NotFound
from engine.core.permissions import Actor
from engine.services import publish
from engine.services.flow_source import asks_database, find, from_file
from tests.services.small_flow import small

MARINA = Actor("marina@example.com")


async def test_a_file_in_json_or_yaml_is_meant_before_anything_else(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.json").write_text(json.dumps(small()))
    (tmp_path / "a.yaml").write_text(samples.source("venda"))
    (tmp_path / "venda").write_text(json.dumps(small()))

    assert [(await find(name, None)).flow.slug for name in ("a.json", "a.yaml", "venda", str(tmp_path / "a.json"))] == [
        "pequeno", "venda", "pequeno", "pequeno",
    ]  # fmt: skip
    assert (await find("a.json", None)).origin == "file"


async def test_a_bare_slug_is_the_draft_else_the_sample(runtime):
    assert (await find("venda", runtime.store)).origin == (await find("venda", None)).origin == "sample"

    await publish.publish_tree(runtime, {**small(), "slug": "venda"}, "", MARINA)
    found = await find("venda", runtime.store)

    assert (found.origin, list(found.flow.states)) == ("draft", ["CONVERSA", "FIM", "NOVO"])


async def test_a_version_is_that_version_whatever_the_draft_says(runtime):
    await publish.publish_tree(runtime, small(), "", MARINA)
    await publish.publish_tree(runtime, small(title="Outro"), "", MARINA)

    found = await find("pequeno@1", runtime.store)

    assert (found.origin, found.tree["title"]) == ("version", "Pequeno")


@pytest.mark.parametrize("name", ["pequeno", "pequeno@1", "venda@1"])
async def test_what_is_nowhere_is_not_found(runtime, name):
    for store in (runtime.store, None):
        with pytest.raises(NotFound):
            await find(name, store)


@pytest.mark.parametrize("name", ["nope.yaml", "./venda", "Venda", "venda@0", "venda@x", ""])
async def test_what_is_no_slug_is_a_file(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    assert not asks_database(name)
    with pytest.raises(InvalidDocument):
        await find(name, None)


def test_a_document_with_mistakes_tells_all_of_them(tmp_path):
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(small(initial="NADA", color=1)))

    with pytest.raises(InvalidDocument) as refused:
        from_file(path)

    assert {mistake.place for mistake in refused.value.mistakes} == {"initial", "color"}
