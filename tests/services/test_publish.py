"""Publishing: the checks decide, versions never change, and people go on where they are (R60, R61)."""

import asyncio
import json

import pytest
import pytest_asyncio

from engine.core.errors import InvalidDocument, NotFound, NotPublishable, Refused, Stale
from engine.core.events import Snapshot
from engine.core.permissions import Actor
from engine.core.places import Plan
from engine.services import edit, publish
from engine.store import audit, conversations, flows
from tests.services.small_flow import TREE, small, without_talk

MARINA = Actor("marina@example.com", "10.0.0.1")


@pytest_asyncio.fixture
async def slug(runtime):
    return await publish.add_draft(runtime, TREE, MARINA)


async def change(runtime, **fields):
    edits = [{"op": "set_state", "id": "CONVERSA", "field": name, "value": value} for name, value in fields.items()]
    return await edit.edit_all(runtime, "pequeno", edits, actor=MARINA)


async def person(runtime, state, version, previous=None, context=None, contact=1):
    """A conversation that stands somewhere."""
    now = runtime.clock.now()

    def unit(tx):
        opened = conversations.open_cycle(
            tx,
            contact,
            None,
            "pequeno",
            version,
            Snapshot(state=state, previous=None, context=context or {"toques": 2}, deadline_at=now + 5, rung=1,
                     entered_at=now, last_inbound_at=now),
            now,
        )  # fmt: skip
        tx.run(
            "UPDATE conversation SET previous = :previous, due_at = 77 WHERE id = :id", previous=previous, id=opened.id
        )
        return opened.id

    return await runtime.store.write("k", unit)


async def row(runtime, conversation_id):
    return await runtime.store.read(lambda tx: tx.one("SELECT * FROM conversation WHERE id = :id", id=conversation_id))


async def test_a_version_is_numbered_stored_for_ever_and_live(runtime, slug):
    assert await publish.publish(runtime, slug, "primeira", MARINA) == 1
    await change(runtime, note="mudou")
    assert await publish.publish(runtime, slug, "segunda", MARINA, 2) == 2
    listed = await publish.publications(runtime, slug)
    assert [(one.number, one.note, one.author) for one in listed] == [
        (2, "segunda", "marina@example.com"),
        (1, "primeira", "marina@example.com"),
    ]
    assert json.loads(await publish.shown(runtime, slug, 1))["states"]["CONVERSA"]["note"] == "sobre o curso"
    assert json.loads(await publish.shown(runtime, slug))["states"]["CONVERSA"]["note"] == "mudou"
    flow = await runtime.flow(slug, 1)
    assert flow.sha256 == listed[1].sha256
    assert await runtime.flow(slug, 1) is flow
    assert (await runtime.store.read(lambda tx: flows.live(tx, slug))).number == 2
    with pytest.raises(NotFound):
        await runtime.flow(slug, 3)
    with pytest.raises(NotFound):
        await publish.shown(runtime, slug, 3)
    with pytest.raises(NotFound):
        await publish.publish(runtime, "no-such-flow", "", MARINA)


async def test_findings_that_block_store_nothing_but_the_refusal(runtime, slug):
    await change(runtime, deadline=None)
    with pytest.raises(NotPublishable) as caught:
        await publish.publish(runtime, slug, "", MARINA)
    assert "S6" in [finding.code for finding in caught.value.findings]
    assert await publish.publications(runtime, slug) == []
    entry = (await runtime.store.read(audit.listed))[0]
    assert entry.what == "flow.refused"
    assert "S6" in json.loads(entry.facts)["codes"]


async def test_publishing_what_is_live_again_is_refused(runtime, slug):
    await publish.publish(runtime, slug, "", MARINA)
    with pytest.raises(Refused) as caught:
        await publish.publish(runtime, slug, "", MARINA)
    assert caught.value.code == "nothing_changed"
    with pytest.raises(Refused):
        await publish.publish_tree(runtime, TREE, "", MARINA)
    assert len(await publish.publications(runtime, slug)) == 1


async def test_a_draft_that_changed_since_it_was_reviewed_is_not_published(runtime, slug):
    seen = (await publish.review(runtime, slug)).revision
    await change(runtime, note="mudou")
    with pytest.raises(Stale):
        await publish.publish(runtime, slug, "", MARINA, seen)
    assert await publish.publications(runtime, slug) == []


async def test_two_who_publish_at_once_make_one_version(runtime, slug):
    answers = await asyncio.gather(
        *(publish.publish(runtime, slug, "", MARINA) for _ in range(4)), return_exceptions=True
    )
    assert [answer for answer in answers if not isinstance(answer, Refused)] == [1]


