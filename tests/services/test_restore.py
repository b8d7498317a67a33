"""A draft replaced as a whole is an edit like any other: with a revision, a name in the audit, and nobody's work lost unseen."""

import json

import pytest
import pytest_asyncio

from engine.core.errors import InvalidDocument, NotFound, Stale
from engine.core.permissions import Actor
from engine.services import edit, publish, restore
from engine.store import audit
from tests.services.small_flow import small

ANA = Actor("ana@example.com")


@pytest_asyncio.fixture
async def slug(runtime):
    await publish.publish_tree(runtime, small(), "primeira", ANA)
    await change(runtime, "5h")
    await publish.publish(runtime, "pequeno", "segunda", ANA)
    return "pequeno"


async def change(runtime, deadline):
    return await edit.edit(
        runtime, "pequeno", {"op": "set_state", "id": "NOVO", "field": "deadline", "value": deadline}, actor=ANA
    )


async def test_the_draft_becomes_what_the_version_said_and_nothing_is_published(runtime, slug):
    before = await change(runtime, "6h")

    after = await restore.restore(runtime, slug, 1, ANA, before.revision)

    assert after.tree == json.loads(await publish.shown(runtime, slug, 1))
    assert after.revision == before.revision + 1
    assert after.draft.live == 2


async def test_what_would_be_lost_is_what_is_not_live(runtime, slug):
    assert await restore.lost(runtime, slug) == ()
    await change(runtime, "6h")
    assert [(one.section, one.name) for one in await restore.lost(runtime, slug)] == [("states", "NOVO")]


async def test_a_draft_that_moved_on_is_not_replaced(runtime, slug):
    seen = await edit.opened(runtime, slug)
    await change(runtime, "6h")

    with pytest.raises(Stale):
        await restore.restore(runtime, slug, 1, ANA, seen.revision)
    change_all = {"op": "replace", "document": small()}
    with pytest.raises(Stale):
        await edit.edit(runtime, slug, change_all, actor=ANA, revision=seen.revision)
    with pytest.raises(NotFound):
        await restore.restore(runtime, slug, 9, ANA, None)
    assert (await edit.opened(runtime, slug)).tree["states"]["NOVO"]["deadline"] == "6h"


async def test_the_audit_tells_of_it_without_the_document(runtime, slug):
    await restore.restore(runtime, slug, 1, ANA, None)

    newest = (await runtime.store.read(audit.listed))[0]

    assert (newest.what, newest.who) == ("flow.edited", "ana@example.com")
    assert json.loads(newest.facts) == {"op": "replace", "version": 1, "revision": 3}


async def test_a_file_replaces_the_draft_of_this_flow_whatever_name_it_has(runtime, slug):
    after = await restore.replace(runtime, slug, small(slug="outro", title="De um arquivo"), ANA, None)

    assert (after.draft.slug, after.flow.slug, after.draft.title) == (slug, slug, "De um arquivo")
    with pytest.raises(InvalidDocument):
        await restore.replace(runtime, slug, {"schema": 1}, ANA, None)
