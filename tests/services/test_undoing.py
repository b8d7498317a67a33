"""Taking changes of a draft back and making them again, each person their own."""

import asyncio
import contextlib

import pytest
import pytest_asyncio
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.canonical import canonical
from engine.core.errors import InvalidDocument, NotFound, Refused
from engine.core.permissions import Actor
from engine.services import edit, publish, undoing
from engine.services.undoing import Asked
from engine.store import draft_changes, flows
from tests.runtimes import a_runtime
from tests.services.small_flow import TREE, small, without_talk

ANA, BRUNO = Actor("ana@example.com"), Actor("bruno@example.com")
EDITS = [
    {"op": "set_title", "value": "Outro"},
    {"op": "set_state", "id": "NOVO", "field": "deadline", "value": "2h"},
    {"op": "set_state", "id": "NOVO", "field": "deadline", "value": "6h"},
    {"op": "set_state", "id": "CONVERSA", "field": "note", "value": None},
    {"op": "add_state", "id": "AJUDA", "fields": {"deadline": "1h"}},
    {"op": "rename_state", "id": "CONVERSA", "name": "FALANDO"},
    {"op": "rename_state", "id": "FALANDO", "name": "CONVERSA"},
    {"op": "delete_state", "id": "CONVERSA", "redirect_to": "FIM"},
    {"op": "set_transition", "id": "t4", "field": "when", "value": "toques < 3"},
    {"op": "add_transition", "fields": {"from": "NOVO", "on": "timeout", "to": "NOVO", "when": "toques > 5"}},
    {"op": "delete_transition", "id": "t3"},
    {"op": "set_action", "id": "oi", "field": "text", "value": "Olá"},
    {"op": "rename_action", "id": "oi", "name": "ola"},
    {"op": "add_rule", "rule": {"echo": 3}},
    {"op": "add_rule", "rule": {"window": "24h"}, "at": 0},
    {"op": "delete_rule", "id": 0},
    {"op": "ignore", "state": "FIM", "event": "timeout"},
]


async def add(runtime):
    await runtime.store.write(
        "pequeno", lambda tx: flows.add(tx, slug="pequeno", title="Pequeno", text=canonical(TREE), now=1, who="x")
    )
    return "pequeno"


@pytest_asyncio.fixture
async def slug(runtime):
    return await add(runtime)


async def changed(runtime, change, actor=ANA):
    return await edit.edit(runtime, "pequeno", change, actor=actor)


async def deadline(runtime, value, actor=ANA):
    return await changed(runtime, {"op": "set_state", "id": "NOVO", "field": "deadline", "value": value}, actor)


async def now(runtime):
    return (await edit.opened(runtime, "pequeno")).draft.document


async def back(runtime, actor=ANA, **more):
    return await undoing.turn(runtime, "pequeno", back=True, actor=actor, **more)


async def again(runtime, actor=ANA, **more):
    return await undoing.turn(runtime, "pequeno", back=False, actor=actor, **more)


async def _all(turning, runtime):
    documents = []
    while True:
        try:
            assert not isinstance(await turning(runtime), Asked)
        except Refused:
            return documents
        documents.append(await now(runtime))


@given(st.lists(st.sampled_from(EDITS), min_size=1, max_size=10), st.integers(0, 10), st.sampled_from(EDITS))
@settings(max_examples=15, deadline=None)
def test_any_edits_are_undone_to_the_first_document_and_redone_to_the_last(tmp_path_factory, made, some, new):
    url = f"sqlite:///{tmp_path_factory.mktemp('undo')}/t.db"

    async def whole():
        runtime = a_runtime(url)
        await runtime.store.migrate()
        await add(runtime)
        documents = [await now(runtime)]
        for change in made:
            try:
                await changed(runtime, change)
            except (Refused, NotFound, InvalidDocument):
                continue
            if await now(runtime) != documents[-1]:
                documents.append(await now(runtime))

        assert await _all(back, runtime) == documents[-2::-1]
        assert await _all(again, runtime) == documents[1:]

        for _ in range(min(some, len(documents) - 1)):
            await back(runtime)
        before = await now(runtime)
        with contextlib.suppress(Refused, NotFound, InvalidDocument):
            await changed(runtime, new)
        if await now(runtime) != before:
            assert (await undoing.standing(runtime, "pequeno", ANA.who)).again is None
        await _all(back, runtime)
        assert await now(runtime) == documents[0]
        await runtime.close()

    asyncio.run(whole())


async def test_at_least_two_hundred_steps_go_back_also_after_a_restart(runtime, slug):
    first = await now(runtime)
    for minute in range(1, 202):
        await deadline(runtime, f"{minute}m")
    for _ in range(201):
        await back(runtime)
    assert await now(runtime) == first
    assert draft_changes.KEPT >= 200