async def test_people_go_on_with_the_new_version_in_the_same_transaction(runtime, slug):
    await publish.publish(runtime, slug, "", MARINA)
    one = await person(runtime, "CONVERSA", 1, previous="NOVO")
    before = await row(runtime, one)
    await change(runtime, note="mudou")
    await publish.publish(runtime, slug, "", MARINA)
    after = await row(runtime, one)
    assert (after["flow_version"], after["version"]) == (2, before["version"] + 1)
    same = ("state", "previous", "context", "deadline_at", "rung", "due_at", "log_n", "log_hash")
    assert [after[name] for name in same] == [before[name] for name in same]
    entry = (await runtime.store.read(audit.listed))[0]
    facts = json.loads(entry.facts)
    assert (facts["number"], facts["moved"]) == (2, 1)


async def test_who_should_finish_on_the_old_version_does(runtime, slug):
    await publish.publish(runtime, slug, "", MARINA)
    one = await person(runtime, "CONVERSA", 1)
    await change(runtime, note="mudou")
    await publish.publish(runtime, slug, "", MARINA, plan=Plan(follow=False))
    await change(runtime, note="mudou de novo")
    await publish.publish(runtime, slug, "", MARINA)
    assert (await row(runtime, one))["flow_version"] == 1


async def test_nobody_is_put_into_a_version_that_lacks_the_state_or_the_one_to_return_to(runtime, slug):
    """R61."""
    await publish.publish(runtime, slug, "", MARINA)
    gone = await person(runtime, "CONVERSA", 1, previous="NOVO")
    would_return = await person(runtime, "FIM", 1, previous="CONVERSA", contact=2)
    free = await person(runtime, "NOVO", 1, contact=3)
    assert await publish.publish_tree(runtime, without_talk(), "", MARINA) == 2
    assert [(await row(runtime, who))["flow_version"] for who in (gone, would_return, free)] == [1, 1, 2]


async def test_fields_that_the_new_version_declares_otherwise_are_adapted_and_recorded_in_the_chain(runtime, slug):
    """R46: the snapshot changed, so the conversation's own chain says so."""
    await publish.publish(runtime, slug, "", MARINA)
    one = await person(runtime, "CONVERSA", 1, context={"toques": 7})
    before = await row(runtime, one)
    context = {
        "toques": {"type": "int", "default": 0, "min": 0, "max": 3},
        "plano": {"type": "enum", "values": ["a", "b"], "default": "a"},
        "cpf": {"type": "text", "optional": True, "sensitive": True},
    }
    await publish.publish_tree(runtime, small(context=context), "", MARINA)
    after = await row(runtime, one)
    assert json.loads(after["context"]) == {"plano": "a", "toques": 3}
    assert (after["flow_version"], after["log_n"], after["due_at"]) == (2, before["log_n"] + 1, 77)
    last = await runtime.store.read(lambda tx: tx.one("SELECT * FROM log ORDER BY id DESC LIMIT 1"))
    assert (last["reason"], last["prev_hash"], last["hash"]) == ("new_version", before["log_hash"], after["log_hash"])


async def test_a_review_says_what_changes_who_stands_where_and_what_blocks(runtime, slug):
    await publish.publish(runtime, slug, "", MARINA)
    await person(runtime, "CONVERSA", 1)
    await person(runtime, "NOVO", 1, contact=2)
    review = await publish.review(runtime, slug)
    assert (review.number, review.live, review.same_as, review.changes, review.blocked) == (2, 1, 1, (), False)
    await change(runtime, deadline=None, note="mudou")
    review = await publish.review(runtime, slug)
    assert review.blocked
    assert review.same_as is None
    assert [(c.section, c.name, c.kind, c.fields) for c in review.changes] == [
        ("states", "CONVERSA", "changed", ("deadline", "note"))
    ]
    assert [(one.version, one.state, one.people, one.fits) for one in review.standing] == [
        (1, "CONVERSA", 1, True),
        (1, "NOVO", 1, True),
    ]


async def test_a_file_makes_a_new_flow_or_the_next_version_and_becomes_the_draft(runtime):
    assert await publish.publish_tree(runtime, TREE, "do arquivo", MARINA) == 1
    await change(runtime, note="rascunho")
    assert await publish.publish_tree(runtime, without_talk(), "", MARINA) == 2
    assert "CONVERSA" not in (await edit.opened(runtime, "pequeno")).tree["states"]
    with pytest.raises(InvalidDocument):
        await publish.publish_tree(runtime, small(initial="LUGAR"), "", MARINA)
    with pytest.raises(Refused) as caught:
        await publish.add_draft(runtime, TREE, MARINA)
    assert caught.value.code == "flow_exists"


async def test_what_the_engine_does_not_do_yet_is_refused_and_named(runtime):
    tree = {**TREE, "slug": "espera"}
    tree["actions"] = {**tree["actions"], "cobrar": {"kind": "call", "url": "https://erp.example/cobrar"}}

    with pytest.raises(Refused) as refused:
        await publish.publish_tree(runtime, tree, "", MARINA)

    assert refused.value.code == "not_available_yet"
    assert refused.value.facts["places"] == ("actions.cobrar",)
    assert await runtime.store.read(lambda tx: flows.draft(tx, "espera")) is None
