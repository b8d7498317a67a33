"""Editing a draft: one field at a time, never over somebody else's head, always a flow document."""

import asyncio
import json

import pytest
import pytest_asyncio

from engine.core.canonical import canonical
from engine.core.errors import InvalidDocument, NotFound, Refused, Stale
from engine.core.permissions import Actor
from engine.services import edit
from engine.store import audit, flows
from tests.services.small_flow import TREE

MARINA, IARA = Actor("marina@example.com", "10.0.0.1"), Actor("iara@example.com", "10.0.0.2")


def to(op, value, ident=None, **more):
    return {"op": op, "value": value, **({"id": ident} if ident else {}), **more}


@pytest_asyncio.fixture
async def slug(runtime):
    def add(tx):
        flows.add(tx, slug="pequeno", title="Pequeno", text=canonical(TREE), now=1, who="x")

    await runtime.store.write("pequeno", add)
    return "pequeno"


async def note(runtime, slug, value, actor=MARINA, **more):
    change = to("set_state", value, "CONVERSA", field="note", **({"seen": more.pop("seen")} if "seen" in more else {}))
    return await edit.edit(runtime, slug, change, actor=actor, **more)


async def test_an_edit_makes_the_next_revision_and_says_who(runtime, slug):
    done = await note(runtime, slug, "outra")
    assert (done.revision, done.tree["states"]["CONVERSA"]["note"]) == (2, "outra")
    again = await edit.opened(runtime, slug)
    assert again.tree == done.tree
    assert (again.draft.edited_by, again.draft.edited_at) == ("marina@example.com", runtime.clock.now())
    assert again.flow.states["CONVERSA"].note == "outra"
    await edit.edit(runtime, slug, to("set_title", "Novo nome"), actor=MARINA)
    assert [draft.title for draft in await edit.drafts(runtime)] == ["Novo nome"]


async def test_an_edit_that_changes_nothing_stores_nothing(runtime, slug):
    done = await note(runtime, slug, "sobre o curso")
    assert done.revision == 1
    assert await runtime.store.read(audit.listed) == []


async def test_mistakes_are_told_and_nothing_is_stored(runtime, slug):
    with pytest.raises(InvalidDocument) as caught:
        await edit.edit(runtime, slug, to("set_transition", "LUGAR", "t1", field="to"), actor=MARINA)
    assert [mistake.place for mistake in caught.value.mistakes] == ["transitions[0].to"]
    with pytest.raises(NotFound):
        await edit.edit(runtime, slug, to("set_transition", "FIM", "t99", field="to"), actor=MARINA)
    with pytest.raises(Refused):
        await edit.edit(runtime, slug, {"op": "set_everything"}, actor=MARINA)
    with pytest.raises(NotFound):
        await edit.opened(runtime, "no-such-flow")
    assert (await edit.opened(runtime, slug)).revision == 1


async def test_two_people_who_change_different_fields_both_succeed(runtime, slug):
    seen = (await edit.opened(runtime, slug)).revision
    await note(runtime, slug, "mudou", revision=seen, seen="sobre o curso")
    change = to("set_state", "3d", "CONVERSA", field="deadline", seen="2d")
    done = await edit.edit(runtime, slug, change, actor=IARA, revision=seen)
    assert done.tree["states"]["CONVERSA"] == {"deadline": "3d", "note": "mudou"}
    assert done.revision == 3


async def test_two_people_who_change_the_same_field_are_told_and_the_first_stays(runtime, slug):
    await note(runtime, slug, "dela", IARA, revision=1, seen="sobre o curso")
    with pytest.raises(Stale) as caught:
        await note(runtime, slug, "minha", revision=1, seen="sobre o curso")
    stale = caught.value
    assert (stale.what, stale.mine, stale.theirs, stale.version) == ("state CONVERSA note", "minha", "dela", 2)
    with pytest.raises(Stale):
        await note(runtime, slug, "minha", revision=1, base={"deadline": "2d", "note": "sobre o curso"})
    with pytest.raises(Stale):
        await note(runtime, slug, "minha", revision=1)
    assert (await note(runtime, slug, "dela", revision=1, seen="sobre o curso")).revision == 2
    assert (await note(runtime, slug, "minha", revision=stale.version, seen="dela")).revision == 3


async def test_what_somebody_changed_meanwhile_is_not_taken_out(runtime, slug):
    seen = (await edit.opened(runtime, slug)).tree["transitions"][3]
    await edit.edit(runtime, slug, to("set_transition", "CONVERSA", "t4", field="to"), actor=IARA)
    change = {"op": "delete_transition", "id": "t4"}
    with pytest.raises(Stale):
        await edit.edit(runtime, slug, change, actor=MARINA, revision=1, base=seen)
    with pytest.raises(Stale):
        await edit.edit(runtime, slug, change, actor=MARINA, revision=1)
    done = await edit.edit(runtime, slug, change, actor=MARINA, revision=2)
    assert [row["id"] for row in done.tree["transitions"]] == ["t1", "t2", "t3"]


async def test_many_edits_at_once_lose_nothing(runtime, slug):
    changes = [
        to("set_transition", f"rótulo {ident}", ident, field="label", seen=None) for ident in ("t1", "t2", "t3", "t4")
    ]
    await asyncio.gather(*(edit.edit(runtime, slug, change, actor=MARINA, revision=1) for change in changes))
    done = await edit.opened(runtime, slug)
    assert [row["label"] for row in done.tree["transitions"]] == [f"rótulo t{n}" for n in range(1, 5)]
    assert done.revision == 5


async def test_several_changes_are_one_revision_all_or_none(runtime, slug):
    good = {"op": "add_state", "id": "PAUSA", "fields": {"deadline": "1h"}}
    bad = to("set_transition", "LUGAR", "t1", field="to")
    with pytest.raises(InvalidDocument):
        await edit.edit_all(runtime, slug, [good, bad], actor=MARINA)
    assert (await edit.opened(runtime, slug)).revision == 1
    back = {"op": "add_transition", "fields": {"from": "PAUSA", "on": "timeout", "to": "FIM"}}
    done = await edit.edit_all(
        runtime, slug, [good, to("set_transition", "PAUSA", "t1", field="to"), back], actor=MARINA
    )
    assert (done.revision, done.tree["transitions"][-1]["id"]) == (2, "t5")


async def test_every_edit_is_audited_with_what_was_there_before(runtime, slug):
    await note(runtime, slug, "outra", seen="sobre o curso")
    entry = (await runtime.store.read(audit.listed))[0]
    assert (entry.who, entry.what, entry.subject, entry.address) == (
        "marina@example.com", "flow.edited", "pequeno", "10.0.0.1",
    )  # fmt: skip
    assert json.loads(entry.facts) == {
        "op": "set_state", "id": "CONVERSA", "field": "note", "value": "outra", "before": "sobre o curso", "revision": 2,
    }  # fmt: skip