async def test_the_oldest_changes_are_let_go(runtime, slug, monkeypatch):
    monkeypatch.setattr(draft_changes, "KEPT", 3)
    for minute in range(1, 6):
        await deadline(runtime, f"{minute}m")
    assert len(await _all(back, runtime)) == 3


async def test_each_takes_back_their_own_and_the_other_stays(runtime, slug):
    await deadline(runtime, "2h", ANA)
    await changed(runtime, {"op": "set_title", "value": "Outro"}, BRUNO)

    opened, told = await back(runtime, ANA)

    assert (opened.tree["states"]["NOVO"]["deadline"], opened.tree["title"]) == ("1d", "Outro")
    assert told.what == {"op": "set_state", "id": "NOVO", "field": "deadline", "count": 1}
    with pytest.raises(Refused, match="nothing_to_undo"):
        await back(runtime, ANA)


async def test_what_somebody_changed_since_is_asked_about_with_both_values(runtime, slug):
    await deadline(runtime, "2h", ANA)
    await deadline(runtime, "6h", BRUNO)

    asked = await back(runtime, ANA)

    assert isinstance(asked, Asked)
    (clash,) = asked.clashes
    assert (clash.step.now, clash.there, asked.other.who) == (("1d",), ("6h",), BRUNO.who)
    assert "6h" in await now(runtime)

    opened, _ = await back(runtime, ANA, anyway=asked.witness)
    assert opened.tree["states"]["NOVO"]["deadline"] == "1d"
    opened, _ = await again(runtime, ANA)
    assert opened.tree["states"]["NOVO"]["deadline"] == "6h", "redone is the document as it was before the undo"


async def test_anyway_is_said_about_what_was_shown_and_nothing_newer(runtime, slug):
    await deadline(runtime, "2h", ANA)
    await deadline(runtime, "6h", BRUNO)
    asked = await back(runtime, ANA)
    await deadline(runtime, "7h", BRUNO)

    assert isinstance(await back(runtime, ANA, anyway=asked.witness), Asked)


async def test_a_change_may_be_left_as_it_is_and_the_one_before_is_next(runtime, slug):
    await changed(runtime, {"op": "set_title", "value": "Outro"}, ANA)
    await deadline(runtime, "2h", ANA)
    await deadline(runtime, "6h", BRUNO)
    asked = await back(runtime, ANA)

    await undoing.leave(runtime, slug, asked.change.number, BRUNO)
    assert isinstance(await back(runtime, ANA), Asked), "nobody leaves another person's change"
    await undoing.leave(runtime, slug, asked.change.number, ANA)
    opened, _ = await back(runtime, ANA)

    assert (opened.tree["title"], opened.tree["states"]["NOVO"]["deadline"]) == ("Pequeno", "6h")


async def test_what_would_not_be_a_flow_any_more_is_said_and_nothing_is_stored(runtime, slug):
    await changed(runtime, {"op": "add_state", "id": "AJUDA", "fields": {"deadline": "1h"}}, ANA)
    await changed(runtime, {"op": "set_transition", "id": "t3", "field": "to", "value": "AJUDA"}, BRUNO)
    before = await now(runtime)

    asked = await back(runtime, ANA)

    assert isinstance(asked, Asked)
    assert [mistake.place for mistake in asked.mistakes] == ["transitions[2].to"]
    assert await now(runtime) == before


async def test_a_deletion_is_taken_back_by_its_number_even_after_another_change(runtime, slug):
    await changed(runtime, {"op": "delete_transition", "id": "t3"})
    number = (await undoing.standing(runtime, slug, ANA.who)).back.number
    await changed(runtime, {"op": "set_title", "value": "Outro"})

    opened, _ = await back(runtime, number=number)

    assert "t3" in opened.flow.arrows
    assert opened.tree["title"] == "Outro"
    with pytest.raises(Refused):
        await back(runtime, number=number)
    await again(runtime)
    assert [told.what["op"] for told in [(await undoing.standing(runtime, slug, ANA.who)).back]] == [
        "delete_transition"
    ]


async def test_publishing_leaves_the_line_alone_and_a_whole_document_is_one_step(runtime, slug):
    await deadline(runtime, "2h")
    await publish.publish(runtime, slug, "primeira", ANA)
    assert (await undoing.standing(runtime, slug, ANA.who)).back.what["op"] == "set_state"

    await publish.publish_tree(runtime, without_talk(), "de um arquivo", ANA)
    assert (await undoing.standing(runtime, slug, ANA.who)).back.what == {"op": "replace"}
    opened, _ = await back(runtime)
    assert canonical(opened.tree) == canonical(small(states={**TREE["states"], "NOVO": {"deadline": "2h"}})), (
        "the draft is as before; the version stays published"
    )
    assert opened.draft.live == 2
